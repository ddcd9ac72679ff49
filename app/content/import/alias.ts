/** Old URLs of imported posts, as in slug_aliases. */

/** Maximum length of an alias. Longer aliases are dropped. */
export const MAX_ALIAS_LENGTH = 500;

/** Normalises an old URL or path for slug_aliases. Returns '' for the home page and for URLs that only have a query. */
export function normalizeAlias(oldUrl: string): string {
  const url = URL.parse(oldUrl, 'https://old.invalid');
  return url
    ? decoded(url.pathname)
        .replace(/\/index\.html?$/, '')
        .replace(/^\/+|\/+$/g, '')
    : '';
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
