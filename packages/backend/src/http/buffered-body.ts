/** Reads request bodies within the memory budget (limits/memory-budget.ts). */
import { type MemoryBudget, type MemoryReservation, UNLIMITED } from '../limits/memory-budget.ts';
import { ApiError } from './api-error.ts';

/** A body that is being read, or whose request is queued. */
export interface BufferedBody {
  /**
   * Yields the chunks of the body. @throws the error from `createError` if memory is short, ApiError if the body is
   * aborted
   */
  chunks(createError: () => Error): AsyncGenerator<Uint8Array>;
  /** Releases the memory. Call it when the request is finished. */
  release(): void;
}

/** @param address address of the client. '' for the service role, whose bodies are not counted */
export function bufferBody(request: Request, address: string, bytes: MemoryBudget): BufferedBody {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const reservation: MemoryReservation =
    address === '' ? UNLIMITED : bytes.reserve('body', address, () => void reader?.cancel().catch(() => undefined));
  return {
    async *chunks(createError) {
      reader = request.body?.getReader();
      try {
        for (;;) {
          const { done, value } = (await reader?.read().catch(rejectAborted)) ?? { done: true };
          // Also false if the body was ended because it stalled.
          if (!reservation.add(value?.byteLength ?? 0)) throw createError();
          if (done || !value) break;
          yield value;
        }
        reservation.markComplete();
      } finally {
        // An early return cancels the stream, so that the rest is not read.
        await reader?.cancel().catch(() => undefined);
      }
    },
    release: reservation.release,
  };
}

/** Throws a client error, because the client has disconnected. */
function rejectAborted(cause: unknown): never {
  throw new ApiError(400, 'body_interrupted', 'The request was aborted before its end', { cause });
}

/**
 * Returns the same request with a body that is read within the budget. @param createError creates the error if memory
 * is short
 */
export function withBufferedBody(request: Request, body: BufferedBody, createError: () => Error): Request {
  if (!request.body) return request;
  const chunks = body.chunks(createError);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
  // Node requires `duplex` for a stream body, but the DOM types do not have it.
  const init = { body: stream, duplex: 'half' };
  return new Request(request, init);
}
