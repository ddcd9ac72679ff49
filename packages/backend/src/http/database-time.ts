/**
 * A budget of database time for each network address and each account: a token bucket of milliseconds that fills
 * slowly. Repeating an expensive request thus does not help, from any number of networks. Counted in the memory of this
 * process. Reasons for the limits: docs/decisions/table-api.md.
 */
import { networkPath } from '../limits/networks.ts';

interface Allowance {
  /** Size of a full bucket, in milliseconds of database time. */
  burstMs: number;
  refillMsPerSecond: number;
  /** Timeouts within a minute that block the bucket for a minute. */
  strikes: number;
  /** Concurrent requests. Others of the same address are queued. */
  atOnce: number;
}

/**
 * Allowances: for an account, an IPv4 address or an IPv6 /64, and for a whole /24 or /48. Such a network contains 256
 * addresses or 65,536 /64s, but may belong to one customer.
 */
const OF_ADDRESS: Allowance = { burstMs: 10_000, refillMsPerSecond: 250, strikes: 2, atOnce: 2 };
const OF_NETWORK: Allowance = { burstMs: 20_000, refillMsPerSecond: 500, strikes: 4, atOnce: 4 };

const MINUTE_MS = 60_000;

/** Maximum queue length of a bucket. */
const MAX_WAITING = 200;

/** Maximum number of buckets. The least recently used ones are deleted. About 300 bytes each. */
const MAX_BUCKETS = 20_000;

interface Bucket {
  allowance: Allowance;
  leftMs: number;
  refilledAt: number;
  strikesAt: number[];
  closedUntil: number;
  running: number;
  waiting: (() => void)[];
}

export interface Client {
  address: string;
  /** Null for visitors. */
  account: string | null;
}

export interface DatabaseTime {
  /** Throws the error of `refuse` if the client has no time left. */
  require(client: Client): void;
  /** Runs database work for the client when its turn comes. @throws the error of `refuse`, errors of `work` */
  run<T>(client: Client, work: (spend: (milliseconds: number) => void) => Promise<T>): Promise<T>;
  /** Records that a statement of the client timed out. Called by the work, so that it counts at once. */
  strike(client: Client): void;
}

/** @param refuse creates the error for a client that must wait that many seconds */
export function limitDatabaseTime(
  refuse: (retryAfterSeconds: number) => Error,
  now: () => number = () => performance.now(),
): DatabaseTime {
  const buckets = new Map<string, Bucket>();

  function bucketOf(key: string, allowance: Allowance): Bucket {
    const bucket = buckets.get(key) ?? fullBucket(allowance, now());
    // A Map keeps insertion order, so move used entries to the end.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > MAX_BUCKETS) forgetOldest(buckets);
    return bucket;
  }

  /** Narrowest first, because it has the smallest allowance. */
  function bucketsOf({ address, account }: Client): Bucket[] {
    const ofNetworks = networkPath(address)
      .toReversed()
      .map((key, index) => bucketOf(key, index === 0 ? OF_ADDRESS : OF_NETWORK));
    return account === null ? ofNetworks : [bucketOf(`account ${account}`, OF_ADDRESS), ...ofNetworks];
  }

  function requireOpen(bucket: Bucket): void {
    refill(bucket, now());
    const waitMs = Math.max(bucket.closedUntil - now(), msUntilPositive(bucket));
    if (waitMs > 0) throw refuse(Math.max(1, Math.ceil(waitMs / 1000)));
  }

  const turns = limitTurns({ requireOpen, refuse, now });

  return {
    require(client) {
      for (const bucket of bucketsOf(client)) requireOpen(bucket);
    },
    run(client, work) {
      const paying = bucketsOf(client);
      const spend = (milliseconds: number) => {
        for (const bucket of paying) {
          refill(bucket, now());
          bucket.leftMs -= milliseconds;
        }
      };
      return turns.runWithin(paying, () => work(spend));
    },
    strike(client) {
      for (const bucket of bucketsOf(client)) {
        const recent = [...bucket.strikesAt.filter((at) => at > now() - MINUTE_MS), now()];
        const isOut = recent.length >= bucket.allowance.strikes;
        if (isOut) bucket.closedUntil = now() + MINUTE_MS;
        bucket.strikesAt = isOut ? [] : recent;
      }
    },
  };
}

interface TurnParts {
  /** Throws the error of `refuse` if the bucket is blocked or empty. */
  requireOpen: (bucket: Bucket) => void;
  refuse: (retryAfterSeconds: number) => Error;
  now: () => number;
}

/** Limits the concurrent requests of a bucket, and queues the others in order. */
function limitTurns({ requireOpen, refuse, now }: TurnParts) {
  async function takeTurn(bucket: Bucket): Promise<void> {
    requireOpen(bucket);
    if (bucket.running < turns(bucket)) {
      bucket.running += 1;
      return;
    }
    if (bucket.waiting.length >= MAX_WAITING) throw refuse(1);
    await new Promise<void>((resolve) => bucket.waiting.push(resolve));
    try {
      requireOpen(bucket);
    } catch (error) {
      endTurn(bucket);
      throw error;
    }
  }

  /** After a timeout, only one request runs at a time. */
  function turns({ strikesAt, allowance }: Bucket): number {
    return strikesAt.some((at) => at > now() - MINUTE_MS) ? 1 : allowance.atOnce;
  }

  /** Starts the request that has waited longest. */
  function endTurn(bucket: Bucket): void {
    bucket.running -= 1;
    const next = bucket.running < turns(bucket) ? bucket.waiting.shift() : undefined;
    if (!next) return;
    bucket.running += 1;
    next();
  }

  async function runWithin<T>(paying: readonly Bucket[], work: () => Promise<T>): Promise<T> {
    const [bucket, ...others] = paying;
    if (!bucket) return work();
    await takeTurn(bucket);
    try {
      return await runWithin(others, work);
    } finally {
      endTurn(bucket);
    }
  }

  return { runWithin };
}

function fullBucket(allowance: Allowance, now: number): Bucket {
  const { burstMs: leftMs } = allowance;
  return { allowance, leftMs, refilledAt: now, strikesAt: [], closedUntil: 0, running: 0, waiting: [] };
}

function refill(bucket: Bucket, now: number): void {
  const { burstMs, refillMsPerSecond } = bucket.allowance;
  const gained = ((now - bucket.refilledAt) / 1000) * refillMsPerSecond;
  bucket.leftMs = Math.min(burstMs, bucket.leftMs + gained);
  bucket.refilledAt = now;
}

function msUntilPositive({ leftMs, allowance }: Bucket): number {
  return leftMs > 0 ? 0 : ((1 - leftMs) / allowance.refillMsPerSecond) * 1000;
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const oldest = buckets.keys().next().value;
  if (oldest !== undefined) buckets.delete(oldest);
}
