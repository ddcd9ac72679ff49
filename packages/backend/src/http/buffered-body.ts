/**
 * Reads the bodies of requests into memory within the bound of what strangers may have there (limits/memory-budget.ts).
 */
import { type MemoryBudget, type MemoryReservation, UNLIMITED } from '../limits/memory-budget.ts';
import { ApiError } from './api-error.ts';

/** A body that is being read or waits with its request. */
export interface BufferedBody {
  /**
   * The parts of the body as they come. @throws what `refuse` makes when there is no room, ApiError when it breaks off
   */
  chunks(refuse: () => Error): AsyncGenerator<Uint8Array>;
  /** Call it when the request has ended. */
  release(): void;
}

/** @param address of the client; '' for the service, whose bodies are not counted */
export function bufferBody(request: Request, address: string, bytes: MemoryBudget): BufferedBody {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const held: MemoryReservation =
    address === '' ? UNLIMITED : bytes.reserve('body', address, () => void reader?.cancel().catch(() => undefined));
  return {
    async *chunks(refuse) {
      reader = request.body?.getReader();
      try {
        for (;;) {
          const { done, value } = (await reader?.read().catch(brokenOff)) ?? { done: true };
          // Also for a body that was ended while nothing came.
          if (!held.add(value?.byteLength ?? 0)) throw refuse();
          if (done || !value) break;
          yield value;
        }
        held.arrived();
      } finally {
        // Leaving early cancels the stream, so that nothing more of it is read.
        await reader?.cancel().catch(() => undefined);
      }
    },
    release: held.release,
  };
}

/** The client has disconnected, so this is not an error of the server. */
function brokenOff(cause: unknown): never {
  throw new ApiError(400, 'body_interrupted', 'The request was aborted before its end', { cause });
}

/**
 * Returns the same request with a body that is read within that bound. @param refuse makes the error that reading it
 * then throws
 */
export function withBufferedBody(request: Request, body: BufferedBody, refuse: () => Error): Request {
  if (!request.body) return request;
  const chunks = body.chunks(refuse);
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
  // Node wants `duplex` for a body that is a stream; the DOM's types do not know it.
  const streamed = { body: stream, duplex: 'half' };
  return new Request(request, streamed);
}
