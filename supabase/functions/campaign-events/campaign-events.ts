/**
 * POST /functions/v1/campaign-events/{source}: webhook for Smartlead, Instantly, lemlist and custom programs. The URL
 * is unguessable. Providers can also send a secret as `authorization: Bearer`, as `x-webhook-secret`, in the event, or as
 * Smartlead's signature. Responds after the events are stored, so that no event is lost. Returns 503 to request a retry,
 * because Smartlead never retries after a 4xx response.
 */

import { z } from 'zod';
import { readText } from '../read-text.ts';
import { type CampaignText, compareWithTexts } from './compare-with-texts.ts';
import { createEventQueue } from './event-queue.ts';
import { hashOf } from './hash-of.ts';
import {
  type EventRow,
  eventsOf,
  incompleteRowOf,
  MAX_EVENTS,
  type Provider,
  readEvent,
  rowOf,
  secretIn,
} from './read-events.ts';
import { createSignatures, type Signatures, type TakeTurn } from './signature.ts';

export interface CampaignEventsDependencies {
  /** Origin of the Supabase API, without a trailing slash. */
  apiUrl: string;
  secretKey: string;
  /** Sends requests to apiUrl: over the network, or to the backend in the same process. */
  fetch: (request: Request) => Response | Promise<Response>;
  /**
   * Counts a request with a wrong secret. Returns the seconds until the address may retry, 0 if it may retry
   * immediately.
   */
  countWrongSecret: (address: string) => number;
  /** Runs the lookup of an uncached source within the available capacity. @throws BusyError */
  takeTurn: <Result>(address: string, work: () => Promise<Result>) => Promise<Result>;
}

export interface CampaignEvents {
  /** @param address IP address of the sender, '' if unknown */
  fetch(request: Request, address: string): Promise<Response>;
}

const MAX_BYTES = 1024 * 1024;

/** Maximum events of a source per minute: 500 a second. */
const MAX_PER_MINUTE = 30_000;

/** Maximum number of cached sources, and of tracked addresses that sent a wrong secret. */
const MAX_CACHED = 1000;

/** Seconds for Retry-After under load, and for a source that has reached its daily limit. */
const RETRY_AFTER = 10;
const RETRY_TOMORROW = 3600;

/** Time for comparing texts before other requests are processed. */
const MAX_BLOCKING_MS = 10;

const TOKEN = /^[0-9a-f]{64}$/;

const openedSchema = z
  .object({
    provider: z.enum(['smartlead', 'instantly', 'lemlist', 'json']),
    is_allowed: z.boolean(),
    is_deleted: z.boolean(),
    texts: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        step: z.number().nullable(),
        number: z.number().nullable(),
        text: z.string().nullable(),
        starts_at: z.string(),
        ends_at: z.string().nullable(),
      }),
    ),
  })
  .nullable();

/**
 * Result of store_campaign_events(): the number of new events. Null if the source was disconnected, -1 if it is full.
 */
const outcomeSchema = z
  .number()
  .nullable()
  .transform((count) => (count === null ? 'no source' : count < 0 ? 'full' : 'stored'));

type Outcome = 'stored' | 'no source' | 'wrong secret' | 'deleted campaign' | 'full';

/** The table API is unavailable or overloaded. */
export class BusyError extends Error {}

/** The table API rejected a write. */
class WriteRejectedError extends Error {}

