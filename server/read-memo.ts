import { LRUCache } from 'lru-cache';

/** Maximum number of cached results. Most have a few kB. */
const MAX_READS = 1000;

/**
 * Caches content reads of renders until content changes. Pages share most of their reads, so an uncached page rarely
 * needs a query. All callers get the same object and must not modify it. Use it only for anonymous reads.
 */
export class ReadMemo {
  readonly #maxAge: number;
  #reads: LRUCache<string, Promise<unknown>>;

  /** @param maxAge milliseconds before a result is read again even without a content change */
  constructor(maxAge: number) {
    this.#maxAge = maxAge;
    this.#reads = noReads(maxAge);
  }

  /** Returns the cached result, or calls `read`. Concurrent callers share one read. Failures are not cached. */
  remember<T>(key: string, read: () => Promise<T>): Promise<T> {
    const reads = this.#reads;
    const cached = reads.get(key);
    if (cached) return cached as Promise<T>;
    const result = read();
    reads.set(key, result);
    result.catch(() => {
      if (reads.peek(key) === result) reads.delete(key);
    });
    return result;
  }

  /** Clears the cache. Running reads complete but are not shared with later callers. */
  drop(): void {
    this.#reads = noReads(this.#maxAge);
  }
}

function noReads(maxAge: number): LRUCache<string, Promise<unknown>> {
  return new LRUCache({ max: MAX_READS, ttl: maxAge });
}
