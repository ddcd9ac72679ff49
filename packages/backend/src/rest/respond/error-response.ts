/** Returns any error as {code, message, details, hint} with PostgREST's status. */
import type { Logger } from 'pino';
import { DatabaseError, transientErrorMessage } from '../../database/database.ts';
import { ApiError } from '../../http/api-error.ts';
import { IdentityError } from '../../http/identity.ts';
import { requestIdFrom } from '../../http/request-id.ts';
import { DatabaseTimeSpentError, invalidIdentity, RestError } from '../rest-errors.ts';
import { sqlStateStatus } from './sql-state-status.ts';

/**
 * Returns the response to an error. An unexpected error is logged, and the response has only the id of its log entry.
 */
export function errorResponse(
  error: unknown,
  options: { isAnonymous: boolean; log: Logger; request: Request },
): Response {
  if (error instanceof IdentityError) return errorResponse(invalidIdentity(error), options);
  if (error instanceof DatabaseError) return databaseErrorResponse(error, options.isAnonymous);
  if (error instanceof ApiError) {
    const details = error instanceof RestError ? (error.structuredDetails ?? error.details) : error.details;
    const { status, code, message, hint } = error;
    return respond(status, { code, message, details, hint }, errorHeaders(error));
  }
  const requestId = requestIdFrom(options.request.headers.get('x-request-id'));
  options.log.error({ err: error, requestId }, 'A table API request failed');
  const message = `Something went wrong on our side. Please mention the request id ${requestId} if you report it.`;
  return respond(500, { code: 'XX000', message, details: null, hint: null }, { 'x-request-id': requestId });
}

/** If the body was not read completely, the connection cannot be reused. */
function errorHeaders(error: ApiError): Record<string, string> {
  if (error instanceof DatabaseTimeSpentError) return { 'retry-after': String(error.retryAfterSeconds) };
  return error.status === 413 || error.code === 'PGRST196' ? { connection: 'close' } : {};
}

interface ErrorBody {
  code: string;
  message: string;
  details: unknown;
  hint: string | null;
}

function databaseErrorResponse(error: DatabaseError, isAnonymous: boolean): Response {
  const { code, message, detail: details, hint } = error;
  // Replace messages that mislead: a full disk is reported with a file path, and a read-only database even for a GET.
  const transientMessage = transientErrorMessage(error);
  const status = transientMessage ? 503 : sqlStateStatus(code, message, isAnonymous);
  return respond(status, { code, message: transientMessage ?? message, details, hint });
}

function respond(status: number, body: ErrorBody, headers: Record<string, string> = {}): Response {
  const isUnauthorized = status === 401;
  const challenge = body.code.startsWith('PGRST3')
    ? `Bearer error="invalid_token", error_description=${JSON.stringify(body.message)}`
    : 'Bearer';
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'proxy-status': `PostgREST; error=${body.code}`,
      ...(isUnauthorized ? { 'www-authenticate': challenge } : {}),
      ...headers,
    },
  });
}
