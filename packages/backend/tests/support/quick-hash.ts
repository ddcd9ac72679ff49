import { hashSync } from '@node-rs/bcrypt';

/** The least that bcrypt knows: a 64th of the work of the server's own hashes. */
export const LEAST_COST = 4;

/**
 * Hashes the password of an account that a test only needs to be there. It is stored as the hash of a site that moved
 * (`password_hash`), and a sign-in then takes the work that the hash names; the server has no setting for it.
 */
export function quickHash(password: string): string {
  return hashSync(password, LEAST_COST);
}
