/**
 * Passwords: the rules, and bcrypt at the cost that Supabase Auth uses, on threads of libuv's pool. Never hash inside
 * a database transaction: the embedded database has one connection, and a hash takes longer than a hundred queries.
 */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/bcrypt';
import pLimit from 'p-limit';
import { WeakPasswordError, type WeakPasswordReason } from './error-codes.ts';

const COST = 10;
const MIN_LENGTH = 8;
const MAX_LENGTH = 128;

/** Hash of a random text at the same cost: comparing with it takes as long as comparing with a real one. */
const NOBODYS_HASH = hash(crypto.randomUUID(), COST);

const POOL_SIZE = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);

/**
 * Hashes at once: one more than there are cores, so that none idles while the main thread hands out the next, but a
 * thread of the pool stays free for files, DNS and signatures.
 */
const MAX_AT_ONCE = Math.max(1, Math.min(availableParallelism() + 1, POOL_SIZE - 1));
const inTurn = pLimit(MAX_AT_ONCE);

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST));
}

/** Whether the password fits. Without a hash (no such account, no password set) it takes as long and is false. */
export function verifyPassword(password: string, encrypted: string | null): Promise<boolean> {
  return inTurn(async () => {
    const fits = await verify(password, encrypted || (await NOBODYS_HASH));
    return fits && Boolean(encrypted);
  });
}

/** @throws WeakPasswordError whose message is the one the sign-up form shows for the first broken rule. */
export function requireStrongPassword(password: string): void {
  const broken: [WeakPasswordReason, string][] = [];
  if (password.length < MIN_LENGTH) broken.push(['length', `Password must be at least ${MIN_LENGTH} characters`]);
  if (password.length > MAX_LENGTH) broken.push(['length', `Password must be less than ${MAX_LENGTH} characters`]);
  if (!/[A-Z]/.test(password)) broken.push(['characters', 'Password must contain at least one uppercase letter']);
  if (!/[a-z]/.test(password)) broken.push(['characters', 'Password must contain at least one lowercase letter']);
  if (!/[0-9]/.test(password)) broken.push(['characters', 'Password must contain at least one number']);
  const [first] = broken;
  if (first) throw new WeakPasswordError(first[1], [...new Set(broken.map(([reason]) => reason))]);
}
