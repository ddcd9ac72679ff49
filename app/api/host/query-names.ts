/**
 * Query parameters that the server reads, with their maximum lengths. The server drops all other parameters before it
 * looks up the page cache or renders. The browser receives all parameters. Parameters of client-only routes are not
 * listed.
 */
export const QUERY_NAMES = {
  '/news': { page: 20, category: 100, q: 100 },
  '/projects': { case: 300 },
  '/og.png': { path: 3000 },
  // The icon routes only check whether a version is present, so its value is dropped.
  '/favicon.svg': { v: 0 },
  '/favicon.ico': { v: 0 },
  '/apple-touch-icon.png': { v: 0 },
  '/icon/$name': { v: 0 },
} as const;

/** Raw query of a route, with its declared parameters. */
export type QueryOf<Path extends keyof typeof QUERY_NAMES> = {
  readonly [Name in keyof (typeof QUERY_NAMES)[Path]]?: unknown;
};
