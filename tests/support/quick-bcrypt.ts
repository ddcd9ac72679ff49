/**
 * Stands for @node-rs/bcrypt in the tests on a Postgres server (vitest.config.ts): it hashes at the least cost, and is the
 * real one otherwise. The tests on PGlite, the browser tests and backend/auth/passwords.test.ts have the server's own cost.
 */
import { hash as hashAtCost } from '@node-rs/bcrypt/index.js';
import { LEAST_COST } from './quick-hash.ts';

export { hashSync, verify } from '@node-rs/bcrypt/index.js';

export function hash(password: string): Promise<string> {
  return hashAtCost(password, LEAST_COST);
}
