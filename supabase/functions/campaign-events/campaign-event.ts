/**
 * The common form of campaign events, and helpers that the readers of all providers share. Field names differ between
 * documentation and API versions, so the readers try every known name.
 */
import { EVENT_METRICS, type EventMetric } from '../metrics.ts';
import { storableText } from './characters.ts';

export interface CampaignEvent {
  /** The provider's name for the event type. */
  kind: string;
  /** Null if no metric counts the event. */
  metric: EventMetric | null;
  isKnown: boolean;
  /** Key for deduplication, together with the kind or metric. '' if the provider sends no id. */
  id: string;
  /** ISO 8601 in UTC. Null if missing. */
  at: string | null;
  /** The provider's name for the campaign, or ''. */
  campaign: string;
  /** Starts at 1. Null if missing, or if the provider may start at 0. */
  step: number | null;
  /** Address of the recipient, or ''. */
  recipient: string;
  subject: string;
  /** Text or HTML of a sent message, or ''. */
  text: string;
}

/** A provider's event types by the metric that they count. Empty if the provider sends no events for a metric. */
export type EventTypes = Record<EventMetric, readonly string[]>;

export function metricsByType(types: EventTypes): ReadonlyMap<string, EventMetric> {
  const metrics = new Map<string, EventMetric>();
  for (const metric of EVENT_METRICS) for (const type of types[metric]) metrics.set(type, metric);
  return metrics;
}

/**
 * Returns the first non-empty text at one of the paths, such as lead.email. Removes NUL and unpaired surrogates, which
 * Postgres rejects.
 */
export function textAt(source: unknown, ...paths: string[]): string {
  for (const path of paths) {
    const value = path.split('.').reduce(inside, source);
    if (typeof value === 'string' && value.trim() !== '') return storableText(value).trim();
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  }
  return '';
}

function inside(source: unknown, name: string): unknown {
  return isRecord(source) && Object.hasOwn(source, name) ? source[name] : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses ISO 8601 (UTC if it has no zone), or seconds or milliseconds since 1970. */
export function timeAt(source: unknown, ...paths: string[]): string | null {
  const text = textAt(source, ...paths);
  if (text === '') return null;
  const number = /^\d{9,13}$/.test(text) ? Number(text) * (text.length <= 10 ? 1000 : 1) : Number.NaN;
  const withZone = /(?:z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text.replace(' ', 'T')}Z`;
  const time = new Date(Number.isNaN(number) ? withZone : number);
  const year = time.getUTCFullYear();
  return year >= 2000 && year < 2200 ? time.toISOString() : null;
}

export function stepAt(source: unknown, ...paths: string[]): number | null {
  const step = Number(textAt(source, ...paths));
  return Number.isInteger(step) && step >= 1 && step <= 1000 ? step : null;
}
