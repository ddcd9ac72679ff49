/** Asks an OpenAI-compatible server for a reply: with time limits, one retry before the first token, and cancellation. */
import { ReplyStreamError, readReply } from './event-stream.ts';

export interface Upstream {
  /** Base of /chat/completions, such as https://api.example.com/v1. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  limits?: UpstreamLimits;
}

/** Milliseconds: until the first token of an attempt, between two tokens, and for a whole reply. */
interface UpstreamLimits {
  firstToken: number;
  betweenTokens: number;
  reply: number;
}

const DEFAULT_LIMITS: UpstreamLimits = { firstToken: 20_000, betweenTokens: 30_000, reply: 180_000 };

/** A reply ends with the piece that reaches this length, in UTF-16 units. */
const MAX_REPLY = 12_000;
/**
 * Longest text that can be stored (see the check of chat_messages.content). Only a server that does not stream gets
 * this far.
 */
const MAX_STORED = 16_000;

export interface PromptMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** The upstream gave no usable answer. `reason` is for the log and never holds message text. */
export class UpstreamError extends Error {
  readonly reason: string;
  readonly isWorthRetrying: boolean;

  constructor(reason: string, options: { isWorthRetrying: boolean; cause?: unknown }) {
    super(`The upstream failed: ${reason}`, { cause: options.cause });
    this.reason = reason;
    this.isWorthRetrying = options.isWorthRetrying;
  }
}

/**
 * Resolves with the first piece of the reply and the rest, so that a failure before the first token can still be
 * answered with a status. `left` aborts when the visitor is gone.
 * @throws UpstreamError
 */
export async function askUpstream(
  upstream: Upstream,
  messages: PromptMessage[],
  left: AbortSignal,
): Promise<{ first: string; rest: AsyncGenerator<string, void, void> }> {
  try {
    return await attempt(upstream, messages, left);
  } catch (error) {
    if (left.aborted || !(error instanceof UpstreamError && error.isWorthRetrying)) throw error;
    return attempt(upstream, messages, left);
  }
}

async function attempt(upstream: Upstream, messages: PromptMessage[], left: AbortSignal) {
  const limits = upstream.limits ?? DEFAULT_LIMITS;
  const tooSlow = new AbortController();
  const pieces = streamPieces(upstream, messages, limits, AbortSignal.any([left, tooSlow.signal]), tooSlow);
  const first = await pieces.next().catch((cause: unknown) => {
    if (cause instanceof UpstreamError) throw cause;
    const reason = tooSlow.signal.aborted ? 'no first token in time' : reasonOf(cause);
    throw new UpstreamError(reason, { isWorthRetrying: true, cause });
  });
  if (first.done) throw new UpstreamError('empty reply', { isWorthRetrying: true });
  return { first: first.value, rest: pieces };
}

async function* streamPieces(
  { baseUrl, apiKey, model }: Upstream,
  messages: PromptMessage[],
  limits: UpstreamLimits,
  signal: AbortSignal,
  tooSlow: AbortController,
): AsyncGenerator<string, void, void> {
  const whole = setTimeout(() => tooSlow.abort(), limits.reply);
  let pause = setTimeout(() => tooSlow.abort(), limits.firstToken);
  try {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body: JSON.stringify({ model, messages, stream: true }),
      // A redirect would carry the key elsewhere.
      redirect: 'error',
      signal,
    });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      const isWorthRetrying = response.status >= 500 || response.status === 408;
      throw new UpstreamError(`status ${response.status}`, { isWorthRetrying });
    }
    let length = 0;
    for await (const piece of wholeCharacters(readReply(response.body))) {
      clearTimeout(pause);
      const text = beginningOf(piece, MAX_STORED - length);
      yield text;
      length += text.length;
      if (length >= MAX_REPLY) return;
      pause = setTimeout(() => tooSlow.abort(), limits.betweenTokens);
    }
  } finally {
    clearTimeout(whole);
    clearTimeout(pause);
  }
}

/**
 * Pieces that do not end within a character: models write a character outside the basic plane in two pieces at times, and
 * a reply that ends there cannot be stored. Nor can NUL.
 */
async function* wholeCharacters(pieces: AsyncGenerator<string, void, void>): AsyncGenerator<string, void, void> {
  let held = '';
  for await (const piece of pieces) {
    const text = held + piece;
    held = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';
    const whole = text
      .slice(0, text.length - held.length)
      .toWellFormed()
      .replaceAll('\0', '');
    if (whole) yield whole;
  }
}

/** At most `length` UTF-16 units, without half of a character at the end. */
function beginningOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * Node wraps the reason of a failed connection in `cause`. The upstream's own words in its stream may quote messages.
 */
function reasonOf(error: unknown): string {
  if (error instanceof ReplyStreamError) return 'unusable stream';
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
