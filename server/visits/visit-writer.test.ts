import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { View } from './read-visit.ts';
import type { VisitCount } from './visit-counts.ts';
import { VisitWriter } from './visit-writer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const view = (changes: Partial<View> = {}): View => ({
  page: '/',
  referrer: null,
  device: 'phone',
  seconds: null,
  ...changes,
});

function countOf(counts: VisitCount[], kind: VisitCount['kind'], name: string): number | undefined {
  return counts.find((count) => count.kind === kind && count.name === name)?.count;
}

function writer(write: (counts: VisitCount[]) => Promise<void> = async () => undefined) {
  const writes: VisitCount[][] = [];
  const errors: unknown[] = [];
  const visits = new VisitWriter(
    async (counts) => {
      writes.push(counts);
      await write(counts);
    },
    (error) => errors.push(error),
  );
  return { visits, writes, errors };
}

test('Visits are summed up and written at most once a second', async () => {
  const { visits, writes } = writer();
  for (let n = 0; n < 10_000; n++) {
    visits.add(view({ referrer: '' }));
    if (n % 1000 === 0) await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(1000);
  expect(writes.length).toBe(2);
  expect(writes.reduce((sum, counts) => sum + (countOf(counts, 'page', '/') ?? 0), 0)).toBe(10_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(writes.length).toBe(2);
});

test('The number of distinct names is limited, and known names are still counted', async () => {
  const { visits, writes } = writer();
  for (let n = 0; n < 100_000; n++) visits.add(view({ page: `/news/${n}`, referrer: `host-${n}.example` }));
  visits.add(view({ page: '/news/0' }));
  await vi.advanceTimersByTimeAsync(1000);
  expect(writes[0]?.length).toBe(1501);
  expect(countOf(writes[0] ?? [], 'page', '/news/0')).toBe(2);
  expect(countOf(writes[0] ?? [], 'device', 'phone')).toBe(100_001);
});

test('After a failed write, its counts are written later together with newer counts', async () => {
  let isDown = true;
  const { visits, writes, errors } = writer(async () => {
    if (isDown) throw new Error('down');
  });
  visits.add(view({ page: '/news/a', seconds: 20 }));
  await vi.advanceTimersByTimeAsync(1000);
  expect(errors).toHaveLength(1);
  isDown = false;
  visits.add(view({ page: '/news/a', seconds: 10 }));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(writes).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(writes[1]).toContainEqual({ kind: 'page', name: '/news/a', count: 2, reads: 2, seconds: 30 });
});

test('close() waits for the current write, writes the remaining counts, and then stops', async () => {
  const slow = Promise.withResolvers<void>();
  const { visits, writes } = writer(() => slow.promise);
  visits.add('chat');
  await vi.advanceTimersByTimeAsync(1000);
  visits.add('chat');
  visits.add('chat');
  const closing = visits.close();
  expect(writes).toHaveLength(1);
  slow.resolve();
  await closing;
  expect(writes.map((counts) => countOf(counts, 'chat', ''))).toEqual([1, 2]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(writes).toHaveLength(2);
});
