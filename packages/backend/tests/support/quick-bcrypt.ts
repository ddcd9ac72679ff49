/**
 * Replaces @node-rs/bcrypt in vitest.config.ts: it hashes at the lowest cost. Tests about the cost replace it by the
 * real one, and servers that tests start as a process use the real one.
 */
import { hash as hashAtCost } from '@node-rs/bcrypt/index.js';
import { LEAST_COST } from './quick-hash.ts';

export { hashSync, verify } from '@node-rs/bcrypt/index.js';

export function hash(password: string): Promise<string> {
  return hashAtCost(password, LEAST_COST);
}
