/**
 * Password rules, and hashing with bcrypt on libuv's thread pool. The cost is the same as in Supabase Auth. Never hash
 * inside a database transaction, because hashing takes as long as a hundred queries.
 */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/bcrypt';
import type { Config } from '../config.ts';
import { currentCaller } from '../database/caller.ts';
import { FairQueue } from '../limits/fair-queue.ts';
import { networkPath } from '../limits/networks.ts';
import { authError, WeakPasswordError, type WeakPasswordReason } from './error-codes.ts';

const COST = 10;
const MAX_LENGTH = 128;

/** Hash of a random text with the same cost, so that a check takes as long for an unknown account. */
const DUMMY_HASH = hash(crypto.randomUUID(), COST);

const POOL_SIZE = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);

/**
 * Hashes computed in parallel. One core stays free for other work, including the other steps of sign-ins. One thread of
 * the pool stays free for files, DNS and signatures.
 */
const MAX_CONCURRENT = Math.max(1, Math.min(availableParallelism(), POOL_SIZE) - 1);

/**
 * Queue by network. A thousand sign-ins from one network delay each other, but a user in another network waits for only
 * one or two hashes. A core computes about twenty hashes per second.
 */
const queue = new FairQueue({
  maxConcurrent: MAX_CONCURRENT,
  maxQueued: 1000,
  maxWaitMs: 10_000,
  createError: () =>
    authError('over_request_rate_limit', 'Too many sign-ins at the moment. Please try again shortly.', 503),
});

function enqueue<T>(work: () => Promise<T>): Promise<T> {
  const caller = currentCaller();
  return queue.run(caller ? ['requests', ...networkPath(caller.address)] : ['background'], work);
}

/** @throws ApiError 503 if too many hashes are queued */
export function hashPassword(password: string): Promise<string> {
  return enqueue(() => hash(password, COST));
}

/**
 * Compares a password with its hash. Without a hash (unknown account, or no password set), returns false after the
 * same time.
 * @throws ApiError 503 if too many hashes are queued
 */
export function verifyPassword(password: string, encrypted: string | null): Promise<boolean> {
  return enqueue(async () => {
    const isMatch = await verify(password, encrypted || (await DUMMY_HASH));
    return isMatch && Boolean(encrypted);
  });
}

/**
 * @throws WeakPasswordError that lists all missing requirements, with Supabase Auth's messages
 * @see https://github.com/supabase/auth/blob/master/internal/api/password.go
 */
export function requireStrongPassword(config: Config, password: string): void {
  const { AUTH_PASSWORD_MIN_LENGTH: minLength, AUTH_PASSWORD_CHARACTERS: sets } = config;
  const issues: [WeakPasswordReason, string][] = [];
  if (password.length < minLength) issues.push(['length', `Password should be at least ${minLength} characters.`]);
  if (password.length > MAX_LENGTH) issues.push(['length', `Password cannot be longer than ${MAX_LENGTH} characters.`]);
  if (sets.some((set) => ![...set].some((character) => password.includes(character)))) {
    issues.push(['characters', `Password should contain at least one character of each: ${sets.join(', ')}.`]);
  }
  if (issues.length === 0) return;
  throw new WeakPasswordError(
    issues.map(([, message]) => message).join(' '),
    issues.map(([reason]) => reason),
  );
}
