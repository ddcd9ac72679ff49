import type { RestRequest } from '../parse/parse-request.ts';
import type { Range } from '../parse/query-types.ts';
import { notASingleRow, rangeNotSatisfiable } from '../rest-errors.ts';
import { contentRange } from './content-range.ts';
import { preferenceApplied } from './preference-applied.ts';

/** @throws ApiError PGRST103 past the end of a counted result, PGRST116 when one row was asked for */
export function respondToRead(
  request: RestRequest,
  range: Range,
  result: { body: string; rows: number; total: number | null },
): Response {
  const { mediaType, preferences } = request;
  const { body, rows, total } = result;
  if (total !== null && range.offset > total) {
    throw rangeNotSatisfiable(`An offset of ${range.offset} was requested, but there are only ${total} rows.`);
  }
  if (mediaType.kind === 'object' && rows !== 1) throw notASingleRow(rows);
  const headers: Record<string, string> = {
    'content-type': mediaType.contentType,
    'content-range': contentRange(range.offset, range.offset + rows - 1, total),
  };
  const applied = preferenceApplied(preferences, ['count', 'handling']);
  if (applied !== null) headers['preference-applied'] = applied;
  if (request.namesProfile) headers['content-profile'] = 'public';
  const isPartial = total !== null && rows < total;
  return new Response(request.method === 'HEAD' ? null : body, { status: isPartial ? 206 : 200, headers });
}
