import { rangeNotSatisfiable } from '../rest-errors.ts';
import type { Range } from './query-types.ts';

/** Parses a Range header such as `0-19` or `20-`. Other values are ignored. @throws ApiError PGRST103 */
export function parseRangeHeader(header: string | null): Range | null {
  const match = /^\s*(\d{1,15})-(\d{0,15})\s*$/.exec(header ?? '');
  if (!match) return null;
  const offset = Number(match[1]);
  if (match[2] === '') return { limit: null, offset };
  const last = Number(match[2]);
  if (last < offset) {
    throw rangeNotSatisfiable(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    );
  }
  return { limit: last - offset + 1, offset };
}

/** Returns the intersection of the header with limit/offset of the query. */
export function intersectRanges(a: Range, b: Range): Range {
  const offset = Math.max(a.offset, b.offset);
  const end = Math.min(rangeEnd(a), rangeEnd(b));
  return { offset, limit: Number.isFinite(end) ? Math.max(0, end - offset) : null };
}

function rangeEnd({ limit, offset }: Range): number {
  return limit === null ? Number.POSITIVE_INFINITY : offset + limit;
}
