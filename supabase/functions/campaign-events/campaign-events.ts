/**
 * POST /functions/v1/campaign-events/{source}: what Smartlead, Instantly, lemlist or somebody's own program tells of a
 * campaign. The address is unguessable; where a secret was agreed on it comes as `authorization: Bearer`, as
 * `x-webhook-secret`, in the event, or as the signature of Smartlead. Answered when the events are in the database, so that nothing that was told is lost;
 * 503 asks to send it again, because Smartlead never repeats after a 4xx.
 */

import { z } from 'zod';
import { readText } from '../read-text.ts';
import { createEventQueue } from './event-queue.ts';
import { type CampaignText, findDeviation } from './find-deviation.ts';
import { hashOf } from './hash-of.ts';
import {
  type EventRow,
  eventsOf,
  incompleteRowOf,
  MOST_EVENTS,
  type Provider,
  readEvent,
  rowOf,
  secretIn,
} from './read-events.ts';
import { createSignatures, type Signatures, type TakeTurn } from './signature.ts';

export interface CampaignEventsParts {
  /** Origin of the Supabase API, without a trailing slash. */
  apiUrl: string;
  secretKey: string;
  /** Reaches apiUrl: the network, or the backend of the same process. */
  fetch: (request: Request) => Response | Promise<Response>;
  /** Counts a request with a wrong secret. Returns the seconds before its address may try another one, 0 for none. */
  countWrongSecret: (address: string) => number;
  /** Runs a lookup of a source that is not cached when there is capacity. @throws BusyError */
  takeTurn: <Result>(address: string, work: () => Promise<Result>) => Promise<Result>;
}

export interface CampaignEvents {
  /** @param address of whoever sends, '' when unknown */
  fetch(request: Request, address: string): Promise<Response>;
}

const MOST_BYTES = 1024 * 1024;

/** Events of a source in a minute: 500 a second. */
const MOST_IN_A_MINUTE = 30_000;

/** Sources that are remembered with their secret, and addresses of those who guess them. */
const REMEMBERED = 1000;

/** Seconds after which a provider may send again: after a passing load, and to a source that has stored all that it may today. */
const RETRY_AFTER = 10;
const RETRY_TOMORROW = 3600;

/** Milliseconds of comparing texts after which other requests have their turn. */
const LONGEST_WORK_MS = 10;

const TOKEN = /^[0-9a-f]{64}$/;

const openedSchema = z
  .object({
    provider: z.enum(['smartlead', 'instantly', 'lemlist', 'json']),
    is_allowed: z.boolean(),
    is_deleted: z.boolean(),
    texts: z.array(
      z.object({
        title: z.string(),
        step: z.number().nullable(),
        number: z.number().nullable(),
        text: z.string().nullable(),
      }),
    ),
  })
  .nullable();

/** Result of take_campaign_events(): the number of new events, null for a source that has ended, -1 for one that is full. */
const outcomeSchema = z
  .number()
  .nullable()
  .transform((count) => (count === null ? 'no source' : count < 0 ? 'full' : 'taken'));

type Outcome = 'taken' | 'no source' | 'wrong secret' | 'deleted campaign' | 'full';

/** The tables are not available or have too much to do. */
export class BusyError extends Error {}

/** The table API refused what it was asked to write. */
class TablesRefusedError extends Error {}

export function createCampaignEvents(parts: CampaignEventsParts): CampaignEvents {
  const known = new Set<string>();
  const hasRate = createMinuteCount();
  const guesses = createSecretLimit(parts.countWrongSecret);
  const signatures = createSignatures(async (_token_hash) =>
    z
      .string()
      .nullable()
      .parse(await call(parts, 'signing_secret_of_source', { _token_hash })),
  );
  const queue = createEventQueue<Outcome>((lane, events) => write(parts, lane, events));

  return {
    async fetch(request, address) {
      if (request.method !== 'POST') return refusal(405, 'Events are sent with POST.', { allow: 'POST' });
      // Nobody waits for the bytes that a length announces.
      const isAnnounced = Number(request.headers.get('content-length')) > MOST_BYTES;
      const body = isAnnounced ? null : await readText(request, MOST_BYTES);
      if (body === null) return refusal(413, 'Send at most 1 MB.');
      const events = readEvents(body.text);
      if (events === null) return refusal(400, 'This is no JSON.');
      if (events.length > MOST_EVENTS) return refusal(413, `Send at most ${MOST_EVENTS} events at once.`);
      try {
        const takeTurn: TakeTurn = (work) => parts.takeTurn(address, work);
        const { lane, isSigned } = await laneOf(request, { event: events[0], body: body.text }, signatures, takeTurn);
        if (!known.has(lane)) {
          // Providers send for many sources from one address, so guesses never count against another source.
          const guesser = `${address} ${namesOf(lane)._token_hash}`;
          const wait = isSigned ? 0 : guesses.secondsToWait(guesser);
          if (wait > 0) return later(wait);
          const opened = lane === '' ? 'no source' : await takeTurn(() => open(parts, lane));
          if (typeof opened === 'string') {
            if (opened === 'wrong secret') guesses.miss(guesser, address);
            return answerTo(opened, 0);
          }
          if (known.size < REMEMBERED) known.add(lane);
        }
        if (!hasRate(lane, events.length)) return later();
        const outcome = await queue.add(lane, events, body.bytes);
        if (outcome === undefined) return later();
        if (outcome !== 'taken' && outcome !== 'full') known.delete(lane);
        return answerTo(outcome, events.length);
      } catch (error) {
        if (error instanceof BusyError) return later();
        throw error;
      }
    },
  };
}