export function createCampaignEvents(dependencies: CampaignEventsDependencies): CampaignEvents {
  const knownSources = new Set<string>();
  const hasRate = createMinuteCount();
  const guesses = createSecretLimit(dependencies.countWrongSecret);
  const signatures = createSignatures(async (_token_hash) =>
    z
      .string()
      .nullable()
      .parse(await call(dependencies, 'signing_secret_of_source', { _token_hash })),
  );
  const queue = createEventQueue<Outcome>((lane, events) => write(dependencies, lane, events));

  return {
    async fetch(request, address) {
      if (request.method !== 'POST') return refusal(405, 'Use POST to send events.', { allow: 'POST' });
      // Reject by content-length before reading the body.
      const isTooLong = Number(request.headers.get('content-length')) > MAX_BYTES;
      const body = isTooLong ? null : await readText(request, MAX_BYTES);
      if (body === null) return refusal(413, 'Send at most 1 MB.');
      const events = readEvents(body.text);
      if (events === null) return refusal(400, 'The body must be valid JSON.');
      if (events.length > MAX_EVENTS) return refusal(413, `Send at most ${MAX_EVENTS} events at once.`);
      try {
        const takeTurn: TakeTurn = (work) => dependencies.takeTurn(address, work);
        const { lane, isSigned } = await laneOf(request, { event: events[0], body: body.text }, signatures, takeTurn);
        if (!knownSources.has(lane)) {
          // Providers send events of many sources from one IP address, so wrong secrets are counted per source.
          const guesser = `${address} ${hashesOf(lane)._token_hash}`;
          const wait = isSigned ? 0 : guesses.secondsToWait(guesser);
          if (wait > 0) return retryLater(wait);
          const source = lane === '' ? 'no source' : await takeTurn(() => openSource(dependencies, lane));
          if (typeof source === 'string') {
            if (source === 'wrong secret') guesses.miss(guesser, address);
            return responseFor(source, 0);
          }
          if (knownSources.size < MAX_CACHED) knownSources.add(lane);
        }
        if (!hasRate(lane, events.length)) return retryLater();
        const outcome = await queue.add(lane, events, body.bytes);
        if (outcome === undefined) return retryLater();
        if (outcome !== 'stored' && outcome !== 'full') knownSources.delete(lane);
        return responseFor(outcome, events.length);
      } catch (error) {
        if (error instanceof BusyError) return retryLater();
        throw error;
      }
    },
  };
}

interface Lane {
  /** Hashes of the URL token and of the secret. '' if the token is malformed. */
  lane: string;
  /** True if the body is signed with the source's secret. */
  isSigned: boolean;
}

async function laneOf(
  request: Request,
  { event, body }: { event: unknown; body: string },
  signatures: Signatures,
  takeTurn: TakeTurn,
): Promise<Lane> {
  const token = new URL(request.url).pathname.split('/').at(-1) ?? '';
  if (!TOKEN.test(token)) return { lane: '', isSigned: false };
  const tokenHash = await hashOf(token);
  const sentSecret = secretOf(request) || secretIn(event);
  const secret = sentSecret || (await signatures.secretOf(request, tokenHash, body, takeTurn));
  return {
    lane: `${tokenHash} ${secret === '' ? '' : await hashOf(secret)}`,
    isSigned: sentSecret === '' && secret !== '',
  };
}

function hashesOf(lane: string) {
  const [_token_hash = '', secret = ''] = lane.split(' ');
  return { _token_hash, _secret_hash: secret === '' ? null : secret };
}

interface OpenedSource {
  provider: Provider;
  texts: CampaignText[];
}

/** Looks up a source. @returns how to read its events, or the reason for a rejection */
async function openSource(
  dependencies: CampaignEventsDependencies,
  lane: string,
): Promise<OpenedSource | Exclude<Outcome, 'stored' | 'full'>> {
  const source = openedSchema.parse(await call(dependencies, 'open_campaign_source', hashesOf(lane)));
  if (source === null) return 'no source';
  if (source.is_deleted) return 'deleted campaign';
  return source.is_allowed ? source : 'wrong secret';
}

function responseFor(outcome: Outcome, count: number): Response {
  if (outcome === 'full') return retryLater(RETRY_TOMORROW, 'This source has reached its daily limit of events.');
  if (outcome === 'no source') return refusal(404, 'Source not found.');
  if (outcome === 'deleted campaign') return refusal(410, 'The campaign of this source was deleted.');
  if (outcome === 'wrong secret') return refusal(401, 'The secret is wrong.');
  return Response.json({ taken: count }, { headers: { 'cache-control': 'no-store' } });
}

