/** The body of a write or of a function call. */
import type { RequestLimits } from '../request-limits.ts';
import { invalidBody, limitExceeded } from '../rest-errors.ts';
import { measureJson } from './measure-json.ts';
import { parseCsv } from './parse-csv.ts';
import type { SentBody } from './read-body.ts';

export interface Payload {
  /** The body as JSON text: an object or an array of objects, passed to Postgres as it came. */
  json: string;
  /** The keys that are written, or the arguments that are given; sorted. */
  keys: readonly string[];
}

/** What a function is called with. */
export interface CallPayload {
  /** The arguments as a JSON object, or what a single unnamed parameter takes as it came. */
  body: string | Uint8Array;
  keys: readonly string[];
  /** The type that such a parameter must have. */
  rawType: 'json' | 'text' | 'xml' | 'bytea';
}

/** Postgres follows nested JSON with its stack, and nothing that people write is nested like this. */
const MAX_JSON_DEPTH = 64;

/**
 * Reads rows to write. With `columns` the keys are those, and Postgres judges the JSON.
 * @throws ApiError PGRST102, PGRST190, PGRST192
 */
export function parseRows(body: SentBody, columns: readonly string[] | null, limits: RequestLimits): Payload {
  const { contentType, text } = body;
  switch (contentType) {
    case 'application/json':
      requireShallow(text, limits);
      return columns === null ? jsonPayload(text, limits) : { json: text, keys: columns };
    case 'text/csv':
      return withColumns(jsonPayload(JSON.stringify(parseCsv(text, limits)), limits), columns);
    case 'application/x-www-form-urlencoded':
      return withColumns(jsonPayload(formJson(text), limits), columns);
    default:
      throw invalidBody(`Content-Type not acceptable: ${contentType}`);
  }
}

/** Reads the arguments of a function call. @throws ApiError PGRST102, PGRST190 */
export function parseArguments(body: SentBody, columns: readonly string[] | null, limits: RequestLimits): CallPayload {
  const { contentType, text } = body;
  switch (contentType) {
    case 'application/json':
      requireShallow(text, limits);
      return asCall(text.trim() === '' ? jsonPayload('{}', limits) : withColumns(jsonPayload(text, limits), columns));
    case 'application/x-www-form-urlencoded':
      return asCall(jsonPayload(formJson(text), limits));
    case 'text/plain':
      return { body: text, keys: [], rawType: 'text' };
    case 'text/xml':
      return { body: text, keys: [], rawType: 'xml' };
    case 'application/octet-stream':
      return { body: body.bytes, keys: [], rawType: 'bytea' };
    default:
      throw invalidBody(`Content-Type not acceptable: ${contentType}`);
  }
}

function asCall({ json, keys }: Payload): CallPayload {
  return { body: json, keys, rawType: 'json' };
}

function formJson(text: string): string {
  return JSON.stringify(Object.fromEntries(new URLSearchParams(text)));
}

function withColumns(payload: Payload, columns: readonly string[] | null): Payload {
  return columns === null ? payload : { ...payload, keys: columns };
}

function requireShallow(json: string, { rows, role }: RequestLimits): void {
  const { depth, items } = measureJson(json);
  if (depth > MAX_JSON_DEPTH) throw invalidBody(`JSON can be nested at most ${MAX_JSON_DEPTH} levels deep`);
  if (items > rows && /^\s*\[/.test(json)) throw limitExceeded('rows', rows, role);
}

function jsonPayload(json: string, { fields, role }: RequestLimits): Payload {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw invalidBody('Empty or invalid json');
  }
  const keys = keysOf(value);
  if (keys.length > fields) throw limitExceeded('columns', fields, role);
  return { json, keys };
}

/** The keys that all objects of a list have, or those of the one object. */
function keysOf(value: unknown): string[] {
  if (!Array.isArray(value)) return isObject(value) ? sortedKeys(value) : [];
  const [first, ...others] = value;
  if (first === undefined) return [];
  const keys = isObject(first) ? sortedKeys(first) : null;
  const isUniform = others.every((other) => isObject(other) && sortedKeys(other).join('\0') === keys?.join('\0'));
  if (keys === null || !isUniform) throw invalidBody('All object keys must match');
  return keys;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortedKeys(value: object): string[] {
  return Object.keys(value).sort();
}
