import type { Lock, Locker, RequestRelease } from '@tus/server';
import { ApiError } from '../../http/api-error.ts';

/**
 * Maximum time in milliseconds that a request waits for an earlier request for the same upload. Storing a file can take
 * seconds.
 */
const MAX_WAIT_MS = 30_000;

interface Holder {
  requestRelease: RequestRelease;
  released: PromiseWithResolvers<void>;
}

/**
 * Allows one request at a time per upload within this process. A newer request ends the older one, whose connection may
 * be dead. (The library's locker retries on every turn of the event loop.) Across processes, the conditional updates in
 * upload-rows.ts prevent conflicting writes.
 */
export function createUploadLocker(): Locker {
  const holders = new Map<string, Holder>();
  return { newLock: (id) => newLock(holders, id) };
}

function newLock(holders: Map<string, Holder>, id: string): Lock {
  return {
    async lock(_signal, requestRelease) {
      const timeout = rejectAfter(MAX_WAIT_MS);
      try {
        for (let holder = holders.get(id); holder; holder = holders.get(id)) {
          await holder.requestRelease();
          await Promise.race([holder.released.promise, timeout.promise]);
        }
      } finally {
        timeout.stop();
      }
      holders.set(id, { requestRelease, released: Promise.withResolvers() });
    },

    async unlock() {
      const holder = holders.get(id);
      holders.delete(id);
      holder?.released.resolve();
    },
  };
}

/** Rejects with status 423. TUS clients then retry. */
function rejectAfter(milliseconds: number): { promise: Promise<never>; stop: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const message = 'This upload is being used by an earlier request. Please try again in a moment.';
  const timer = setTimeout(() => reject(new ApiError(423, 'Locked', message)), milliseconds);
  return { promise, stop: () => clearTimeout(timer) };
}
