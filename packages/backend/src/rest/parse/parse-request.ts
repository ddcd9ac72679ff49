/** Parses an HTTP request to a RestRequest, as far as possible without the schema. */
import type { RequestLimits } from '../request-limits.ts';
import {
  invalidPath,
  limitNotAllowedForPut,
  methodNotForFunctions,
  methodNotSupported,
  rootNotAvailable,
  schemaNotExposed,
} from '../rest-errors.ts';
import { type MediaType, negotiateMediaType } from './parse-media-type.ts';
import { type Preferences, parsePreferences } from './parse-preferences.ts';
import { parseQuery } from './parse-query.ts';
import { intersectRanges, parseRangeHeader } from './parse-range.ts';
import type { Query } from './query-types.ts';

type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface RestRequest {
  method: Method;
  target: { kind: 'table' | 'function' | 'root'; name: string };
  query: Query;
  preferences: Preferences;
  mediaType: MediaType;
  /** The requested schema. */
  schema: string;
  /** True if the response names the schema: several are exposed, or the request has a profile header. */
  returnsProfile: boolean;
}

export const API_PATH = '/rest/v1';

/** @param schemas exposed schemas, default first @throws ApiError PGRST1xx */
export function parseRequest(
  request: Request,
  { url, schemas, limits }: { url: URL; schemas: readonly string[]; limits: RequestLimits },
): RestRequest {
  const target = parseTarget(url.pathname, limits);
  const method = requireMethod(request.method, target.kind);
  const isRead = method === 'GET' || method === 'HEAD';
  const profile = request.headers.get(isRead ? 'accept-profile' : 'content-profile');
  const schema = profile ?? schemas[0] ?? 'public';
  if (!schemas.includes(schema)) throw schemaNotExposed(schema, schemas);
  const query = parseQuery(url.searchParams, { hasArguments: isRead && target.kind === 'function' });
  if (method === 'PUT' && query.ranges.length > 0) throw limitNotAllowedForPut();
  return {
    method,
    target,
    query: isRead ? withRangeHeader(query, request.headers.get('range')) : query,
    preferences: parsePreferences(request.headers.get('prefer'), limits),
    mediaType: negotiateMediaType(request.headers.get('accept'), { ...limits, isRoot: target.kind === 'root' }),
    schema,
    returnsProfile: profile !== null || schemas.length > 1,
  };
}

function parseTarget(pathname: string, { allowsSchemaDescription }: RequestLimits): RestRequest['target'] {
  const segments = pathname.slice(API_PATH.length).split('/').filter(Boolean);
  const isFunction = segments[0] === 'rpc' && segments.length === 2;
  const name = segments.at(-1);
  if (name === undefined && allowsSchemaDescription) return { kind: 'root', name: '' };
  if (name === undefined) throw rootNotAvailable();
  if (segments.length > 1 && !isFunction) throw invalidPath();
  try {
    return { kind: isFunction ? 'function' : 'table', name: decodeURIComponent(name) };
  } catch {
    throw invalidPath();
  }
}

function requireMethod(method: string, kind: RestRequest['target']['kind']): Method {
  if (kind === 'root' && method !== 'GET' && method !== 'HEAD') throw methodNotSupported(method);
  switch (method) {
    case 'GET':
    case 'HEAD':
    case 'POST':
      return method;
    case 'PATCH':
    case 'PUT':
    case 'DELETE':
      if (kind === 'function') throw methodNotForFunctions(method);
      return method;
    default:
      throw methodNotSupported(method);
  }
}

function withRangeHeader(query: Query, header: string | null): Query {
  const headerRange = parseRangeHeader(header);
  if (headerRange === null) return query;
  const queryRange = query.ranges.find(({ path }) => path.length === 0)?.value ?? { limit: null, offset: 0 };
  return {
    ...query,
    ranges: [
      ...query.ranges.filter(({ path }) => path.length > 0),
      { path: [], value: intersectRanges(headerRange, queryRange) },
    ],
  };
}
