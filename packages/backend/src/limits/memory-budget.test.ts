import { describe, expect, test } from 'vitest';
import { MemoryBudget } from './memory-budget.ts';

const KB = 1024;
const MB = 1024 * KB;

/** A budget with a clock that only tests advance, and the list of ended entries. */
function createBudget() {
  let now = 0;
  const budget = new MemoryBudget(() => now);
  const endedEntries: string[] = [];
  return {
    budget,
    ended: endedEntries,
    advance: (seconds: number) => {
      now += seconds * 1000;
    },
    body: (address: string, name = address) => budget.reserve('body', address, () => endedEntries.push(name)),
    answer(address: string, bytes: number, name = address) {
      const reservation = budget.reserve('answer', address, () => endedEntries.push(name));
      reservation.updateUnread(bytes, now);
      return reservation;
    },
  };
}

describe('A body', () => {
  test('is always accepted up to 64 kB, and rejected above that if memory is full and all bodies make progress', () => {
    const { body, budget } = createBudget();
    for (let n = 0; n < 7; n++) expect(body(`198.51.${n}.1`).add(18 * MB)).toBe(true);
    const small = body('192.0.2.1');
    expect(small.add(2 * MB)).toBe(true);
    const lastBody = body('203.0.113.1');
    expect(lastBody.add(64 * KB)).toBe(true);
    expect(lastBody.add(1)).toBe(false);
    small.release();
    expect(lastBody.add(1)).toBe(true);
    expect(budget.stats().bytes.body).toBe(7 * 18 * MB + 64 * KB + 1);
  });

  test('is ended if it stalls, oldest first, in the network that uses most memory', () => {
    const { body, ended, advance } = createBudget();
    for (const host of [1, 2, 3, 4, 5]) expect(body(`198.51.${host}.1`, `network ${host}`).add(20 * MB)).toBe(true);
    advance(1);
    expect(body('198.51.5.1', 'second of network 5').add(2 * MB)).toBe(true);
    expect(body('192.0.2.1').add(24 * MB)).toBe(true);
    expect(body('203.0.113.1').add(5 * MB)).toBe(true);
    expect(ended).toEqual(['network 5']);
    expect(body('203.0.113.2').add(19 * MB)).toBe(true);
    expect(ended).toEqual(['network 5', 'network 1']);
  });

  test('counts as stalled below 64 kB per second, unless it is complete', () => {
    const { body, ended, advance } = createBudget();
    const slowBody = body('198.51.100.1', 'trickling');
    const completeBody = body('198.51.101.1', 'waiting');
    const fastBody = body('198.51.102.1', 'moving');
    slowBody.add(22 * MB);
    completeBody.add(23 * MB);
    completeBody.markComplete();
    fastBody.add(23 * MB);
    for (const host of [1, 2]) body(`203.0.${host}.1`, 'smaller').add(21 * MB);
    for (let n = 0; n < 4; n++) {
      advance(0.5);
      slowBody.add(1);
      fastBody.add(64 * KB);
    }
    expect(body('192.0.2.1').add(20 * MB)).toBe(true);
    expect(ended).toEqual(['trickling']);
    expect(fastBody.add(1)).toBe(true);
  });

  test('is rejected if its address would use more than 24 MB, or its /24 or /48 network more than 48 MB', () => {
    const { body } = createBudget();
    expect(body('198.51.100.1').add(24 * MB)).toBe(true);
    expect(body('198.51.100.1').add(65 * KB)).toBe(false);
    expect(body('198.51.100.2').add(24 * MB)).toBe(true);
    expect(body('198.51.100.3').add(65 * KB)).toBe(false);
    expect(body('2001:db8:1:1::1').add(24 * MB)).toBe(true);
    expect(body('2001:db8:1:2::1').add(24 * MB)).toBe(true);
    expect(body('2001:db8:1:3::1').add(65 * KB)).toBe(false);
    expect(body('2001:db8:2:1::1').add(24 * MB)).toBe(true);
  });

  test('cannot grow after it was ended, and is counted only once', () => {
    const { body, budget, advance } = createBudget();
    const first = body('198.51.100.1');
    first.add(20 * MB);
    advance(1);
    expect(body('198.51.100.1').add(20 * MB)).toBe(true);
    expect(first.add(1)).toBe(false);
    first.release();
    expect(budget.stats()).toMatchObject({ bytes: { body: 20 * MB }, ended: { body: { room: 1, late: 0 } } });
  });
});

describe('Unread responses', () => {
  test('share the limit with bodies, and are ended to free memory for bodies', () => {
    const { answer, body, ended, budget, advance } = createBudget();
    for (let n = 0; n < 6; n++) answer(`198.51.${n}.1`, 20 * MB, `answer ${n}`);
    advance(1);
    expect(body('192.0.2.1').add(20 * MB)).toBe(true);
    expect(ended).toEqual(['answer 0']);
    expect(budget.stats().bytes).toEqual({ answer: 100 * MB, body: 20 * MB });
  });

  test('are rejected for an address that does not read them, without ending the responses of its neighbours', () => {
    const { answer, ended, budget, advance } = createBudget();
    for (let n = 0; n < 3; n++) answer('198.51.100.1', 8 * MB, 'first');
    expect(budget.hasRoom('198.51.100.1')).toBe(true);
    answer('198.51.100.1', 1);
    advance(5);
    expect(budget.hasRoom('198.51.100.1')).toBe(false);
    expect(ended).toEqual([]);
    answer('198.51.100.2', 24 * MB, 'second');
    answer('198.51.100.3', 8 * MB, 'third');
    advance(1);
    expect(budget.hasRoom('198.51.100.4')).toBe(true);
    expect(ended).toEqual(['first', 'second']);
  });

  test('are ended if memory is full, except those that make progress', () => {
    const { answer, ended, advance } = createBudget();
    const readResponse = answer('198.51.100.1', 20 * MB, 'read');
    answer('198.51.100.1', 20 * MB, 'unread');
    for (let n = 0; n < 4; n++) answer(`203.0.${n}.1`, 20 * MB);
    advance(1);
    readResponse.updateUnread(19 * MB, 1000);
    answer('192.0.2.1', 20 * MB);
    expect(ended).toEqual(['unread']);
  });
});
