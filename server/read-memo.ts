/** Results kept, most of them a few kilobytes. */
const MAX_READS = 1000;

interface Kept {
  storedAt: number;
  result: Promise<unknown>;
}

/**
 * What rendering has read, until content changes: pages share most of what they show, so a page that is not kept still
 * costs no query. Everybody who asks gets the very same value, which nobody may change. Only for reads as a visitor,
 * which rendering never leaves.
 */
export class ReadMemo {
  readonly #maxAge: number;
  #reads = new Map<string, Kept>();

  /** @param maxAge milliseconds after which a result is read again even when nobody said that content changed */
  constructor(maxAge: number) {
    this.#maxAge = maxAge;
  }

  /** The result for the key, from `read` when there is none yet. A failure reaches all who wait, and is not kept. */
  remember<T>(key: string, read: () => Promise<T>): Promise<T> {
    const reads = this.#reads;
    const kept = reads.get(key);
    if (kept && Date.now() - kept.storedAt <= this.#maxAge) return kept.result as Promise<T>;
    const result = read();
    reads.delete(key);
    reads.set(key, { storedAt: Date.now(), result });
    if (reads.size > MAX_READS) reads.delete(reads.keys().next().value ?? '');
    result.catch(() => {
      if (reads.get(key)?.result === result) reads.delete(key);
    });
    return result;
  }

  /** Forgets everything. A read that began before is answered, but given to nobody who asks after. */
  drop(): void {
    this.#reads = new Map();
  }
}
