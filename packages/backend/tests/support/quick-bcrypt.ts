/**
 * Test double of @node-rs/bcrypt that always hashes with the lowest cost. vitest.config.ts sets the alias. Tests of the
 * cost and servers in child processes use the real package.
 */
import { hash as hashAtCost } from '@node-rs/bcrypt/index.js';
import { LOWEST_COST } from './quick-hash.ts';

export { hashSync, verify } from '@node-rs/bcrypt/index.js';

export function hash(password: string): Promise<string> {
  return hashAtCost(password, LOWEST_COST);
}