/** Reads the events of one source and stores them. */
async function write(
  dependencies: CampaignEventsDependencies,
  lane: string,
  events: readonly unknown[],
): Promise<Outcome> {
  const source = await openSource(dependencies, lane);
  if (typeof source === 'string') return source;
  const rows = await readRows(source, events);
  const store = (_events: EventRow[]) => call(dependencies, 'store_campaign_events', { ...hashesOf(lane), _events });
  try {
    return outcomeSchema.parse(await store(rows));
  } catch (error) {
    if (!(error instanceof WriteRejectedError)) throw error;
    // One event has an unexpected shape. Store the others in full and this one without its payload.
    let outcome: z.infer<typeof outcomeSchema> = 'stored';
    for (const row of rows) {
      const result = await store([row]).catch((failure: unknown) => {
        if (!(failure instanceof WriteRejectedError)) throw failure;
        return store([incompleteRowOf(row)]);
      });
      outcome = outcomeSchema.parse(result);
    }
    return outcome;
  }
}

/** Reads events one by one and yields to other requests, because comparing long texts is slow. */
async function readRows(source: OpenedSource, events: readonly unknown[]): Promise<EventRow[]> {
  const rows: EventRow[] = [];
  let startedAt = performance.now();
  for (const raw of events) {
    rows.push(await readRow(source, raw));
    if (performance.now() - startedAt < MAX_BLOCKING_MS) continue;
    await new Promise((done) => setTimeout(done, 0));
    startedAt = performance.now();
  }
  return rows;
}

async function readRow({ provider, texts }: OpenedSource, raw: unknown): Promise<EventRow> {
  const event = readEvent(provider, raw);
  return rowOf(event, raw, await compareWithTexts(event, texts));
}

async function call(
  { apiUrl, secretKey, fetch }: CampaignEventsDependencies,
  name: string,
  input: object,
): Promise<unknown> {
  const response = await fetch(
    new Request(`${apiUrl}/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: { apikey: secretKey, authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    }),
  );
  if (response.ok) return response.json();
  await response.body?.cancel();
  if (response.status === 503 || response.status === 504) throw new BusyError();
  throw new WriteRejectedError(`The table API returned ${response.status} for ${name}`);
}

function secretOf(request: Request): string {
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  return request.headers.get('x-webhook-secret')?.trim() || bearer || '';
}

function readEvents(text: string): unknown[] | null {
  try {
    return eventsOf(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Limits guesses of a source's secret, per source and IP address. A provider sends events of many sources from one
 * address, so a limit per address would block them all. URL tokens have 256 bits and need no limit.
 */
function createSecretLimit(countWrongSecret: (address: string) => number) {
  const waiting = new Map<string, number>();
  return {
    secondsToWait: (guesser: string) => Math.max(0, Math.ceil(((waiting.get(guesser) ?? 0) - Date.now()) / 1000)),
    miss(guesser: string, address: string) {
      const seconds = countWrongSecret(address);
      if (waiting.size >= MAX_CACHED) waiting.clear();
      if (seconds > 0) waiting.set(guesser, Date.now() + seconds * 1000);
    },
  };
}

/** Counts events per source and minute, in memory. */
function createMinuteCount(): (lane: string, count: number) => boolean {
  let minute = 0;
  let counts = new Map<string, number>();
  return (lane, count) => {
    const now = Math.floor(Date.now() / 60_000);
    if (now !== minute) {
      minute = now;
      counts = new Map();
    }
    const sum = (counts.get(lane) ?? 0) + count;
    if (sum > MAX_PER_MINUTE) return false;
    counts.set(lane, sum);
    return true;
  };
}

function retryLater(seconds = RETRY_AFTER, error = 'Too many events at once. Please send them again later.'): Response {
  return refusal(503, error, { 'retry-after': String(seconds) });
}

function refusal(status: number, error: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error }, { status, headers: { ...headers, 'cache-control': 'no-store' } });
}
