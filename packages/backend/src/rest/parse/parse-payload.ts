/** The body of a write or of a function call. */
import type { RequestLimits } from '../request-limits.ts';
import { invalidBody, limitExceeded } from '../rest-errors.ts';
import { measureJson } from './measure-json.ts';
import { parseCsv } from './parse-csv.ts';
import type { RequestBody } from './read-body.ts';

export interface Payload {
  /** The body as JSON text: an object or an array of objects, passed to Postgres unchanged. */
  json: string;
  /** Sorted names of the written columns, or of the arguments. */
  keys: readonly string[];
}

/** Arguments of a function call. */
export interface CallArguments {
  /** Names of the arguments in the call. */
  names: readonly string[];
  /** Arguments as text from a query or a form. Null for any other body. */
  pairs: readonly (readonly [name: string, value: string])[] | null;
  /** All arguments as a JSON object, or the whole body for a single unnamed parameter. */
  body: string | Uint8Array;
  /** Type of the unnamed parameter that accepts this body. Null if there can be no such parameter. */
  rawType: 'json' | 'text' | 'xml' | 'bytea' | null;
}

/** Postgres parses nested JSON recursively, and real data is not nested this deep. */
const MAX_JSON_DEPTH = 64;

/**
 * Parses rows to write. `columns` replace the keys of the rows, and JSON is then only validated by Postgres.
 * @throws ApiError PGRST102, PGRST190, PGRST192
 */
export function parseRows(body: RequestBody, columns: readonly string[] | null, limits: RequestLimits): Payload {
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

/** Parses the arguments of a function call from its body. @throws ApiError PGRST102, PGRST190 */
export function parseArguments(
  body: RequestBody,
  columns: readonly string[] | null,
  limits: RequestLimits,
): CallArguments {
  const { contentType, text } = body;
  switch (contentType) {
    case 'application/json':
      requireShallow(text, limits);
      return jsonArguments(text.trim() === '' ? '{}' : text, columns, limits);
    case 'application/x-www-form-urlencoded':
      return textArguments([...new URLSearchParams(text)], limits);
    case 'text/plain':
      return rawArguments(text, 'text');
    case 'text/xml':
      return rawArguments(text, 'xml');
    case 'application/octet-stream':
      return rawArguments(body.bytes, 'bytea');
    default:
      throw invalidBody(`Content-Type not acceptable: ${contentType}`);
  }
}

function jsonArguments(text: string, columns: readonly string[] | null, limits: RequestLimits): CallArguments {
  const { json, keys } = withColumns(jsonPayload(text, limits), columns);
  return { names: keys, pairs: null, body: json, rawType: 'json' };
}

function rawArguments(body: string | Uint8Array, rawType: CallArguments['rawType']): CallArguments {
  return { names: [], pairs: null, body, rawType };
}

/** Returns arguments as text, which Postgres parses as the types of the parameters. @throws ApiError PGRST190 */
export function textArguments(
  pairs: readonly (readonly [string, string])[],
  { fields, role }: RequestLimits,
): CallArguments {
  if (pairs.length > fields) throw limitExceeded('columns', fields, role);
  const names = [...new Set(pairs.map(([name]) => name))];
  return { names, pairs, body: JSON.stringify(Object.fromEntries(pairs)), rawType: null };
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
  const keys = listKeys(value);
  if (keys.length > fields) throw limitExceeded('columns', fields, role);
  return { json, keys };
}

/** Returns the keys of an object, or the keys that all objects of a list have. */
function listKeys(value: unknown): string[] {
  if (!Array.isArray(value)) return isObject(value) ? sortedKeys(value) : [];
  const [firstRow, ...otherRows] = value;
  if (firstRow === undefined) return [];
  const keys = isObject(firstRow) ? sortedKeys(firstRow) : null;
  const isUniform = otherRows.every((row) => isObject(row) && sortedKeys(row).join('\0') === keys?.join('\0'));
  if (keys === null || !isUniform) throw invalidBody('All object keys must match');
  return keys;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortedKeys(value: object): string[] {
  return Object.keys(value).sort();
}
