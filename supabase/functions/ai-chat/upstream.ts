/**
 * Requests a reply from an OpenAI-compatible server, with timeouts, one retry before the first token, and cancellation.
 */
import { ReplyStreamError, readReply } from './event-stream.ts';

export interface Upstream {
  /** Base URL of /chat/completions, such as https://api.example.com/v1. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  limits?: UpstreamLimits;
}

/** Timeouts in ms: for the first token of an attempt, between two tokens, and for the whole reply. */
interface UpstreamLimits {
  firstToken: number;
  betweenTokens: number;
  reply: number;
}

const DEFAULT_LIMITS: UpstreamLimits = { firstToken: 20_000, betweenTokens: 30_000, reply: 180_000 };

/** Maximum length of a reply in UTF-16 units. Longer replies are truncated. */
const MAX_REPLY = 12_000;
/**
 * Maximum length that can be stored (check constraint of chat_messages.content). Only a server that does not stream can
 * exceed it.
 */
const MAX_STORED = 16_000;

export interface PromptMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** The upstream did not return a usable reply. `reason` is logged and contains no message text. */
export class UpstreamError extends Error {
  readonly reason: string;
  readonly isRetryable: boolean;

  constructor(reason: string, options: { isRetryable: boolean; cause?: unknown }) {
    super(`The upstream failed: ${reason}`, { cause: options.cause });
    this.reason = reason;
    this.isRetryable = options.isRetryable;
  }
}

/**
 * Resolves with the first piece of the reply and the remaining stream, so that a failure before the first token can
 * still set the status.
 * @param disconnected aborts when the client disconnects
 * @throws UpstreamError
 */
export async function askUpstream(
  upstream: Upstream,
  messages: PromptMessage[],
  disconnected: AbortSignal,
): Promise<{ first: string; rest: AsyncGenerator<string, void, void> }> {
  try {
    return await attempt(upstream, messages, disconnected);
  } catch (error) {
    if (disconnected.aborted || !(error instanceof UpstreamError && error.isRetryable)) throw error;
    return attempt(upstream, messages, disconnected);
  }
}

async function attempt(upstream: Upstream, messages: PromptMessage[], disconnected: AbortSignal) {
  const limits = upstream.limits ?? DEFAULT_LIMITS;
  const timeout = new AbortController();
  const pieces = streamPieces(upstream, messages, limits, AbortSignal.any([disconnected, timeout.signal]), timeout);
  const first = await pieces.next().catch((cause: unknown) => {
    if (cause instanceof UpstreamError) throw cause;
    const reason = timeout.signal.aborted ? 'no first token in time' : reasonOf(cause);
    throw new UpstreamError(reason, { isRetryable: true, cause });
  });
  if (first.done) throw new UpstreamError('empty reply', { isRetryable: true });
  return { first: first.value, rest: pieces };
}

async function* streamPieces(
  { baseUrl, apiKey, model }: Upstream,
  messages: PromptMessage[],
  limits: UpstreamLimits,
  signal: AbortSignal,
  timeout: AbortController,
): AsyncGenerator<string, void, void> {
  const replyTimer = setTimeout(() => timeout.abort(), limits.reply);
  let tokenTimer = setTimeout(() => timeout.abort(), limits.firstToken);
  try {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body: JSON.stringify({ model, messages, stream: true }),
      // A redirect could send the key to another server.
      redirect: 'error',
      signal,
    });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      const isRetryable = response.status >= 500 || response.status === 408;
      throw new UpstreamError(`status ${response.status}`, { isRetryable });
    }
    let length = 0;
    for await (const piece of wholeCharacters(readReply(response.body))) {
      clearTimeout(tokenTimer);
      const text = beginningOf(piece, MAX_STORED - length);
      yield text;
      length += text.length;
      if (length >= MAX_REPLY) return;
      tokenTimer = setTimeout(() => timeout.abort(), limits.betweenTokens);
    }
  } finally {
    clearTimeout(replyTimer);
    clearTimeout(tokenTimer);
  }
}

/** Joins surrogate pairs that are split between two pieces, and removes NUL. The database rejects both. */
async function* wholeCharacters(pieces: AsyncGenerator<string, void, void>): AsyncGenerator<string, void, void> {
  let highSurrogate = '';
  for await (const piece of pieces) {
    const text = highSurrogate + piece;
    highSurrogate = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';
    const completeText = text
      .slice(0, text.length - highSurrogate.length)
      .toWellFormed()
      .replaceAll('\0', '');
    if (completeText) yield completeText;
  }
}

/** Returns at most `length` UTF-16 units without splitting a character. */
function beginningOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * Returns the reason for the log. Node wraps the reason of a failed connection in `cause`. Error messages in the stream
 * are excluded, because they may quote messages.
 */
function reasonOf(error: unknown): string {
  if (error instanceof ReplyStreamError) return 'unusable stream';
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
