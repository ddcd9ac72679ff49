/**
 * Client that the database works for, known wherever the database is used: the code that answers a request notes it
 * once, at its entry, and nothing in between has to hand it on. Work that nobody asked for just now, such as mails, has
 * no caller.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Caller {
  /**
   * Lanes take turns before networks do, so that each gets its share of a busy database: signing in, the pages that are
   * rendered in this process, and what else is asked over the network.
   */
  lane: 'sign-in' | 'pages' | 'requests';
  /** The network address; '' in the lane of the pages. */
  address: string;
  /** The account of the access token, once it was read. */
  account: string | null;
}

const callers = new AsyncLocalStorage<Caller | undefined>();

/** Runs work for somebody, and all that it leads to. */
export function runAsCaller<T>(caller: Caller, work: () => T): T {
  return callers.run(caller, work);
}

/** Runs work of our own, also work that a request has set off: nobody pays for it, and it may wait for longer. */
export function runWithoutCaller<T>(work: () => T): T {
  return callers.run(undefined, work);
}

/** Undefined for work of our own. */
export function currentCaller(): Caller | undefined {
  return callers.getStore();
}
