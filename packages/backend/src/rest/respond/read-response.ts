import type { Preferences } from '../parse/parse-preferences.ts';
import type { RestRequest } from '../parse/parse-request.ts';
import type { Range } from '../parse/query-types.ts';
import { notASingleRow, rangeNotSatisfiable } from '../rest-errors.ts';
import type { RestFunction } from '../schema/schema-cache.ts';
import { contentRange } from './content-range.ts';
import { preferenceApplied } from './preference-applied.ts';

interface ReadResult {
  body: string;
  rows: number;
  total: number | null;
}

/** @throws ApiError PGRST103 past the end of a counted result, PGRST116 if a single row was requested */
export function respondToRead(request: RestRequest, range: Range, result: ReadResult): Response {
  if (request.mediaType.kind === 'object' && result.rows !== 1) throw notASingleRow(result.rows);
  const { status, headers } = pageHead(request, range, result, ['count', 'tx', 'handling']);
  headers['content-type'] = request.mediaType.contentType;
  return new Response(request.method === 'HEAD' ? null : result.body, { status, headers });
}

/** Responds to a call as to a read. A function without a result returns 204. @throws ApiError PGRST103 */
export function respondToCall(request: RestRequest, fn: RestFunction, range: Range, result: ReadResult): Response {
  const { status, headers } = pageHead(request, range, result, ['count', 'tx', 'handling', 'maxAffected']);
  if (fn.returns === 'void') return new Response(null, { status: 204, headers });
  headers['content-type'] = request.mediaType.contentType;
  return new Response(request.method === 'HEAD' ? null : result.body, { status, headers });
}

function pageHead(
  { preferences, schema, returnsProfile }: RestRequest,
  { offset }: Range,
  { rows, total }: ReadResult,
  relevant: readonly (keyof Preferences)[],
): { status: number; headers: Record<string, string> } {
  if (total !== null && offset > total) {
    throw rangeNotSatisfiable(`An offset of ${offset} was requested, but there are only ${total} rows.`);
  }
  const headers: Record<string, string> = { 'content-range': contentRange(offset, offset + rows - 1, total) };
  const applied = preferenceApplied(preferences, relevant);
  if (applied !== null) headers['preference-applied'] = applied;
  if (returnsProfile) headers['content-profile'] = schema;
  return { status: total !== null && rows < total ? 206 : 200, headers };
}
