/**
 * The things that are read of an event, from whichever provider, and the pieces that the readers share. Providers name the same thing
 * differently on their own pages and over the years, so each thing is looked for under all of its names.
 */
import { EVENT_METRICS, type EventMetric } from '../metrics.ts';
import { storableText } from './characters.ts';

export interface CampaignEvent {
  /** As the provider calls it. */
  kind: string;
  /** Null for what is counted nowhere. */
  metric: EventMetric | null;
  isKnown: boolean;
  /** Makes it one with its doubles beside the kind or metric; '' when the provider gives no such thing. */
  id: string;
  /** ISO 8601 in UTC; null when it does not say. */
  at: string | null;
  /** The provider's name of the campaign, or ''. */
  campaign: string;
  /** From 1 on; null when it does not say, or counts in a way that is not known. */
  step: number | null;
  /** Address of the person whom it is about, or ''. */
  recipient: string;
  subject: string;
  /** Text or HTML of a message that went out, or ''. */
  text: string;
}

/** Event types of a provider by the metric that they count, empty for a metric that the provider sends no events for. */
export type EventTypes = Record<EventMetric, readonly string[]>;

export function metricsByType(types: EventTypes): ReadonlyMap<string, EventMetric> {
  const metrics = new Map<string, EventMetric>();
  for (const metric of EVENT_METRICS) for (const type of types[metric]) metrics.set(type, metric);
  return metrics;
}

/**
 * Returns the text of the first of the paths, such as lead.email, at which an object has one that is not empty; without what
 * no text of the database can hold, NUL and halves of characters.
 */
export function textAt(source: unknown, ...paths: string[]): string {
  for (const path of paths) {
    const found = path.split('.').reduce(inside, source);
    if (typeof found === 'string' && found.trim() !== '') return storableText(found).trim();
    if (typeof found === 'number' && Number.isFinite(found)) return String(found);
  }
  return '';
}

function inside(source: unknown, name: string): unknown {
  return isRecord(source) && Object.hasOwn(source, name) ? source[name] : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a time in ISO 8601, in UTC when it names no zone, or in seconds or milliseconds since 1970. */
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
