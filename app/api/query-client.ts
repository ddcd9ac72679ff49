import { hashKey, QueryClient, type QueryPersister } from '@tanstack/react-query';
import { createIsomorphicFn } from '@tanstack/react-start';
import { errorCode, rejectionMessage } from './error-code.ts';
import { requireSiteHost } from './host/site-host.ts';

const STALE_TIME_MS = 5 * 60 * 1000;
const MAX_RETRIES = 3;
const MAX_RETRY_DELAY_MS = 30_000;

/** Creates a query cache. The browser has one per page load, and the server has one per request. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_TIME_MS,
        // The server does not retry, so that it responds immediately.
        retry: typeof window === 'undefined' ? false : shouldRetry,
        retryDelay,
        ...sharedReads(),
      },
    },
  });
}

/** Shares query results between all renders, because rendered pages are the same for all visitors. */
const sharedReads = createIsomorphicFn()
  .server((): { persister?: QueryPersister } => ({
    persister: (read, context) =>
      requireSiteHost().remember(hashKey(context.queryKey), async () => read(context as never)),
  }))
  .client((): { persister?: QueryPersister } => ({}));

/** Allows up to three retries. Requests that the backend rejected are not retried. */
export function shouldRetry(failures: number, error: unknown): boolean {
  return failures < MAX_RETRIES && !hasRejectionCode(error) && rejectionMessage(error) === null;
}

/** Returns the delay before a retry: 1, 2, 4, … seconds, at most 30. */
export function retryDelay(failures: number): number {
  return Math.min(1000 * 2 ** failures, MAX_RETRY_DELAY_MS);
}

/** Returns true for permanent errors: PostgREST codes (PGRST…) and SQLSTATE classes 22, 23 and 42. */
function hasRejectionCode(error: unknown): boolean {
  return /^(PGRST[12]\d\d|(22|23|42)[A-Z0-9]{3})$/.test(errorCode(error));
}

/**
 * Prefetches lists for a route. The server waits for them, so that they are part of the HTML. The browser does not
 * wait, so that navigation is immediate. Each list shows its own errors.
 */
export async function prefetchLists(...prefetches: Promise<void>[]): Promise<void> {
  const fetching = Promise.all(prefetches);
  if (typeof window === 'undefined') await fetching;
}
