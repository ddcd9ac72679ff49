/**
 * The query names that pages and files read on the server, and how many characters of each. The server cuts every other
 * name off before it looks for a kept page or renders one; in the browser all of them are there. A name that only routes
 * without server rendering read does not belong here.
 */
export const QUERY_NAMES = {
  '/news': { page: 20, category: 100, q: 100 },
  '/projects': { case: 300 },
  '/og.png': { path: 3000 },
  // That a version is named is all that matters.
  '/favicon.svg': { v: 0 },
  '/favicon.ico': { v: 0 },
  '/apple-touch-icon.png': { v: 0 },
  '/icon/$name': { v: 0 },
} as const;

/** The query of a route as it comes: the names that are declared for it. */
export type QueryOf<Path extends keyof typeof QUERY_NAMES> = {
  readonly [Name in keyof (typeof QUERY_NAMES)[Path]]?: unknown;
};
