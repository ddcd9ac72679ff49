/**
 * The caller of the current request, stored in an AsyncLocalStorage. It is set once when a request arrives, so that it
 * does not have to be passed along. Background work, such as sending mails, has no caller.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Caller {
  /**
   * A lane of requests: sign-in, pages rendered in this process, or other requests. Each lane gets its share of a busy
   * database before networks are compared.
   */
  lane: 'sign-in' | 'pages' | 'requests';
  /** The network address; '' in the lane `pages`. */
  address: string;
  /** The account of the access token; null until it is verified. */
  account: string | null;
}

const callers = new AsyncLocalStorage<Caller | undefined>();

/** Runs work, and everything it starts, on behalf of a caller. */
export function runAsCaller<T>(caller: Caller, work: () => T): T {
  return callers.run(caller, work);
}

/** Runs background work, even if a request started it. The work is not charged to a caller and may wait longer. */
export function runWithoutCaller<T>(work: () => T): T {
  return callers.run(undefined, work);
}

/** Returns undefined for background work. */
export function currentCaller(): Caller | undefined {
  return callers.getStore();
}
