/**
 * Errors in Supabase Storage's format: nearly all are HTTP 400 with the real status as text in the body ({statusCode,
 * code, error, message}). `error` is an older name of the code that clients still compare with. If Supabase Storage has
 * the same error, the message is the same. Additional information is in `details`.
 */
import type { Logger } from 'pino';
import { DatabaseBusyError, DatabaseError, transientErrorMessage } from '../database/database.ts';
import { errorCode } from '../database/errors.ts';
import { ApiError } from '../http/api-error.ts';
import { requestIdFrom } from '../http/request-id.ts';

const LEGACY_NAMES: Record<string, string> = {
  NoSuchBucket: 'Bucket not found',
  NoSuchKey: 'not_found',
  AccessDenied: 'Unauthorized',
  ResourceAlreadyExists: 'Duplicate',
  InvalidMimeType: 'invalid_mime_type',
  InvalidRange: 'invalid_range',
  InvalidBucketName: 'Invalid Input',
  EntityTooLarge: 'Payload too large',
  SlowDown: 'Slow down',
};

export const noSuchBucket = () => new ApiError(404, 'NoSuchBucket', 'Bucket not found');
export const noSuchKey = (cause?: unknown) => new ApiError(404, 'NoSuchKey', 'Object not found', { cause });
export const accessDenied = (message: string, cause?: unknown) => new ApiError(403, 'AccessDenied', message, { cause });
/** The byte store does not respond, or rejects the request. */
export const storeUnavailable = (cause: unknown) =>
  new ApiError(
    503,
    'StorageUnavailable',
    'The file storage cannot be reached right now. Please try again in a moment.',
    {
      cause,
    },
  );
/** Too many requests, from one network (429) or in total (503). */
export const slowDown = (status: 429 | 503, message: string) => new ApiError(status, 'SlowDown', message);
/** Error of a Supabase Storage feature that this service lacks, with Supabase's message for a disabled feature. */
export const featureNotEnabled = (feature: string) =>
  new ApiError(409, 'FeatureNotEnabled', `The feature ${feature} is not enabled for this resource`);
export const invalidRequest = (message: string, cause?: unknown) =>
  new ApiError(400, 'InvalidRequest', message, { cause });

/**
 * Returns the response to a failed request. An unexpected error is logged, and an unavailable or full dependency is
 * logged with its cause. Expected errors are not logged. The response to an unexpected error contains only the id of
 * the log entry.
 */
export function errorResponse(error: unknown, { log, request }: { log: Logger; request: Request }): Response {
  const apiError = asApiError(error);
  const requestId = requestIdFrom(request.headers.get('x-request-id'));
  const isExpected = error instanceof DatabaseBusyError || (apiError !== undefined && apiError.cause === undefined);
  const isFault = !apiError || (apiError.status >= 500 && !isExpected);
  if (isFault && !request.signal.aborted) log.error({ err: error, requestId }, 'A storage request failed');
  if (!apiError) {
    const message = `Internal Server Error (request ${requestId})`;
    return Response.json({ statusCode: '500', code: 'InternalError', error: 'Internal', message }, { status: 500 });
  }
  const { status, code, message, details } = apiError;
  return Response.json(
    { statusCode: String(status), code, error: LEGACY_NAMES[code] ?? code, message, ...(details ? { details } : {}) },
    {
      status: keepsStatus(status) ? status : 400,
      headers: { 'cache-control': 'no-store', ...(status === 429 && { 'retry-after': '60' }) },
    },
  );
}

/**
 * Returns whether an error is sent with its real HTTP status, because clients other than the official one depend on it.
 */
function keepsStatus(status: number): boolean {
  return status >= 500 || status === 416 || status === 429;
}

/** Maps an error of Postgres or the file system to an API error. Returns undefined for other errors. */
export function asApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (NO_SPACE.has(errorCode(error))) {
    const message = 'The file was not saved, because the disk of the server is full.';
    return new ApiError(507, 'InsufficientStorage', message, { cause: error });
  }
  const transientMessage = transientErrorMessage(error);
  if (transientMessage !== null) return new ApiError(503, 'DatabaseError', transientMessage, { cause: error });
  if (error instanceof DatabaseError) {
    if (error.code === '42501') return accessDenied('new row violates row-level security policy', error);
    if (error.code === '23503') return noSuchBucket();
    if (error.code === '23505') {
      return new ApiError(409, 'ResourceAlreadyExists', 'The resource already exists', { cause: error });
    }
    // Text and numbers that Postgres cannot store, such as NUL.
    if (error.code.startsWith('22'))
      return invalidRequest('The request contains a value that cannot be stored.', error);
  }
  return undefined;
}

/** Error codes of the file system and of Postgres for a full disk. */
const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', '53100']);
