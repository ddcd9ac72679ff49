/**
 * Formats errors. A client that sends X-Supabase-Api-Version 2024-01-01 gets {code, message}, an older one {code:
 * status, error_code, msg}. x-sb-error-code is set either way. OAuth grants have their own format.
 */
import type { Logger } from 'pino';
import { DatabaseError, transientErrorMessage } from '../database/database.ts';
import { ApiError } from '../http/api-error.ts';
import { requestIdFrom } from '../http/request-id.ts';
import { authError, OAuthError, WeakPasswordError } from './error-codes.ts';

const VERSION_HEADER = 'x-supabase-api-version';
/** SQLSTATEs for text that Postgres cannot store: NUL, and unpaired surrogates. */
const UNSTORABLE = new Set(['22021', '22P05', '22P02']);

const NEW_FORMAT_SINCE = '2024-01-01';

/** Converts any error to an API error. Unknown errors get a fixed message, and their cause is only logged. */
export function asAuthError(error: unknown, { log, request }: { log: Logger; request: Request }): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseError && UNSTORABLE.has(error.code)) {
    return authError('validation_failed', 'The request contains a character that cannot be stored');
  }
  const transientMessage = transientErrorMessage(error);
  if (transientMessage !== null) return authError('unexpected_failure', transientMessage, 503);
  const requestId = requestIdFrom(request.headers.get('x-request-id'));
  log.error({ err: error, requestId }, 'an authentication request failed');
  return authError('unexpected_failure', `Something went wrong on our side (request ${requestId})`);
}

export function errorResponse(request: Request, error: ApiError): Response {
  const { status } = error;
  const headers = new Headers({ 'x-sb-error-code': error.code });
  if (error instanceof OAuthError) {
    return Response.json({ error: error.code, error_description: error.message }, { status, headers });
  }
  const details = error instanceof WeakPasswordError ? { weak_password: { reasons: error.reasons } } : {};
  const version = request.headers.get(VERSION_HEADER) ?? '';
  if (/^\d{4}-\d{2}-\d{2}$/.test(version) && version >= NEW_FORMAT_SINCE) {
    headers.set(VERSION_HEADER, NEW_FORMAT_SINCE);
    return Response.json({ code: error.code, message: error.message, ...details }, { status, headers });
  }
  return Response.json({ code: status, error_code: error.code, msg: error.message, ...details }, { status, headers });
}
