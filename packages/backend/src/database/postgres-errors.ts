/** Maps errors of `pg` to `DatabaseError`. */
import pg from 'pg';
import { DatabaseError, UNREACHABLE } from './database.ts';

/** Maps the error of a failed connection attempt. Nothing was sent, so the work can be retried. */
export function connectionError(error: unknown): DatabaseError {
  if (error instanceof pg.DatabaseError) return serverError(error);
  // Retrying fixes neither an untrusted certificate nor a missing password.
  const isFinal = error instanceof Error && (/^SASL|SSL/.test(error.message) || isCertificateError(error));
  if (isFinal) return new DatabaseError({ code: '28000', message: error.message, cause: error });
  return new DatabaseError({ code: '08001', message: UNREACHABLE, cause: error });
}

/** Maps the error of a statement. If the connection was lost, it is unknown whether it ran. */
export function statementError(error: unknown): DatabaseError {
  if (error instanceof pg.DatabaseError) return serverError(error);
  return new DatabaseError({ code: '08006', message: UNREACHABLE, cause: error });
}

/** Returns whether the connection is lost, or the server closes it after the error. */
export function endsConnection(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC';
}

/** TLS error codes of Node, such as DEPTH_ZERO_SELF_SIGNED_CERT and ERR_TLS_CERT_ALTNAME_INVALID. */
function isCertificateError(error: Error): boolean {
  return 'code' in error && /CERT|_TLS_|UNABLE_TO_VERIFY/.test(String(error.code));
}

function serverError(error: pg.DatabaseError): DatabaseError {
  const { code, message, detail, hint, constraint, table, column } = error;
  return new DatabaseError({
    message,
    cause: error,
    ...(code === undefined ? {} : { code }),
    ...(detail === undefined ? {} : { detail }),
    ...(hint === undefined ? {} : { hint }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(table === undefined ? {} : { table }),
    ...(column === undefined ? {} : { column }),
  });
}
