import { encodeEnd, encodeFailure, encodePiece } from './event-stream.ts';

/** Delay between two pieces of a built-in answer. */
const PIECE_DELAY_MS = 12;

interface ReplyStream {
  /** Aborted when the client disconnects. */
  disconnected: AbortController;
  /** Called with the pieces that were sent, before the stream ends. */
  recordPieces(pieces: string[]): Promise<void>;
  /** Called if the reply fails before its end. */
  onFailure?(): Promise<void>;
}

/** Returns a reply as an event stream. `first` is the first piece if it has already arrived, otherwise ''. */
export function streamReply(
  first: string,
  rest: AsyncGenerator<string, void, void>,
  { disconnected, recordPieces, onFailure }: ReplyStream,
): Response {
  const sent: string[] = [];
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, piece: string) => {
    sent.push(piece);
    controller.enqueue(encodePiece(piece));
  };
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      if (first) send(controller, first);
    },
    async pull(controller) {
      try {
        const { done, value } = await rest.next();
        if (!done) return send(controller, value);
        await recordPieces(sent);
        controller.enqueue(encodeEnd());
      } catch {
        if (disconnected.signal.aborted) return;
        await onFailure?.();
        controller.enqueue(encodeFailure('The reply was interrupted. Please try again.'));
      }
      controller.close();
    },
    async cancel() {
      disconnected.abort();
      await recordPieces(sent);
      await rest.return();
    },
  });
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // Otherwise nginx buffers the stream.
      'x-accel-buffering': 'no',
    },
  });
}

/** Yields a text in pieces of a few words, with short delays. */
export async function* writeOut(text: string): AsyncGenerator<string, void, void> {
  for (const piece of text.match(/(?:\S+\s*){1,3}/g) ?? []) {
    yield piece;
    await new Promise((resolve) => setTimeout(resolve, PIECE_DELAY_MS));
  }
}
