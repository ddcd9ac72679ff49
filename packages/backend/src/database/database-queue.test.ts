import { expect, it } from 'vitest';
import { type Caller, runAsCaller } from './caller.ts';
import { DatabaseQueue } from './database-queue.ts';

type Who = Partial<Caller>;
const caller = (who: Who): Caller => ({ lane: 'requests', address: '203.0.113.1', account: null, ...who });

/** A queue with ten connections, and the order in which tasks started. */
function recordedQueue() {
  const queue = new DatabaseQueue(10);
  const begun: string[] = [];
  const take = (name: string, who: Who, work: () => Promise<unknown>, ms: number) =>
    runAsCaller(caller(who), () =>
      queue.take({}, async ({ onTime }) => {
        begun.push(name);
        await work();
        onTime?.(ms);
      }),
    );
  return {
    begun,
    /** Uses that many milliseconds of database time, and ends immediately. */
    use: (who: Who, ms: number) => take('used', who, async () => undefined, ms),
    /** Holds connections until `release`. */
    hold(name: string, count: number, who: (n: number) => Who) {
      const end = Promise.withResolvers<void>();
      const all = Array.from({ length: count }, (_, n) => take(name, who(n), () => end.promise, 1));
      return {
        release: async () => {
          end.resolve();
          await Promise.all(all);
        },
      };
    },
    begunBy: (name: string) => begun.filter((other) => other === name).length,
  };
}

/** Resolves when the queued tasks have started. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const network = (n: number) => ({ address: `198.18.${n}.1` });
const account = (n: number) => ({ account: `account-${n}`, address: `198.18.${n}.1` });

it('limits a network, and an account across networks, to three of ten connections', async () => {
  const { hold, begunBy } = recordedQueue();
  const one = hold('one network', 20, (n) => ({ address: `198.18.0.${n}` }));
  await settled();
  expect(begunBy('one network')).toBe(3);
  await one.release();
  const same = hold('one account', 30, (n) => ({ ...network(n), account: 'ada' }));
  await settled();
  expect(begunBy('one account')).toBe(3);
  await same.release();
  const many = hold('many accounts', 30, account);
  await settled();
  expect(begunBy('many accounts')).toBe(5);
  await many.release();
});

it('keeps connections free for light callers and for other lanes', async () => {
  const { use, hold, begunBy } = recordedQueue();
  await use({ address: '203.0.113.1' }, 5);
  const strangers = hold('strangers', 30, network);
  expect(begunBy('strangers')).toBe(5);
  const known = hold('known', 1, () => ({ address: '203.0.113.1' }));
  const pages = hold('pages', 2, () => ({ lane: 'pages', address: '' }));
  const signIns = hold('sign-ins', 2, () => ({ lane: 'sign-in', address: '203.0.113.9' }));
  await settled();
  expect([begunBy('known'), begunBy('pages'), begunBy('sign-ins')]).toEqual([1, 2, 2]);
  await Promise.all([strangers, known, pages, signIns].map(({ release }) => release()));
});

it('puts a heavy caller in the class of the others', async () => {
  const { use, hold, begunBy } = recordedQueue();
  await use({ address: '203.0.113.1' }, 300);
  const strangers = hold('strangers', 30, network);
  const greedy = hold('greedy', 1, () => ({ address: '203.0.113.1' }));
  await settled();
  expect([begunBy('strangers'), begunBy('greedy')]).toEqual([5, 0]);
  await Promise.all([strangers.release(), greedy.release()]);
  expect(begunBy('greedy')).toBe(1);
});

it('gives the next connection to a caller without one', async () => {
  const { hold, begun } = recordedQueue();
  const strangers = hold('strangers', 30, (n) => network(n % 5));
  const visitor = hold('visitor', 1, () => ({ address: '203.0.113.5' }));
  await strangers.release();
  await visitor.release();
  expect(begun.indexOf('visitor')).toBeLessThan(8);
});

it('lets background work use every connection', async () => {
  const queue = new DatabaseQueue(10);
  const end = Promise.withResolvers<void>();
  const all = Array.from({ length: 12 }, () => queue.take({}, () => end.promise));
  expect([queue.running, queue.waiting]).toEqual([10, 2]);
  end.resolve();
  await Promise.all(all);
});
