import { LRUCache } from 'lru-cache';

/** Results kept, most of them a few kilobytes. */
const MAX_READS = 1000;

/**
 * Memory of the reads of rendering, until content changes: pages share most of what they show, so a page that is not
 * kept still costs no query. Everybody who asks gets the very same value, which nobody may change. Only for reads as a
 * visitor, which rendering never leaves.
 */
export class ReadMemo {
  readonly #maxAge: number;
  #reads: LRUCache<string, Promise<unknown>>;

  /** @param maxAge milliseconds after which a result is read again even when nobody said that content changed */
  constructor(maxAge: number) {
    this.#maxAge = maxAge;
    this.#reads = noReads(maxAge);
  }

  /** The result for the key, from `read` when there is none yet. A failure reaches all who wait, and is not kept. */
  remember<T>(key: string, read: () => Promise<T>): Promise<T> {
    const reads = this.#reads;
    const kept = reads.get(key);
    if (kept) return kept as Promise<T>;
    const result = read();
    reads.set(key, result);
    result.catch(() => {
      if (reads.peek(key) === result) reads.delete(key);
    });
    return result;
  }

  /** Forgets everything. A read that began before is answered, but given to nobody who asks after. */
  drop(): void {
    this.#reads = noReads(this.#maxAge);
  }
}

function noReads(maxAge: number): LRUCache<string, Promise<unknown>> {
  return new LRUCache({ max: MAX_READS, ttl: maxAge });
}
