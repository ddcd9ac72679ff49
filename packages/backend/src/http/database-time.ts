/**
 * A budget of database time for each network address and each account: a token bucket of milliseconds that fills
 * slowly, so that a client cannot occupy the database by repeating an expensive request. Budgets are counted in the
 * memory of this process. Reasons for the limits: docs/decisions/table-api.md.
 */
import { networkPath } from '../limits/networks.ts';

interface Allowance {
  /** Size of a full bucket, in milliseconds of database time. */
  burstMs: number;
  refillMsPerSecond: number;
  /** Number of timeouts within a minute that block the bucket for a minute. */
  maxTimeouts: number;
  /** Maximum number of concurrent requests. Further requests are queued. */
  maxConcurrent: number;
}

/** Allowance of an account, an IPv4 address or an IPv6 /64. */
const ADDRESS_ALLOWANCE: Allowance = { burstMs: 10_000, refillMsPerSecond: 250, maxTimeouts: 2, maxConcurrent: 2 };
/**
 * Allowance of a whole /24 or /48. Such a network contains 256 addresses or 65,536 /64s, but may belong to a single
 * customer.
 */
const NETWORK_ALLOWANCE: Allowance = { burstMs: 20_000, refillMsPerSecond: 500, maxTimeouts: 4, maxConcurrent: 4 };

const MINUTE_MS = 60_000;

/** Maximum queue length of a bucket. */
const MAX_QUEUED = 200;

/** Maximum number of buckets (about 300 bytes each). The least recently used one is evicted. */
const MAX_BUCKETS = 20_000;

interface Bucket {
  allowance: Allowance;
  remainingMs: number;
  refilledAt: number;
  timeoutTimes: number[];
  blockedUntil: number;
  running: number;
  queue: (() => void)[];
}

export interface Client {
  address: string;
  /** Null for visitors. */
  account: string | null;
}

export interface DatabaseTime {
  /** Throws the error from `createError` if the client has no time left. */
  requireTime(client: Client): void;
  /** Queues database work for the client and runs it in turn. @throws the error from `createError`, errors of `work` */
  run<T>(client: Client, work: (spend: (milliseconds: number) => void) => Promise<T>): Promise<T>;
  /**
   * Records that a statement of the client timed out. `work` calls this itself, so that the timeout counts before `run`
   * resolves.
   */
  recordTimeout(client: Client): void;
}

/** @param createError creates the error for a client that must wait `retryAfterSeconds` */
export function limitDatabaseTime(
  createError: (retryAfterSeconds: number) => Error,
  now: () => number = () => performance.now(),
): DatabaseTime {
  const buckets = new Map<string, Bucket>();

  function getBucket(key: string, allowance: Allowance): Bucket {
    const bucket = buckets.get(key) ?? createFullBucket(allowance, now());
    // A Map keeps insertion order, so move used entries to the end.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > MAX_BUCKETS) evictOldest(buckets);
    return bucket;
  }

  /** Returns the buckets of a client. The narrowest is first, because it has the smallest allowance. */
  function listBuckets({ address, account }: Client): Bucket[] {
    const networkBuckets = networkPath(address)
      .toReversed()
      .map((key, index) => getBucket(key, index === 0 ? ADDRESS_ALLOWANCE : NETWORK_ALLOWANCE));
    return account === null ? networkBuckets : [getBucket(`account ${account}`, ADDRESS_ALLOWANCE), ...networkBuckets];
  }

  function throwIfExhausted(bucket: Bucket): void {
    refill(bucket, now());
    const waitMs = Math.max(bucket.blockedUntil - now(), msUntilPositive(bucket));
    if (waitMs > 0) throw createError(Math.max(1, Math.ceil(waitMs / 1000)));
  }

  const slots = limitConcurrency({ throwIfExhausted, createError, now });

  return {
    requireTime(client) {
      for (const bucket of listBuckets(client)) throwIfExhausted(bucket);
    },
    run(client, work) {
      const clientBuckets = listBuckets(client);
      const spend = (milliseconds: number) => {
        for (const bucket of clientBuckets) {
          refill(bucket, now());
          bucket.remainingMs -= milliseconds;
        }
      };
      return slots.runWithin(clientBuckets, () => work(spend));
    },
    recordTimeout(client) {
      for (const bucket of listBuckets(client)) {
        const recent = [...bucket.timeoutTimes.filter((time) => time > now() - MINUTE_MS), now()];
        const isBlocked = recent.length >= bucket.allowance.maxTimeouts;
        if (isBlocked) bucket.blockedUntil = now() + MINUTE_MS;
        bucket.timeoutTimes = isBlocked ? [] : recent;
      }
    },
  };
}

interface SlotLimitOptions {
  /** Throws the error from `createError` if the bucket is blocked or empty. */
  throwIfExhausted: (bucket: Bucket) => void;
  createError: (retryAfterSeconds: number) => Error;
  now: () => number;
}

/** Limits the concurrent requests of a bucket, and queues the others in order. */
function limitConcurrency({ throwIfExhausted, createError, now }: SlotLimitOptions) {
  async function acquireSlot(bucket: Bucket): Promise<void> {
    throwIfExhausted(bucket);
    if (bucket.running < maxRunning(bucket)) {
      bucket.running += 1;
      return;
    }
    if (bucket.queue.length >= MAX_QUEUED) throw createError(1);
    await new Promise<void>((resolve) => bucket.queue.push(resolve));
    try {
      throwIfExhausted(bucket);
    } catch (error) {
      releaseSlot(bucket);
      throw error;
    }
  }

  /** After a timeout, only one request runs at a time. */
  function maxRunning({ timeoutTimes, allowance }: Bucket): number {
    return timeoutTimes.some((time) => time > now() - MINUTE_MS) ? 1 : allowance.maxConcurrent;
  }

  /** Starts the request that has waited longest. */
  function releaseSlot(bucket: Bucket): void {
    bucket.running -= 1;
    const start = bucket.running < maxRunning(bucket) ? bucket.queue.shift() : undefined;
    if (!start) return;
    bucket.running += 1;
    start();
  }

  async function runWithin<T>(buckets: readonly Bucket[], work: () => Promise<T>): Promise<T> {
    const [bucket, ...otherBuckets] = buckets;
    if (!bucket) return work();
    await acquireSlot(bucket);
    try {
      return await runWithin(otherBuckets, work);
    } finally {
      releaseSlot(bucket);
    }
  }

  return { runWithin };
}

function createFullBucket(allowance: Allowance, now: number): Bucket {
  const { burstMs: remainingMs } = allowance;
  return { allowance, remainingMs, refilledAt: now, timeoutTimes: [], blockedUntil: 0, running: 0, queue: [] };
}

function refill(bucket: Bucket, now: number): void {
  const { burstMs, refillMsPerSecond } = bucket.allowance;
  const refilledMs = ((now - bucket.refilledAt) / 1000) * refillMsPerSecond;
  bucket.remainingMs = Math.min(burstMs, bucket.remainingMs + refilledMs);
  bucket.refilledAt = now;
}

function msUntilPositive({ remainingMs, allowance }: Bucket): number {
  return remainingMs > 0 ? 0 : ((1 - remainingMs) / allowance.refillMsPerSecond) * 1000;
}

function evictOldest(buckets: Map<string, Bucket>): void {
  const oldest = buckets.keys().next().value;
  if (oldest !== undefined) buckets.delete(oldest);
}
