/**
 * POST /functions/v1/campaign-events/{source}: what Smartlead, Instantly, lemlist or somebody's own program tells of a
 * campaign. The address is unguessable; where a secret was agreed on it comes as `authorization: Bearer`, as
 * `x-webhook-secret`, in the event, or as the signature of Smartlead. Answered when the events are in the database, so that nothing that was told is lost;
 * 503 asks to tell it again, because Smartlead takes any 4xx for the last word.
 */

import { z } from 'zod';
import { readText } from '../read-text.ts';
import { createEventQueue } from './event-queue.ts';
import { type CampaignText, findDeviation } from './find-deviation.ts';
import { hashOf } from './hash-of.ts';
import { type EventRow, eventsOf, MOST_EVENTS, type Provider, readEvent, rowOf, secretIn } from './read-events.ts';
import { createSignatures, type Signatures } from './signature.ts';

export interface CampaignEventsParts {
  /** Origin of the Supabase API, without a trailing slash. */
  apiUrl: string;
  secretKey: string;
  /** Reaches apiUrl: the network, or the backend of the same process. */
  fetch: (request: Request) => Response | Promise<Response>;
  /** Counts a request to what is no source, or with a wrong secret; seconds to wait before the next one, 0 for none. */
  countMiss: (address: string) => number;
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

/** Seconds after which a provider may send again. */
const RETRY_AFTER = 10;

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

type Outcome = 'taken' | 'no source' | 'wrong secret' | 'deleted campaign';

/** The tables are away or have too much to do. */
class TablesBusyError extends Error {}

/** The table API refused what it was asked to write. */
class TablesRefusedError extends Error {}

export function createCampaignEvents(parts: CampaignEventsParts): CampaignEvents {
  const known = new Set<string>();
  const hasRate = createMinuteCount();
  const guesses = createGuessLimit(parts.countMiss);
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
        const mayAsk = guesses.secondsToWait(address) === 0;
        const lane = await laneOf(request, { event: events[0], body: body.text }, { signatures, mayAsk });
        if (!known.has(lane)) {
          // Strangers never come as far as the queue.
          const wait = guesses.secondsToWait(address);
          if (wait > 0) return refusal(429, 'Too many requests.', { 'retry-after': String(wait) });
          const opened = lane === '' ? 'no source' : await open(parts, lane);
          if (typeof opened === 'string') {
            if (opened !== 'deleted campaign') guesses.miss(address);
            return answerTo(opened, 0);
          }
          if (known.size < REMEMBERED) known.add(lane);
        }
        if (!hasRate(lane, events.length)) return later();
        const outcome = await queue.add(lane, events, body.bytes);
        if (outcome === undefined) return later();
        if (outcome !== 'taken') known.delete(lane);
        return answerTo(outcome, events.length);
      } catch (error) {
        if (error instanceof TablesBusyError) return later();
        throw error;
      }
    },
  };
}

interface Proofs {
  signatures: Signatures;
  /** False for an address that guesses. */
  mayAsk: boolean;
}

/** Returns the hashes of what is unguessable in the address and of the secret, or '' for an address that is no source. */
async function laneOf(
  request: Request,
  { event, body }: { event: unknown; body: string },
  { signatures, mayAsk }: Proofs,
): Promise<string> {
  const token = new URL(request.url).pathname.split('/').at(-1) ?? '';
  if (!TOKEN.test(token)) return '';
  const tokenHash = await hashOf(token);
  const secret = secretOf(request) || secretIn(event) || (await signatures.secretOf(request, tokenHash, body, mayAsk));
  return `${tokenHash} ${secret === '' ? '' : await hashOf(secret)}`;
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
async function open(parts: CampaignEventsParts, lane: string): Promise<Opened | Exclude<Outcome, 'taken'>> {
  const opened = openedSchema.parse(await call(parts, 'open_campaign_source', namesOf(lane)));
  if (opened === null) return 'no source';
  if (opened.is_deleted) return 'deleted campaign';
  return opened.is_allowed ? opened : 'wrong secret';
}

function answerTo(outcome: Outcome, count: number): Response {
  if (outcome === 'no source') return refusal(404, 'There is no such source.');
  if (outcome === 'deleted campaign') return refusal(410, 'The campaign of this source was deleted.');
  if (outcome === 'wrong secret') return refusal(401, 'The secret is another one.');
  return Response.json({ taken: count }, { headers: { 'cache-control': 'no-store' } });
}

/** Reads the events of one source and hands them to the database. */
async function write(parts: CampaignEventsParts, lane: string, events: readonly unknown[]): Promise<Outcome> {
  const opened = await open(parts, lane);
  if (typeof opened === 'string') return opened;
  const rows = await Promise.all(events.map((raw) => readRow(opened, raw)));
  const take = (_events: EventRow[]) => call(parts, 'take_campaign_events', { ...namesOf(lane), _events });
  try {
    return (await take(rows)) === null ? 'no source' : 'taken';
  } catch (error) {
    if (!(error instanceof TablesRefusedError)) throw error;
    // One of them is such that no reader expected it. The others are taken, and it is listed without what it says.
    for (const row of rows) {
      await take([row]).catch((refused: unknown) => {
        if (!(refused instanceof TablesRefusedError)) throw refused;
        return take([
          {
            ...row,
            kind: 'unreadable',
            metric: null,
            is_known: false,
            at: null,
            step: null,
            recipient: '',
            raw: {},
            deviation: null,
          },
        ]);
      });
    }
    return 'taken';
  }
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
  if (response.status === 503 || response.status === 504) throw new TablesBusyError();
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
 * Keeps those who guess waiting. Only what was no source counts: a provider sends for many of them from one address, and all
 * are new to a process that has just started.
 */
function createGuessLimit(countMiss: (address: string) => number) {
  const waiting = new Map<string, number>();
  return {
    secondsToWait: (address: string) => Math.max(0, Math.ceil(((waiting.get(address) ?? 0) - Date.now()) / 1000)),
    miss(address: string) {
      const seconds = countMiss(address);
      if (waiting.size >= REMEMBERED) waiting.clear();
      if (seconds > 0) waiting.set(address, Date.now() + seconds * 1000);
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

function later(): Response {
  return refusal(503, 'Too many events at once. Please send this again.', { 'retry-after': String(RETRY_AFTER) });
}

function refusal(status: number, error: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error }, { status, headers: { ...headers, 'cache-control': 'no-store' } });
}
