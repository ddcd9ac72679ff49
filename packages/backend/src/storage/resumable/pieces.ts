/** Cuts a stream into pieces, which are stored one by one. */

export interface Pieces {
  /** Reads up to `bytes` bytes. Returns fewer if the stream ends or is aborted. */
  next(bytes: number): AsyncIterable<Uint8Array>;
  /** Returns whether the stream has ended. */
  hasEnded(): boolean;
  /** Discards the rest of the stream. Throws the error of an aborted stream. */
  drain(): Promise<void>;
}

/**
 * Cuts a stream into pieces. If it is aborted, the last piece ends without an error, because the bytes received so far
 * are kept.
 */
export function cutIntoPieces(source: AsyncIterable<Uint8Array>): Pieces {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  let ended = false;
  let fault: { error: unknown } | undefined;

  async function refill(): Promise<void> {
    try {
      const chunk = await chunks.next();
      if (chunk.done) ended = true;
      else rest = chunk.value;
    } catch (error) {
      ended = true;
      fault = { error };
    }
  }

  async function* next(bytes: number) {
    let remaining = bytes;
    while (remaining > 0) {
      if (rest.length === 0) await refill();
      if (ended) return;
      const chunk = rest.subarray(0, remaining);
      rest = rest.subarray(chunk.length);
      remaining -= chunk.length;
      if (chunk.length > 0) yield chunk;
    }
  }

  return {
    next,
    hasEnded: () => ended,
    async drain() {
      while (!ended) await refill();
      if (fault) throw fault.error;
    },
  };
}
