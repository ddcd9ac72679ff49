/**
 * Replaces @node-rs/bcrypt in vitest.config.ts with the lowest cost. Tests of the cost, and servers that tests start as
 * processes, use the real package.
 */
import { hash as hashAtCost } from '@node-rs/bcrypt/index.js';
import { LOWEST_COST } from './quick-hash.ts';

export { hashSync, verify } from '@node-rs/bcrypt/index.js';

export function hash(password: string): Promise<string> {
  return hashAtCost(password, LOWEST_COST);
}
