import { expect, test, vi } from 'vitest';
import { ReadMemo } from './read-memo.ts';

const MINUTE = 60_000;

/** Creates a reader that returns the number of its calls. */
function countingReader() {
  let calls = 0;
  return async () => ({ calls: ++calls });
}

test('Concurrent callers share a read, and the result is read again after a change', async () => {
  const reads = new ReadMemo(MINUTE);
  const read = countingReader();
  const [first, second] = await Promise.all([reads.remember('posts', read), reads.remember('posts', read)]);
  expect(first).toEqual({ calls: 1 });
  expect(second).toBe(first);
  expect(await reads.remember('posts', read)).toBe(first);
  reads.drop();
  expect(await reads.remember('posts', read)).toEqual({ calls: 2 });
});

test('Each key has its own result', async () => {
  const reads = new ReadMemo(MINUTE);
  expect(await reads.remember('posts', async () => 'posts')).toBe('posts');
  expect(await reads.remember('projects', async () => 'projects')).toBe('projects');
});

test('A read that started before a change is not shared with later callers', async () => {
  const reads = new ReadMemo(MINUTE);
  const slow = Promise.withResolvers<string>();
  const before = reads.remember('posts', () => slow.promise);
  reads.drop();
  const after = reads.remember('posts', async () => 'new');
  slow.resolve('old');
  expect(await before).toBe('old');
  expect(await after).toBe('new');
  expect(await reads.remember('posts', async () => 'newer')).toBe('new');
});

test('Failures and expired results are not cached', async () => {
  const reads = new ReadMemo(MINUTE);
  await expect(reads.remember('posts', () => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
  expect(await reads.remember('posts', async () => 'back')).toBe('back');

  const old = new ReadMemo(1);
  const read = countingReader();
  await old.remember('posts', read);
  await vi.waitFor(async () => expect(await old.remember('posts', read)).not.toEqual({ calls: 1 }), {
    interval: 1,
    timeout: 120_000,
  });
});
