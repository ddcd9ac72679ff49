import { DatabaseError } from './database.ts';

/** Returns the code of an error: a SQLSTATE, or one of Node's such as ENOENT. Empty if it has no code. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Returns whether the error is a unique violation (SQLSTATE 23505). */
export function isUniqueViolation(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.code === '23505';
}

/** Returns the message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
