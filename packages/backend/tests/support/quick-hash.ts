import { hashSync } from '@node-rs/bcrypt';

/** Lowest cost of bcrypt. A hash takes a 64th of the time that it takes at the server's cost. */
export const LOWEST_COST = 4;

/**
 * Hashes the password of a test account at the lowest cost. Import the hash as `password_hash`: the cost of the server
 * cannot be configured, but sign-ins use the cost in the hash.
 */
export function quickHash(password: string): string {
  return hashSync(password, LOWEST_COST);
}
