/** Parses posted bodies into events, and events into rows for store_campaign_events(). */
import { type CampaignEvent, isRecord } from './campaign-event.ts';
import { sliceCharacters, storableValue } from './characters.ts';
import type { Comparison, MessageAlarm } from './compare-with-texts.ts';
import { hashOf } from './hash-of.ts';
import { readInstantlyEvent } from './instantly.ts';
import { readLemlistEvent } from './lemlist.ts';
import { readPlainEvent } from './plain.ts';
import { type EventReply, readReply } from './read-reply.ts';
import { readSmartleadEvent } from './smartlead.ts';

/** Maximum events per request. */
export const MAX_EVENTS = 500;

/** Maximum nesting depth of stored events. */
const MAX_DEPTH = 20;

/** Maximum characters of an original event. Longer events are counted, but stored without their text. */
const MAX_CHARACTERS = 200_000;

/** Fields that contain the secret or the webhook URL. They are removed before events are stored. */
const SECRET_NAMES = ['secret_key', 'secret', 'secretKey'];
const REMOVED_FIELDS = new Set([...SECRET_NAMES, 'webhook_url', 'targetUrl', 'target_hook_url']);

const READERS = {
  smartlead: readSmartleadEvent,
  instantly: readInstantlyEvent,
  lemlist: readLemlistEvent,
  json: readPlainEvent,
} as const;

export type Provider = keyof typeof READERS;

/** Returns the events of a body: one, a list, or a list under "events". */
export function eventsOf(body: unknown): unknown[] {
  if (Array.isArray(body)) return body;
  return isRecord(body) && Array.isArray(body['events']) ? body['events'] : [body];
}

/** Returns the secret in the event, or ''. */
export function secretIn(event: unknown): string {
  if (!isRecord(event)) return '';
  for (const name of SECRET_NAMES) {
    const secret = event[name];
    if (typeof secret === 'string' && secret !== '') return secret;
  }
  return '';
}

export function readEvent(provider: Provider, raw: unknown): CampaignEvent {
  return READERS[provider](raw);
}

/** A row of store_campaign_events(). */
export interface EventRow {
  key: string;
  kind: string;
  metric: CampaignEvent['metric'];
  is_known: boolean;
  at: string | null;
  campaign: string;
  step: number | null;
  recipient: string;
  raw: unknown;
  /** Null if the text was approved or the event has no message. */
  deviation: MessageAlarm | null;
  /** The approved text that was sent, or null. */
  approval_id: string | null;
  version_number: number | null;
  /** The person and their words, if the event is a reply. */
  reply: EventReply | null;
}

/** Converts an event to a row. Duplicates have the same key. */
export async function rowOf(event: CampaignEvent, raw: unknown, { text, deviation }: Comparison): Promise<EventRow> {
  const { kind, metric, isKnown, at, campaign, step } = event;
  const recipient = sliceCharacters(plainRecipient(event.recipient), 0, 320);
  const stored = storablePayload(raw);
  const identity = event.id !== '' ? [event.id] : [recipient, step, at];
  const isNameless = event.id === '' && recipient === '' && at === null;
  return {
    key: await hashOf(JSON.stringify([metric ?? kind, ...(isNameless ? [stored] : identity)])),
    kind: sliceCharacters(kind, 0, 100) || 'without a name',
    metric,
    is_known: isKnown,
    at,
    campaign: sliceCharacters(campaign, 0, 200),
    step,
    recipient,
    raw: stored,
    deviation,
    approval_id: text?.id ?? null,
    version_number: text?.number ?? null,
    reply: readReply(event, raw),
  };
}

/**
 * Returns a minimal row for an event that the database rejected for an unexpected reason. It is counted with its
 * recipient and raises an alarm. No other data is stored.
 */
export function incompleteRowOf({ key, metric, is_known, at, recipient }: EventRow): EventRow {
  return {
    ...{ key, metric, is_known, at, recipient },
    kind: metric ?? 'unreadable',
    campaign: '',
    step: null,
    raw: {},
    approval_id: null,
    version_number: null,
    reply: null,
    deviation: {
      kind: 'incomplete',
      subject: metric ?? 'unreadable',
      text: 'An event could not be stored in full. It was counted, but its text was not compared with the approved texts.',
    },
  };
}

/**
 * Returns 'kari@rival.no' for 'Kari <Kari@rival.no>' and 'mailto:kari@rival.no', the form in which blocklists are
 * compared.
 */
function plainRecipient(recipient: string): string {
  const address = /<([^<>]+)>\s*$/.exec(recipient)?.[1] ?? recipient;
  return address
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .toLowerCase()
    .replace(/^mailto:/, '')
    .replace(/^["']|["'.]$/g, '');
}

function storablePayload(raw: unknown): unknown {
  if (!isRecord(raw) || depthOf(raw) > MAX_DEPTH) return {};
  const stored = storableValue(Object.fromEntries(Object.entries(raw).filter(([name]) => !REMOVED_FIELDS.has(name))));
  return JSON.stringify(stored).length > MAX_CHARACTERS ? {} : stored;
}

/** Returns the nesting depth, at most one more than the maximum. */
function depthOf(value: unknown, remaining = MAX_DEPTH + 1): number {
  if (remaining === 0 || typeof value !== 'object' || value === null) return 0;
  let depth = 0;
  for (const inner of Object.values(value)) depth = Math.max(depth, depthOf(inner, remaining - 1));
  return depth + 1;
}
