/**
 * Chat completion streams in the format of OpenAI-compatible servers: lines `data:
 * {"choices":[{"delta":{"content":"…"}}]}`, then `data: [DONE]`. The function uses this to read the language model and
 * to write its own response. The chat window uses it to read that response.
 */
import { createParser } from 'eventsource-parser';

/** Maximum characters of an event. A longer one is not an event stream. */
const MAX_EVENT = 1_000_000;

/** The stream ended early, was malformed or contained an error. The message is the server's, if it sent one. */
export class ReplyStreamError extends Error {}

/**
 * Yields the text of a reply in pieces until it is complete. Leaving the loop early cancels the body.
 * @throws ReplyStreamError
 */
export async function* readReply(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  let isComplete = false;
  for await (const data of readEvents(body)) {
    if (data.trim() === '') continue;
    if (data.trim() === '[DONE]') return;
    const { content, isLast } = parseChunk(data);
    if (content) yield content;
    isComplete ||= isLast;
  }
  // Some servers close the stream after the finish reason without sending [DONE].
  if (!isComplete) throw new ReplyStreamError('Failed to get response');
}

function parseChunk(data: string): { content: string; isLast: boolean } {
  let chunk: CompletionChunk | null;
  try {
    chunk = JSON.parse(data);
  } catch (cause) {
    throw new ReplyStreamError('Failed to get response', { cause });
  }
  if (chunk?.error) {
    const message = typeof chunk.error === 'string' ? chunk.error : chunk.error.message;
    throw new ReplyStreamError(message || 'Failed to get response');
  }
  const choice = chunk?.choices?.[0];
  const content = choice?.delta?.content;
  return { content: typeof content === 'string' ? content : '', isLast: Boolean(choice?.finish_reason) };
}

interface CompletionChunk {
  choices?: { delta?: { content?: unknown }; finish_reason?: string | null }[];
  error?: string | { message?: string };
}

/** Yields the data of each event. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const events: string[] = [];
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ data }) => events.push(data),
    onError(error) {
      // The specification says to ignore lines with unknown fields.
      if (error.type === 'max-buffer-size-exceeded') throw new ReplyStreamError('Failed to get response');
    },
  });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // Some servers omit the empty line after the last event.
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
      yield* events.splice(0);
      if (done) return;
    }
  } finally {
    // Also runs when the consumer stops early, so that the server stops generating.
    reader.cancel().catch(() => undefined);
  }
}

const encoder = new TextEncoder();

/** Encodes a piece of text as an event. */
export function encodePiece(content: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
}

/** Encodes the event that reports an incomplete reply. */
export function encodeFailure(message: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`data: ${JSON.stringify({ error: { message } })}\n\n`);
}

export function encodeEnd(): Uint8Array<ArrayBuffer> {
  return encoder.encode('data: [DONE]\n\n');
}
