/** Maps SQLSTATEs to HTTP statuses (https://docs.postgrest.org/en/stable/references/errors.html#http-status-codes). */

const BY_CODE: Readonly<Record<string, number>> = {
  // A character that text cannot store, such as NUL, raw and escaped in JSON.
  '22021': 400,
  '22P05': 400,
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53400': 500,
  '57P01': 503,
  // The server is starting, or stopping after a crash. PostgREST also returns 503, because it cannot connect.
  '57P02': 503,
  '57P03': 503,
  P0001: 400,
};

const BY_CLASS: Readonly<Record<string, number>> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  '54': 413,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
};

/**
 * Two cardinality errors caused by the request itself: a missing filter, and an upsert with a duplicate row (PostgREST
 * returns 500). Others are caused by functions and views.
 */
const CARDINALITY_OF_REQUEST =
  /requires a WHERE clause$|^ON CONFLICT DO UPDATE command cannot affect row a second time$/;

/** Invalid full-text queries, which Postgres reports as internal errors or exceeded limits. */
const INVALID_SEARCH = /^tsquery stack too small$|in tsquery$|^tsquery is too large$/;

/** Returns the status of an SQLSTATE. Unlisted codes are client errors (400). */
export function sqlStateStatus(code: string, message: string, isAnonymous: boolean): number {
  if (code === '42501') return isAnonymous ? 401 : 403;
  if (code === '21000') return CARDINALITY_OF_REQUEST.test(message) ? 400 : 500;
  if (code === '22023') return /^role .* does not exist$/.test(message) ? 401 : 400;
  if ((code === 'XX000' || code === '54000') && INVALID_SEARCH.test(message)) return 400;
  // Functions choose a status with `raise sqlstate 'PT402'`.
  const customStatus = /^PT([2-5]\d\d)$/.exec(code)?.[1];
  if (customStatus !== undefined) return Number(customStatus);
  return BY_CODE[code] ?? BY_CLASS[code.slice(0, 2)] ?? 400;
}