interface Lane {
  /** Hashes of the token in the address and of the secret, '' for a malformed token. */
  lane: string;
  /** True if the body is signed with the secret of the source. */
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
  const sent = secretOf(request) || secretIn(event);
  const secret = sent || (await signatures.secretOf(request, tokenHash, body, takeTurn));
  return { lane: `${tokenHash} ${secret === '' ? '' : await hashOf(secret)}`, isSigned: sent === '' && secret !== '' };
}

function namesOf(lane: string) {
  const [_token_hash = '', secret = ''] = lane.split(' ');
  return { _token_hash, _secret_hash: secret === '' ? null : secret };
}

interface Opened {
  provider: Provider;
  texts: CampaignText[];
}

/** Looks a source up. @returns what its events are read with, or why they are not taken */
async function open(parts: CampaignEventsParts, lane: string): Promise<Opened | Exclude<Outcome, 'taken' | 'full'>> {
  const opened = openedSchema.parse(await call(parts, 'open_campaign_source', namesOf(lane)));
  if (opened === null) return 'no source';
  if (opened.is_deleted) return 'deleted campaign';
  return opened.is_allowed ? opened : 'wrong secret';
}

function answerTo(outcome: Outcome, count: number): Response {
  if (outcome === 'full') return later(RETRY_TOMORROW, 'This source has sent more today than can be stored.');
  if (outcome === 'no source') return refusal(404, 'There is no such source.');
  if (outcome === 'deleted campaign') return refusal(410, 'The campaign of this source was deleted.');
  if (outcome === 'wrong secret') return refusal(401, 'The secret is another one.');
  return Response.json({ taken: count }, { headers: { 'cache-control': 'no-store' } });
}

/** Reads the events of one source and hands them to the database. */
async function write(parts: CampaignEventsParts, lane: string, events: readonly unknown[]): Promise<Outcome> {
  const opened = await open(parts, lane);
  if (typeof opened === 'string') return opened;
  const rows = await readRows(opened, events);
  const take = (_events: EventRow[]) => call(parts, 'take_campaign_events', { ...namesOf(lane), _events });
  try {
    return outcomeSchema.parse(await take(rows));
  } catch (error) {
    if (!(error instanceof TablesRefusedError)) throw error;
    // One event has an unexpected shape. Store the others in full and this one without its payload.
    let outcome: z.infer<typeof outcomeSchema> = 'taken';
    for (const row of rows) {
      const taken = await take([row]).catch((refused: unknown) => {
        if (!(refused instanceof TablesRefusedError)) throw refused;
        return take([incompleteRowOf(row)]);
      });
      outcome = outcomeSchema.parse(taken);
    }
    return outcome;
  }
}

/** Reads events one after the other and lets other requests in between, because comparing long texts takes a while. */
async function readRows(opened: Opened, events: readonly unknown[]): Promise<EventRow[]> {
  const rows: EventRow[] = [];
  let begin = performance.now();
  for (const raw of events) {
    rows.push(await readRow(opened, raw));
    if (performance.now() - begin < LONGEST_WORK_MS) continue;
    await new Promise((done) => setTimeout(done, 0));
    begin = performance.now();
  }
  return rows;
}

async function readRow({ provider, texts }: Opened, raw: unknown): Promise<EventRow> {
  const event = readEvent(provider, raw);
  return rowOf(event, raw, await findDeviation(event, texts));
}

async function call({ apiUrl, secretKey, fetch }: CampaignEventsParts, name: string, given: object): Promise<unknown> {
  const response = await fetch(
    new Request(`${apiUrl}/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: { apikey: secretKey, authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(given),
    }),
  );
  if (response.ok) return response.json();
  await response.body?.cancel();
  if (response.status === 503 || response.status === 504) throw new BusyError();
  throw new TablesRefusedError(`The table API answered ${response.status} to ${name}`);
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
 * Limits guesses at the secret of a source. Tokens in addresses have 256 bits and need no limit. A guesser, which is an address
 * together with a source, waits. Other sources of the same address do not, because a provider sends all of them from there.
 */
function createSecretLimit(countWrongSecret: (address: string) => number) {
  const waiting = new Map<string, number>();
  return {
    secondsToWait: (guesser: string) => Math.max(0, Math.ceil(((waiting.get(guesser) ?? 0) - Date.now()) / 1000)),
    miss(guesser: string, address: string) {
      const seconds = countWrongSecret(address);
      if (waiting.size >= REMEMBERED) waiting.clear();
      if (seconds > 0) waiting.set(guesser, Date.now() + seconds * 1000);
    },
  };
}

/** Counts events of each source by the minute, in the memory of this process. */
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
    if (sum > MOST_IN_A_MINUTE) return false;
    counts.set(lane, sum);
    return true;
  };
}

function later(seconds = RETRY_AFTER, error = 'Too many events at once. Please send this again.'): Response {
  return refusal(503, error, { 'retry-after': String(seconds) });
}

function refusal(status: number, error: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error }, { status, headers: { ...headers, 'cache-control': 'no-store' } });
}
