/**
 * The chat function: POST {messages: [{role, content}]} with a bearer token. The response is an event stream of `data:`
 * lines with choices[0].delta.content. It ends with `data: [DONE]`. An error is JSON with an `error` field. GET returns
 * {available}, true if the chat is enabled. POST ?checks=run runs the saved test questions for admins. The handler uses
 * web standards only, so that it runs in our own process (server/functions) and as a Supabase edge function (index.ts).
 */
import { z } from 'zod';
import { readText } from '../read-text.ts';
import { searchArchive, searchWith } from './archive.ts';
import { replyFromContent } from './built-in-assistant.ts';
import type { ChatMessage } from './chat-message.ts';
import { closeReply, evidenceOf } from './grounded-reply.ts';
import { createGuard } from './guard/guard.ts';
import { createKnowledgeCache, type KnowledgeCache } from './knowledge.ts';
import { languageOf } from './languages.ts';
import type { AllowedOrigins } from './origins.ts';
import { outcomeOf, type ReplyOutcome } from './outcome.ts';
import { newest, writePrompt } from './prompt.ts';
import { hashOf, recordReply } from './record-reply.ts';
import { retrieve } from './retrieve.ts';
import { type ChecksRun, runChecks } from './run-checks.ts';
import type { SearchIndex } from './search.ts';
import { callFunction, claimReply, type SiteContent, type TableApi, TableApiError } from './site-content.ts';
import { streamReply, writeOut } from './stream-reply.ts';
import { askUpstream, type Upstream, UpstreamError } from './upstream.ts';

export interface AiChatEnvironment {
  api: TableApi;
  /** Language model. If null, the built-in assistant answers. */
  upstream: Upstream | null;
  /** Origin of the site. Null if it is the origin of the function's URL. */
  siteOrigin: string | null;
  /** Counts a request of an address or a conversation. @returns false if its limit per minute is reached */
  consumeRateLimit(scope: 'address' | 'conversation', key: string): boolean | Promise<boolean>;
  /** Called for each request, without the text of messages. */
  log(entry: { status: number; outcome: string; milliseconds: number }): void;
}

export interface AiChat {
  /** @param address IP address of the client, '' if unknown */
  fetch(request: Request, address: string): Promise<Response>;
  /** Clears the cached content, which otherwise expires after half a minute. */
  forgetContent(): void;
  /** Runs the saved test questions against the published content. @throws Error if the table API rejects a request */
  runChecks(): Promise<ChecksRun>;
}

const MAX_BODY = 1_000_000;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const BOOKING_PATH = '/#booking';

/** The headers allow any origin. isAllowedOrigin() checks the origin of a question. */
const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info, x-conversation-id',
  'access-control-max-age': '600',
};

const conversationSchema = z.object({
  messages: z
    .array(
      z.object({
        role: z.enum(['user', 'assistant']),
        content: z
          .string()
          .max(4000)
          .refine((content) => content.trim() !== ''),
      }),
    )
    .min(1)
    .max(30)
    .refine((messages) => messages.at(-1)?.role === 'user'),
});

/** Error that is returned as JSON. */
class Refusal extends Error {
  readonly status: number;
  readonly outcome: string;
  readonly headers: Record<string, string>;

  constructor(status: number, outcome: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.outcome = outcome;
    this.headers = headers;
  }
}

export function createAiChat(environment: AiChatEnvironment): AiChat {
  const { api } = environment;
  const knowledge = createKnowledgeCache(api);
  return {
    forgetContent: knowledge.forget,
    runChecks: () => runChecks(api, { apikey: api.secretKey, authorization: `Bearer ${api.secretKey}` }, knowledge),
    async fetch(request, address) {
      const startedAt = Date.now();
      const finish = (response: Response, outcome: string) => {
        for (const [name, value] of Object.entries(CORS_HEADERS)) response.headers.set(name, value);
        environment.log({ status: response.status, outcome, milliseconds: Date.now() - startedAt });
        return response;
      };
      try {
        const { response, outcome } = await respond({ environment, knowledge, request, address });
        return finish(response, outcome);
      } catch (error) {
        const { status, message, outcome, headers } = toRefusal(error);
        const body = status === 429 ? { error: message, booking_url: BOOKING_PATH } : { error: message };
        return finish(Response.json(body, { status, headers }), outcome);
      }
    },
  };
}

