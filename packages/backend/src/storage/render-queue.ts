/**
 * Queue for renditions. Each rendition takes up to a second, so networks take turns, each network has a budget, and
 * requests are rejected if the queue is long.
 */
import { createAddressLimit } from '../limits/address-limit.ts';
import { FairQueue } from '../limits/fair-queue.ts';
import { networkPath } from '../limits/networks.ts';
import { slowDown } from './storage-error.ts';

export interface RenderQueue {
  /**
   * Queues `work` for `address`, the network address of the client ('' if unknown).
   * @param signal aborts when the client disconnects. Work that has not started is then skipped
   * @throws ApiError SlowDown: 503 if too many are queued
   */
  run<T>(address: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Counts a rendition. @throws ApiError SlowDown: 429 if the address has used up its budget */
  count(address: string): void;
  /** Running and queued tasks. */
  length(): number;
}

const CONCURRENT_RENDITIONS = 2;
const MAX_WAITING = 200;
/** Maximum wait. Within this time, a slow machine renders a page of 24 pictures in two windows of different sizes. */
const MAX_WAIT_MS = 30_000;
/** Maximum number of renditions per minute for an address. It is enough for ten such pages that are not cached. */
const MAX_PER_MINUTE = 240;

/** @param limitsAddresses whether each network has a budget. The length of the queue is always limited */
export function createRenderQueue(limitsAddresses: boolean): RenderQueue {
  const queue = new FairQueue({
    maxConcurrent: CONCURRENT_RENDITIONS,
    maxQueued: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    createError: () => slowDown(503, 'Too many pictures are being resized. Please try again in a moment.'),
  });
  const secondsToWait = limitsAddresses ? createAddressLimit({ attempts: MAX_PER_MINUTE, seconds: 60 }) : () => 0;
  return {
    length: () => queue.running + queue.waiting,
    run: (address, work, signal) => queue.run(networkPath(address), work, { signal }),
    count(address) {
      if (address === '' || secondsToWait(address) === 0) return;
      throw slowDown(429, 'Too many picture sizes requested. Please try again in a minute.');
    },
  };
}
