import type { Lock, Locker, RequestRelease } from '@tus/server';
import { ApiError } from '../../http/api-error.ts';

/**
 * Time in milliseconds that a request waits for one before it on the same upload. Storing a file may take some seconds.
 */
const PATIENCE_MS = 30_000;

interface Holder {
  requestRelease: RequestRelease;
  freed: PromiseWithResolvers<void>;
}

/**
 * Lets one request at a time work on each upload of this process. A newer one asks the older one to end, whose
 * connection may be long dead. (The library's own locker asks again on every turn of the event loop.) Between
 * processes, the rows decide.
 */
export function createUploadLocker(): Locker {
  const holders = new Map<string, Holder>();
  return { newLock: (id) => newLock(holders, id) };
}

function newLock(holders: Map<string, Holder>, id: string): Lock {
  return {
    async lock(_signal, requestRelease) {
      const patience = rejectAfter(PATIENCE_MS);
      try {
        for (let holder = holders.get(id); holder; holder = holders.get(id)) {
          await holder.requestRelease();
          await Promise.race([holder.freed.promise, patience.promise]);
        }
      } finally {
        patience.stop();
      }
      holders.set(id, { requestRelease, freed: Promise.withResolvers() });
    },

    async unlock() {
      const holder = holders.get(id);
      holders.delete(id);
      holder?.freed.resolve();
    },
  };
}

/** 423 is what clients of the protocol wait and come back for. */
function rejectAfter(milliseconds: number): { promise: Promise<never>; stop: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const message = 'This upload is being used by an earlier request. Please try again in a moment.';
  const timer = setTimeout(() => reject(new ApiError(423, 'Locked', message)), milliseconds);
  return { promise, stop: () => clearTimeout(timer) };
}
