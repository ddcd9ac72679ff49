import { createAddressLimit } from '@signalfjord/backend';

const PER_MINUTE = 60;

/**
 * Limits renders of search and filter pages. The table API limits database time per network, but the requests of
 * renders contain no client address.
 * @returns a function that counts a render for a client address, and returns true if the page may be rendered
 */
export function createSearchLimit(isLimited: boolean): (client: string, page: string) => boolean {
  if (!isLimited) return () => true;
  const secondsToWait = createAddressLimit({ attempts: PER_MINUTE, seconds: 60 });
  // News pages with a search, filter or page number: too many to cache, and each needs a query.
  return (client, page) => !page.startsWith('/news?') || secondsToWait(client) === 0;
}
