import type { QueryOf } from '../../api/host/query-names.ts';

/** Query string of the News page. Missing keys mean page 1 of all posts. */
export interface NewsSearch {
  page?: number | undefined;
  category?: string | undefined;
  q?: string | undefined;
}

/**
 * Parses the query string without zod, because this part of each route is in the main chunk. Returns every key, because
 * the router falls back to the raw value of a missing one.
 */
export function readNewsSearch({ page, category, q }: QueryOf<'/news'>): NewsSearch {
  const number = Number(page);
  return {
    category: text(category),
    q: text(q),
    page: Number.isInteger(number) && number > 1 && number <= 100_000 ? number : undefined,
  };
}

/** Returns the value as text. The router parses digits as a number. */
function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).trim().slice(0, 100) || undefined
    : undefined;
}
