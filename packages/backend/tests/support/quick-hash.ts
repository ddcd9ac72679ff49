import { hashSync } from '@node-rs/bcrypt';

/** Lowest cost of bcrypt, which takes a 64th of the time of the server's cost. */
export const LEAST_COST = 4;

/**
 * Hashes the password of a test account at the lowest cost. Import the hash as `password_hash`: the cost of the server
 * cannot be configured, but sign-ins use the cost in the hash.
 */
export function quickHash(password: string): string {
  return hashSync(password, LEAST_COST);
}