interface ChatRequest {
  environment: AiChatEnvironment;
  knowledge: KnowledgeCache;
  request: Request;
  address: string;
}

interface ChatResponse {
  response: Response;
  /** Outcome in the log. */
  outcome: string;
}

async function respond({ environment, knowledge, request, address }: ChatRequest): Promise<ChatResponse> {
  if (request.method === 'OPTIONS') return { response: new Response(null, { status: 204 }), outcome: 'preflight' };
  if (request.method !== 'POST' && request.method !== 'GET') {
    throw new Refusal(405, 'method', 'Use POST.', { allow: 'GET, POST, OPTIONS' });
  }
  // Without a session, supabase-js sends a new-style key in the apikey header only.
  if (!request.headers.has('apikey') && !/^bearer \S+/i.test(request.headers.get('authorization') ?? '')) {
    throw new Refusal(401, 'no authorization', 'A bearer authorization is missing.');
  }
  if (request.method === 'GET') {
    const { isSwitchedOff } = (await knowledge.read()).content;
    return { response: Response.json({ available: !isSwitchedOff }), outcome: 'status' };
  }
  await enforceRateLimit(environment, 'address', address);
  if (new URL(request.url).searchParams.get('checks') === 'run') {
    return { response: Response.json(await runChecksFor(request, environment.api, knowledge)), outcome: 'checks' };
  }
  const conversationId = request.headers.get('x-conversation-id');
  if (conversationId) await enforceRateLimit(environment, 'conversation', conversationId.slice(0, 36));
  const { content, index } = await knowledge.read();
  if (!isAllowedOrigin(request, content.allowedOrigins, environment.siteOrigin)) {
    throw new Refusal(403, 'origin', 'This chat is not available on this site.');
  }
  const conversation = await readConversation(request);
  if (content.isSwitchedOff) throw capReached();
  const disconnected = new AbortController();
  const question = conversation.at(-1)?.content ?? '';
  const record = async (pieces: string[], outcome: ReplyOutcome) => {
    if (!conversationId || !UUID.test(conversationId)) return;
    if (pieces.length > 0)
      await logErrorsOf(environment, 'the reply could not be recorded', () =>
        recordReply(environment.api, conversationId, pieces, disconnected.signal.aborted),
      );
    const { reason } = outcome;
    if (reason === null) return;
    await logErrorsOf(environment, 'the outcome of a reply could not be recorded', async () => {
      const parameters = { _conversation_id: conversationId, _hash: await hashOf(question), _reason: reason };
      await callFunction(environment.api, 'record_unanswered_question', parameters);
    });
  };
  if (!environment.upstream) {
    const archive = await searchArchive(environment.api, content, conversation);
    const { text, outcome } = replyFromContent(content, searchWith(index, archive), conversation);
    const recordPieces = (pieces: string[]) => record(pieces, outcome);
    return { response: streamReply('', writeOut(text), { disconnected, recordPieces }), outcome: 'built-in' };
  }
  if (request.signal.aborted) disconnected.abort();
  request.signal.addEventListener('abort', () => disconnected.abort(), { once: true });
  await requireClaim(environment.api, address);
  // A reply that the visitor stopped is counted, because the provider has already charged for it.
  const releaseClaim = async () => {
    if (disconnected.signal.aborted) return;
    await callFunction(environment.api, 'release_chat_reply', { _address: address }).catch(() => undefined);
  };
  try {
    const { api, upstream } = environment;
    const parts = { api, upstream, content, index, conversation, disconnected, record, releaseClaim };
    return { response: await replyOfUpstream(parts), outcome: 'upstream' };
  } catch (error) {
    await releaseClaim();
    throw error;
  }
}

interface UpstreamRequest {
  api: TableApi;
  upstream: Upstream;
  content: SiteContent;
  index: SearchIndex;
  conversation: ChatMessage[];
  disconnected: AbortController;
  record(pieces: string[], outcome: ReplyOutcome): Promise<void>;
  releaseClaim(): Promise<void>;
}

