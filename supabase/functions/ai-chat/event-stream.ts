/**
 * Chat completion streams as OpenAI-compatible servers send them: lines `data: {"choices":[{"delta":{"content":"…"}}]}`,
 * then `data: [DONE]`. The function reads its upstream and writes its answer with this, the chat window reads with it too.
 */

/** More than this without a line break is no event stream. */
const MAX_LINE = 1_000_000;

/** The stream ended early, was not understood, or carried an error; the message is the server's when it sent one. */
export class ReplyStreamError extends Error {}

/**
 * The pieces of text of a reply. Ends when the reply is complete; leaving the loop early cancels the body.
 * @throws ReplyStreamError
 */
export async function* readReply(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  let isComplete = false;
  for await (const line of readLines(body)) {
    const data = /^data: ?(.*)$/.exec(line)?.[1]?.trim();
    if (!data) continue;
    if (data === '[DONE]') return;
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

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pending = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      pending += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A carriage return at the very end may be half of CRLF, so it waits for what follows.
      const lines = pending.split(/\r\n|\n|\r(?!$)/);
      pending = lines.pop() ?? '';
      yield* lines;
      if (done) break;
      if (pending.length > MAX_LINE) throw new ReplyStreamError('Failed to get response');
    }
    if (pending) yield pending;
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
