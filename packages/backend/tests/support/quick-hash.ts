import { hashSync } from '@node-rs/bcrypt';

/** The lowest cost of bcrypt: a 64th of the server's. */
export const LEAST_COST = 4;

/**
 * Hashes the password of a test account. It is stored as an imported hash (`password_hash`), and a sign-in uses the
 * cost in the hash. The server has no setting for it.
 */
export function quickHash(password: string): string {
  return hashSync(password, LEAST_COST);
}
