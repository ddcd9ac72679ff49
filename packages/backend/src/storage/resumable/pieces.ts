/** Splits a stream into pieces, which are stored one by one. */

export interface Pieces {
  /** Reads up to `bytes` bytes. Returns fewer if the stream ends or is aborted. */
  next(bytes: number): AsyncIterable<Uint8Array>;
  /** Returns whether the stream has ended. */
  hasEnded(): boolean;
  /** Discards the rest of the stream. Throws the error of an aborted stream. */
  drain(): Promise<void>;
}

/**
 * Splits a stream into pieces. If it is aborted, the last piece ends without an error, because the bytes received so
 * far are kept.
 */
export function splitIntoPieces(source: AsyncIterable<Uint8Array>): Pieces {
  const chunks = source[Symbol.asyncIterator]();
  let remainder: Uint8Array = new Uint8Array();
  let hasEnded = false;
  let fault: { error: unknown } | undefined;

  async function refill(): Promise<void> {
    try {
      const chunk = await chunks.next();
      if (chunk.done) hasEnded = true;
      else remainder = chunk.value;
    } catch (error) {
      hasEnded = true;
      fault = { error };
    }
  }

  async function* next(bytes: number) {
    let remaining = bytes;
    while (remaining > 0) {
      if (remainder.length === 0) await refill();
      if (hasEnded) return;
      const chunk = remainder.subarray(0, remaining);
      remainder = remainder.subarray(chunk.length);
      remaining -= chunk.length;
      if (chunk.length > 0) yield chunk;
    }
  }

  return {
    next,
    hasEnded: () => hasEnded,
    async drain() {
      while (!hasEnded) await refill();
      if (fault) throw fault.error;
    },
  };
}
