import { createAddressLimit } from '@signalfjord/backend';

const PER_MINUTE = 60;

/**
 * Returns a function that tells whether a page may be rendered for a client. The table API counts the database time of
 * each network; pages are rendered in the name of nobody. So the renders of pages are counted that have endless
 * addresses, each of which costs a search.
 * @returns a function of the address of the client and that of the page, as it is kept
 */
export function createSearchLimit(isLimited: boolean): (client: string, page: string) => boolean {
  if (!isLimited) return () => true;
  const secondsToWait = createAddressLimit({ attempts: PER_MINUTE, seconds: 60 });
  // Pages of the news with a search, a filter or a number: more of them than anybody could keep, each of which reads.
  return (client, page) => !page.startsWith('/news?') || secondsToWait(client) === 0;
}
