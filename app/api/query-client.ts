import { hashKey, QueryClient, type QueryPersister } from '@tanstack/react-query';
import { createIsomorphicFn } from '@tanstack/react-start';
import { errorCode, refusalOf } from './error-code.ts';
import { requireSiteHost } from './host/site-host.ts';

const STALE_TIME_MS = 5 * 60 * 1000;
const MAX_RETRIES = 3;
const MAX_RETRY_DELAY_MS = 30_000;

/** Creates a cache: one per page load in the browser, one per request on the server. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_TIME_MS,
        // On the server a failed read is answered at once; the browser tries again.
        retry: typeof window === 'undefined' ? false : isWorthRetrying,
        retryDelay,
        ...sharedReads(),
      },
    },
  });
}

/** The server renders every page for anybody, so what one render has read serves the others. */
const sharedReads = createIsomorphicFn()
  .server((): { persister?: QueryPersister } => ({
    persister: (read, context) =>
      requireSiteHost().remember(hashKey(context.queryKey), async () => read(context as never)),
  }))
  .client((): { persister?: QueryPersister } => ({}));

/**
 * Tells whether to try again: at most 3 times, and never what the backend refused, which would give the same answer.
 */
export function isWorthRetrying(failures: number, error: unknown): boolean {
  return failures < MAX_RETRIES && !hasRefusalCode(error) && refusalOf(error) === null;
}

/** 1, 2, 4, … seconds, at most 30. */
export function retryDelay(failures: number): number {
  return Math.min(1000 * 2 ** failures, MAX_RETRY_DELAY_MS);
}

/** PostgREST codes (PGRST…) and SQLSTATEs of class 22, 23 and 42 are about the request, not about the moment. */
function hasRefusalCode(error: unknown): boolean {
  return /^(PGRST[12]\d\d|(22|23|42)[A-Z0-9]{3})$/.test(errorCode(error));
}

/**
 * Loads lists for a route: on the server waits until they are there, so that they are in the first HTML; in the browser
 * only starts them, so that the next page opens at once and shows its loading text. A failure is shown by the list
 * itself.
 */
export async function prefetchLists(...prefetches: Promise<void>[]): Promise<void> {
  const fetching = Promise.all(prefetches);
  if (typeof window === 'undefined') await fetching;
}
