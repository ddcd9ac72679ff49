import { beforeEach, expect, test } from 'vitest';
import { type DatabaseTime, limitDatabaseTime } from './database-time.ts';

let clock: number;
let time: DatabaseTime;
beforeEach(() => {
  clock = 1_000_000;
  time = limitDatabaseTime(
    (seconds) => new Error(`wait ${seconds}`),
    () => clock,
  );
});

const visitor = (address: string) => ({ address, account: null });
const spend = (address: string, ms: number) => time.run(visitor(address), async (charge) => charge(ms));

test('An address that has used up its ten seconds of database time must wait, but other addresses need not', async () => {
  await spend('198.51.100.1', 10_000);
  expect(() => time.requireTime(visitor('198.51.100.1'))).toThrow('wait 1');
  await spend('198.51.100.2', 1);
  clock += 1000;
  await spend('198.51.100.1', 3250);
  await expect(spend('198.51.100.1', 1)).rejects.toThrow('wait 13');
  clock += 12_000;
  await expect(spend('198.51.100.1', 1)).rejects.toThrow('wait 1');
  clock += 1000;
  await spend('198.51.100.1', 1);
});

test('Fifty editors behind one address who open a list every second never wait', async () => {
  for (let second = 0; second < 600; second++) {
    for (let editor = 0; editor < 50; editor++) await spend('198.51.100.1', 5);
    clock += 1000;
  }
});

test('A bucket does not refill above its size', async () => {
  await spend('198.51.100.1', 1);
  clock += 3_600_000;
  await spend('198.51.100.1', 10_000);
  expect(() => time.requireTime(visitor('198.51.100.1'))).toThrow('wait 1');
});

test('Addresses in one /24 share twice the budget of a single address', async () => {
  for (let n = 1; n < 3; n++) await spend(`198.51.100.${n}`, 9_999);
  await spend('198.51.100.3', 2);
  expect(() => time.requireTime(visitor('198.51.100.4'))).toThrow('wait 1');
  expect(() => time.requireTime(visitor('198.51.101.4'))).not.toThrow();
});

test('Networks in one /48 share twice the budget of a single /64', async () => {
  for (let n = 0; n < 2; n++) await spend(`2001:db8:1:${n}::1`, 9_999);
  await spend('2001:db8:1:2::1', 2);
  expect(() => time.requireTime(visitor('2001:db8:1:3::1'))).toThrow('wait 1');
  expect(() => time.requireTime(visitor('2001:db8:2::1'))).not.toThrow();
});

test('Two timeouts block the address for a minute, but only if they occur within a minute', () => {
  time.recordTimeout(visitor('198.51.100.1'));
  expect(() => time.requireTime(visitor('198.51.100.1'))).not.toThrow();
  clock += 61_000;
  time.recordTimeout(visitor('198.51.100.1'));
  expect(() => time.requireTime(visitor('198.51.100.1'))).not.toThrow();
  clock += 30_000;
  time.recordTimeout(visitor('198.51.100.1'));
  expect(() => time.requireTime(visitor('198.51.100.1'))).toThrow('wait 60');
  clock += 60_000;
  expect(() => time.requireTime(visitor('198.51.100.1'))).not.toThrow();
});

test('Four timeouts of different addresses in a /48 block the whole /48', () => {
  for (let n = 0; n < 4; n++) time.recordTimeout(visitor(`2001:db8:1:${n}::1`));
  expect(() => time.requireTime(visitor('2001:db8:1:99::1'))).toThrow('wait 60');
});

test('At most two requests per address run at a time, and the rest are queued in order of arrival', async () => {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const runs = Array.from({ length: 5 }, (_, n) =>
    time.run(visitor('198.51.100.1'), async () => {
      started.push(n);
      await new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  const otherRequest = time.run(visitor('198.51.100.2'), async () => 'done');
  expect(await otherRequest).toBe('done');
  expect(started).toEqual([0, 1]);
  for (let n = 0; n < 5; n++) {
    ends[n]?.();
    await runs[n];
  }
  expect(started).toEqual([0, 1, 2, 3, 4]);
});

test('Queued requests are rejected once the running requests have used up the budget', async () => {
  const slowRequest = () => spend('198.51.100.1', 8000);
  const results = await Promise.allSettled(Array.from({ length: 100 }, slowRequest));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  clock += 60_000;
  await slowRequest();
});

test('After a timeout, requests from the address run one at a time, and a second timeout rejects the queued requests', async () => {
  const ends: (() => void)[] = [];
  const hitDeadline = () =>
    time.run(visitor('198.51.100.1'), async () => {
      await new Promise<void>((resolve) => ends.push(resolve));
      time.recordTimeout(visitor('198.51.100.1'));
    });
  const runs = [hitDeadline(), hitDeadline(), hitDeadline(), hitDeadline()];
  const results = Promise.allSettled(runs);
  await spend('198.51.100.2', 1);
  ends[0]?.();
  await runs[0];
  expect(ends).toHaveLength(2);
  ends[1]?.();
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
});

test('At most 200 requests are queued', async () => {
  const gate = Promise.withResolvers<void>();
  const runs = Array.from({ length: 202 }, () => time.run(visitor('198.51.100.1'), () => gate.promise));
  await expect(spend('198.51.100.1', 1)).rejects.toThrow('wait 1');
  gate.resolve();
  await Promise.all(runs);
  await spend('198.51.100.1', 1);
});

test('Failed work releases its slot', async () => {
  for (let n = 0; n < 5; n++) {
    await expect(time.run(visitor('198.51.100.1'), () => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    );
  }
});

test('An account has one budget across its networks, and other accounts are not charged', async () => {
  const client = (n: number, account: string) => ({ address: `192.0.${n}.1`, account });
  for (let n = 0; n < 10; n++) await time.run(client(n, 'ada'), async (charge) => charge(999));
  expect(() => time.requireTime(client(11, 'ada'))).not.toThrow();
  await time.run(client(11, 'ada'), async (charge) => charge(20));
  expect(() => time.requireTime(client(12, 'ada'))).toThrow('wait 1');
  expect(() => time.requireTime(client(1, 'bob'))).not.toThrow();
  expect(() => time.requireTime(visitor('192.0.1.1'))).not.toThrow();
});
