import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUploadLocker } from './upload-locker.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const signal = new AbortController().signal;

test('A newer request ends an older request for the same upload, waits for it, and does not affect other uploads', async () => {
  const locker = createUploadLocker();
  const [first, second, unrelated] = [locker.newLock('a'), locker.newLock('a'), locker.newLock('b')];
  const requestRelease = vi.fn();
  await first.lock(signal, requestRelease);
  await unrelated.lock(signal, () => undefined);
  const isLocked = vi.fn();
  const secondLock = second.lock(signal, () => undefined).then(isLocked);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requestRelease).toHaveBeenCalledOnce();
  expect(isLocked).not.toHaveBeenCalled();
  await first.unlock();
  await secondLock;
  expect(isLocked).toHaveBeenCalledOnce();
});

test('The lock is passed to one waiting request at a time', async () => {
  const locker = createUploadLocker();
  const locks = Array.from({ length: 4 }, () => locker.newLock('a'));
  let holders = 0;
  await Promise.all(
    locks.map(async (lock) => {
      await lock.lock(signal, () => undefined);
      holders += 1;
      expect(holders).toBe(1);
      await vi.advanceTimersByTimeAsync(10);
      holders -= 1;
      await lock.unlock();
    }),
  );
  expect(holders).toBe(0);
});

test('A request is rejected with status 423 after waiting for 30 seconds, and the holder keeps the lock', async () => {
  const locker = createUploadLocker();
  const [first, second, third] = [locker.newLock('a'), locker.newLock('a'), locker.newLock('a')];
  await first.lock(signal, () => undefined);
  const rejection = expect(second.lock(signal, () => undefined)).rejects.toMatchObject({ status: 423, code: 'Locked' });
  await vi.advanceTimersByTimeAsync(30_000);
  await rejection;
  await first.unlock();
  await expect(third.lock(signal, () => undefined)).resolves.toBeUndefined();
});