/** Returns the reply of the language model, checked against the content that was retrieved for the question. */
async function replyOfUpstream(request: UpstreamRequest): Promise<Response> {
  const { api, upstream, content, index, conversation, disconnected, record, releaseClaim } = request;
  const retrieved = retrieve(content, index, conversation, await searchArchive(api, content, conversation));
  const language = languageOf(conversation.at(-1)?.content ?? '', content.languages[0] ?? 'en') ?? 'en';
  const guard = createGuard(evidenceOf(content, retrieved), newest(conversation), language);
  const reply = await askUpstream(upstream, writePrompt(content, retrieved, conversation), disconnected.signal);
  return streamReply('', closeReply(guard, reply, retrieved, disconnected.signal), {
    disconnected,
    recordPieces: (pieces) => record(pieces, outcomeOf(retrieved.hasMatch, guard.withheld())),
    onFailure: releaseClaim,
  });
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof UpstreamError) {
    return new Refusal(502, error.message, 'The assistant cannot be reached right now. Please try again in a moment.');
  }
  const reason = error instanceof Error ? error.message : 'unknown';
  return new Refusal(503, reason, 'The assistant is not available right now. Please try again in a moment.');
}

function capReached(): Refusal {
  return new Refusal(429, 'daily cap', 'I have answered all I can for today. Book a meeting to talk to a person.');
}

async function requireClaim(api: TableApi, address: string): Promise<void> {
  const claim = await claimReply(api, address);
  if (claim === 'site') throw capReached();
  if (claim === 'claimed') return;
  throw new Refusal(429, 'daily share', 'I have answered all I can for you today. Book a meeting to talk to a person.');
}

/** Logs an error of `work`, so that the reply does not fail. The transcript marks a reply that could not be recorded. */
async function logErrorsOf({ log }: AiChatEnvironment, outcome: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    log({ status: 200, outcome, milliseconds: 0 });
  }
}

/** Runs the saved test questions for callers who may read them according to the policies. */
async function runChecksFor(request: Request, api: TableApi, knowledge: KnowledgeCache): Promise<ChecksRun> {
  const apikey = request.headers.get('apikey') ?? api.publishableKey;
  const authorization = request.headers.get('authorization') ?? `Bearer ${apikey}`;
  try {
    return await runChecks(api, { apikey, authorization }, knowledge);
  } catch (error) {
    if (!(error instanceof TableApiError && [401, 403].includes(error.status))) throw error;
    throw new Refusal(403, 'checks refused', 'Only admins can run the test box.');
  }
}

async function enforceRateLimit(
  environment: AiChatEnvironment,
  scope: 'address' | 'conversation',
  key: string,
): Promise<void> {
  if (await environment.consumeRateLimit(scope, key)) return;
  throw new Refusal(429, 'rate limit', 'Too many messages. Wait a minute, or book a meeting to talk to a person.', {
    'retry-after': '60',
  });
}

async function readConversation(request: Request): Promise<ChatMessage[]> {
  const received = await readText(request, MAX_BODY);
  if (!received) throw new Refusal(413, 'too large', 'The request is too large.');
  let body: unknown;
  try {
    body = JSON.parse(received.text);
  } catch {
    throw new Refusal(400, 'invalid JSON', 'The request is not valid JSON.');
  }
  const parsed = conversationSchema.safeParse(body);
  if (parsed.success) return parsed.data.messages;
  throw new Refusal(
    400,
    'invalid messages',
    'messages must be a list of 1 to 30 messages with the role user or assistant and 1 to 4,000 characters each. The last message must be from the user.',
  );
}

/**
 * Returns true for any origin if no list is set. Otherwise, returns true for the site itself and the listed origins.
 * Browsers send Origin with every POST, so a request without it does not come from an allowed page.
 */
function isAllowedOrigin(request: Request, allowedOrigins: AllowedOrigins, siteOrigin: string | null): boolean {
  if (allowedOrigins === 'any') return true;
  const origin = request.headers.get('origin');
  if (!origin || !URL.canParse(origin)) return false;
  // Compare hosts only, because a proxy may terminate TLS.
  return allowedOrigins.includes(origin) || new URL(origin).host === new URL(siteOrigin ?? request.url).host;
}
