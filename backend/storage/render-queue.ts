/**
 * Who may have renditions made, and how many at a time. Anybody may ask for any size of a public picture, and each takes
 * up to a second of work, so an address has a budget of them, and a long queue is refused.
 */
import pLimit from 'p-limit';
import { addressKey } from '../fairness/networks.ts';
import { ApiError } from '../http/api-error.ts';
import { createRateLimiter } from '../http/rate-limit.ts';

export interface RenderQueue {
  /**
   * Does the work when its turn comes. `address` is the client's, '' when unknown.
   * @throws ApiError SlowDown: 429 when the address has used up its budget, 503 when too many are waiting
   */
  run<T>(address: string, work: () => Promise<T>): Promise<T>;
  /** Works begun and waiting. */
  length(): number;
}

const MADE_AT_ONCE = 2;
const MAX_WAITING = 200;
/** Begun and waiting, of one address: a page of 24 pictures, in two windows that need other sizes. */
const MAX_OF_ADDRESS = 60;
/** Ten such pages that nobody has opened before. */
const MADE_PER_MINUTE = 240;

/** @param limitsAddresses whether an address has a budget; the queue is always bounded */
export function createRenderQueue(limitsAddresses: boolean): RenderQueue {
  const inTurn = pLimit(MADE_AT_ONCE);
  const perMinute = createRateLimiter(limitsAddresses, {
    attempts: MADE_PER_MINUTE,
    seconds: 60,
    refuse: () => tooMany(429, 'You have asked for many sizes of pictures; try again in a minute.'),
  });
  let begunOrWaiting = 0;
  const ofAddress = new Map<string, number>();

  return {
    length: () => begunOrWaiting,
    async run(address, work) {
      if (begunOrWaiting >= MADE_AT_ONCE + MAX_WAITING) {
        throw tooMany(503, 'Too many pictures are being resized; try again in a moment.');
      }
      const key = addressKey(address);
      const count = ofAddress.get(key) ?? 0;
      if (limitsAddresses && address && count >= MAX_OF_ADDRESS) {
        throw tooMany(429, 'Many pictures are being resized for you; try again in a moment.');
      }
      ofAddress.set(key, count + 1);
      begunOrWaiting += 1;
      try {
        if (address) await perMinute.consume(key);
        return await inTurn(work);
      } finally {
        begunOrWaiting -= 1;
        const left = (ofAddress.get(key) ?? 1) - 1;
        if (left > 0) ofAddress.set(key, left);
        else ofAddress.delete(key);
      }
    },
  };
}

const tooMany = (status: number, message: string) => new ApiError(status, 'SlowDown', message);
