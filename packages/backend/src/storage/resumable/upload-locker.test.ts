import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUploadLocker } from './upload-locker.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const never = new AbortController().signal;

test('A newer request ends the older one of its upload, waits for it, and leaves other uploads running', async () => {
  const locker = createUploadLocker();
  const [first, second, other] = [locker.newLock('a'), locker.newLock('a'), locker.newLock('b')];
  const askedToEnd = vi.fn();
  await first.lock(never, askedToEnd);
  await other.lock(never, () => undefined);
  const isLocked = vi.fn();
  const waiting = second.lock(never, () => undefined).then(isLocked);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(askedToEnd).toHaveBeenCalledOnce();
  expect(isLocked).not.toHaveBeenCalled();
  await first.unlock();
  await waiting;
  expect(isLocked).toHaveBeenCalledOnce();
});

test('The lock is passed to one waiting request at a time', async () => {
  const locker = createUploadLocker();
  const locks = Array.from({ length: 4 }, () => locker.newLock('a'));
  let holders = 0;
  await Promise.all(
    locks.map(async (lock) => {
      await lock.lock(never, () => undefined);
      holders += 1;
      expect(holders).toBe(1);
      await vi.advanceTimersByTimeAsync(10);
      holders -= 1;
      await lock.unlock();
    }),
  );
  expect(holders).toBe(0);
});

test('A request that has waited for half a minute is rejected with a retry, and the holder keeps the lock', async () => {
  const locker = createUploadLocker();
  const [first, second, third] = [locker.newLock('a'), locker.newLock('a'), locker.newLock('a')];
  await first.lock(never, () => undefined);
  const refused = expect(second.lock(never, () => undefined)).rejects.toMatchObject({ status: 423, code: 'Locked' });
  await vi.advanceTimersByTimeAsync(30_000);
  await refused;
  await first.unlock();
  await expect(third.lock(never, () => undefined)).resolves.toBeUndefined();
});
