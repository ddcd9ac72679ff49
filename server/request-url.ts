/** Normalised URL of a request, used for routing and rate limits. */

export interface RequestUrl {
  /** Starts with one slash. Unreserved characters are decoded. No segment is '.', '..' or empty. */
  path: string;
  /** Query string with '?', unchanged, or ''. */
  search: string;
}

/** Fast path: URLs that are already normal. */
const NORMAL = /^(?:\/(?!\.)[\w.~-]+)*(?:\/|(?<=.))$/;

/**
 * Normalises the path (RFC 3986, section 6.2.2) and collapses repeated slashes, as the router does.
 * @returns null for an invalid path: relative, broken percent-encoding, or NUL, which Postgres text cannot contain
 */
export function parseRequestUrl(url: string): RequestUrl | null {
  if (NORMAL.test(url)) return { path: url, search: '' };
  if (!url.startsWith('/') || url.includes('%00')) return null;
  const end = url.search(/[?#]/);
  const search = end < 0 ? '' : url.slice(end);
  const raw = (end < 0 ? url : url.slice(0, end)).replaceAll(/[\\/]+/g, '/');
  try {
    decodeURIComponent(raw);
  } catch {
    return null;
  }
  const { pathname } = new URL(`http://site${raw}`);
  const path = pathname.replaceAll(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
  return { path: path.replaceAll(/\/{2,}/g, '/'), search: search.startsWith('?') ? search : '' };
}

/** Checks for repeated slashes, which redirect to the collapsed URL. */
export function hasExtraSlashes(url: string): boolean {
  return /^[^?#]*\/\/|^[^?#]+\/(?:[?#]|$)/.test(url);
}

/** Query parameters read by each route on the server, with their maximum length. */
export type QueryNames = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * Returns a function that reduces a query to the declared parameters of its route, in declaration order, so that extra
 * parameters do not bypass the cache. Repeated parameters are ignored, as in the router.
 */
export function createQueryReader(names: QueryNames): (url: RequestUrl) => string {
  const routes = Object.entries(names).map(([pattern, lengths]) => ({
    matches: new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll(/\$\w+/g, '[^/]+')}$`),
    lengths: Object.entries(lengths),
  }));
  return ({ path, search }) => {
    const route = search.length > 1 ? routes.find(({ matches }) => matches.test(path)) : undefined;
    if (!route) return '';
    const parameters = new URLSearchParams(search);
    const result = new URLSearchParams();
    for (const [name, length] of route.lengths) {
      const [value, ...duplicates] = parameters.getAll(name);
      if (value !== undefined && duplicates.length === 0) result.set(name, value.slice(0, length));
    }
    return result.size > 0 ? `?${result}` : '';
  };
}
