/** The body of a write or of a function call. */
import { invalidBody } from '../rest-errors.ts';
import { parseCsv } from './parse-csv.ts';

export interface Payload {
  /** The body as JSON text: an object or an array of objects, passed to Postgres as it came. */
  json: string;
  /** The keys that are written, or the arguments that are given; sorted. */
  keys: readonly string[];
  /** A body that is passed on as it is to a function with a single unnamed parameter. */
  rawType: 'json' | 'text' | 'xml' | 'bytea';
}

/**
 * Reads rows to write. With `columns` the keys are those, and Postgres judges the JSON.
 * @throws ApiError PGRST102
 */
export async function parseRows(request: Request, columns: readonly string[] | null): Promise<Payload> {
  const text = await request.text();
  switch (contentType(request)) {
    case 'application/json':
      return columns === null ? jsonPayload(text) : { json: text, keys: columns, rawType: 'json' };
    case 'text/csv':
      return withColumns(jsonPayload(JSON.stringify(parseCsv(text))), columns);
    case 'application/x-www-form-urlencoded':
      return withColumns(jsonPayload(formJson(text)), columns);
    default:
      throw invalidBody(`Content-Type not acceptable: ${contentType(request)}`);
  }
}

/** Reads the arguments of a function call. @throws ApiError PGRST102 */
export async function parseArguments(request: Request, columns: readonly string[] | null): Promise<Payload> {
  const text = await request.text();
  switch (contentType(request)) {
    case 'application/json':
      return text.trim() === '' ? jsonPayload('{}') : withColumns(jsonPayload(text), columns);
    case 'application/x-www-form-urlencoded':
      return jsonPayload(formJson(text));
    case 'text/plain':
      return { json: text, keys: [], rawType: 'text' };
    case 'text/xml':
      return { json: text, keys: [], rawType: 'xml' };
    case 'application/octet-stream':
      return { json: text, keys: [], rawType: 'bytea' };
    default:
      throw invalidBody(`Content-Type not acceptable: ${contentType(request)}`);
  }
}

function contentType(request: Request): string {
  const header = request.headers.get('content-type') ?? 'application/json';
  return header.split(';')[0]?.trim().toLowerCase() ?? '';
}

function formJson(text: string): string {
  return JSON.stringify(Object.fromEntries(new URLSearchParams(text)));
}

function withColumns(payload: Payload, columns: readonly string[] | null): Payload {
  return columns === null ? payload : { ...payload, keys: columns };
}

function jsonPayload(json: string): Payload {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw invalidBody('Empty or invalid json');
  }
  if (!Array.isArray(value)) return { json, keys: isObject(value) ? keysOf(value) : [], rawType: 'json' };
  const [first, ...others] = value;
  if (first === undefined) return { json, keys: [], rawType: 'json' };
  const keys = isObject(first) ? keysOf(first) : null;
  const isUniform = others.every((other) => isObject(other) && keysOf(other).join('\0') === keys?.join('\0'));
  if (keys === null || !isUniform) throw invalidBody('All object keys must match');
  return { json, keys, rawType: 'json' };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function keysOf(value: object): string[] {
  return Object.keys(value).sort();
}
