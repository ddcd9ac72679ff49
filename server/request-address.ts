/** The one form of an address, which every limit and every decision about a request reads. */

export interface Address {
  /** Begins with one slash; unreserved characters stand for themselves, and no segment is '.', '..' or empty. */
  path: string;
  /** Query with its question mark, as it was sent; '' for none. */
  search: string;
}

/** Most requests: nothing that could be written in another way. */
const NORMAL = /^(?:\/(?!\.)[\w.~-]+)*(?:\/|(?<=.))$/;

/**
 * Returns the address with its path normalised as RFC 3986 says (section 6.2.2), and with runs of slashes made one,
 * because the router reads them as one.
 * @returns null for what has no such form: no path, broken percent-encoding, or a NUL, which no text of the database
 * holds
 */
export function readAddress(url: string): Address | null {
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

/** Tells whether a page at this address has another one: with fewer slashes. */
export function hasSpareSlashes(url: string): boolean {
  return /^[^?#]*\/\/|^[^?#]+\/(?:[?#]|$)/.test(url);
}

/** Names that each route reads of its query on the server, and how many characters of each. */
export type QueryNames = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * Returns a function that reads from the query of a page what its route declares, in the order of the declaration.
 * Everything else changes nothing of the page: an address with additions gets the page that is kept. A name that comes
 * twice is none, as for the router.
 */
export function createQueryReader(names: QueryNames): (address: Address) => string {
  const routes = Object.entries(names).map(([pattern, lengths]) => ({
    matches: new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll(/\$\w+/g, '[^/]+')}$`),
    lengths: Object.entries(lengths),
  }));
  return ({ path, search }) => {
    const route = search.length > 1 ? routes.find(({ matches }) => matches.test(path)) : undefined;
    if (!route) return '';
    const given = new URLSearchParams(search);
    const read = new URLSearchParams();
    for (const [name, length] of route.lengths) {
      const [value, ...others] = given.getAll(name);
      if (value !== undefined && others.length === 0) read.set(name, value.slice(0, length));
    }
    return read.size > 0 ? `?${read}` : '';
  };
}
