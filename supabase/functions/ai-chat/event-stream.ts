/**
 * Chat completion streams as OpenAI-compatible servers send them: lines `data: {"choices":[{"delta":{"content":"…"}}]}`,
 * then `data: [DONE]`. The function reads its upstream and writes its answer with this, the chat window reads with it too.
 */
import { createParser } from 'eventsource-parser';

/** Characters of an event; more than this without its end is no event stream. */
const MAX_EVENT = 1_000_000;

/** The stream ended early, was not understood, or carried an error; the message is the server's when it sent one. */
export class ReplyStreamError extends Error {}

/**
 * The pieces of text of a reply. Ends when the reply is complete; leaving the loop early cancels the body.
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
  // Some servers close after the finish reason without saying [DONE].
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

/** The data of each event. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const events: string[] = [];
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ data }) => events.push(data),
    onError(error) {
      // Lines of no known field are to be ignored.
      if (error.type === 'max-buffer-size-exceeded') throw new ReplyStreamError('Failed to get response');
    },
  });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // Some servers leave the empty line after the last event out.
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
      yield* events.splice(0);
      if (done) return;
    }
  } finally {
    // Also when the consumer stops early: the server must not go on for nobody.
    reader.cancel().catch(() => undefined);
  }
}

const encoder = new TextEncoder();

/** One piece of text as an event. */
export function encodePiece(content: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
}

/** The event that tells the reader that the reply will not be completed. */
export function encodeFailure(message: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`data: ${JSON.stringify({ error: { message } })}\n\n`);
}

export function encodeEnd(): Uint8Array<ArrayBuffer> {
  return encoder.encode('data: [DONE]\n\n');
}
