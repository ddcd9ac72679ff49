/** Errors of postgres.js as those that everything else here knows. */
import postgres from 'postgres';
import { DatabaseError, isUnreachable, UNREACHABLE } from './database.ts';
import { errorCode } from './errors.ts';

/** Codes of connections that could not be made: nothing was sent. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CONNECT_TIMEOUT',
]);
/** Codes of connections that ended; whether the statement was run is not known. */
const DISCONNECTED = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'CONNECTION_CLOSED', 'CONNECTION_DESTROYED']);

/** Tells whether a connection is lost with an error: its own, or one after which the server ends it. */
export function endsConnection(error: unknown): boolean {
  if (!isUnreachable(error)) return false;
  return !(error.cause instanceof postgres.PostgresError) || error.cause.severity === 'FATAL';
}

/** @throws DatabaseError for what the server or the way to it says; other errors as they are */
export async function withDatabaseErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw asConnectionError(error);
    throw new DatabaseError({
      code: error.code,
      message: error.message,
      cause: error,
      ...(error.detail === undefined ? {} : { detail: error.detail }),
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(error.constraint_name === undefined ? {} : { constraint: error.constraint_name }),
      ...(error.table_name === undefined ? {} : { table: error.table_name }),
      ...(error.column_name === undefined ? {} : { column: error.column_name }),
    });
  }
}

function asConnectionError(error: unknown): unknown {
  const name = errorCode(error);
  const code = NOT_CONNECTED.has(name) ? '08001' : DISCONNECTED.has(name) ? '08006' : null;
  return code ? new DatabaseError({ code, message: UNREACHABLE, cause: error }) : error;
}
