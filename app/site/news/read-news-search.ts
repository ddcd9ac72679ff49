import type { QueryOf } from '../../api/host/query-names.ts';

/** The part of an address of the News page behind its question mark; what is missing is the first page of everything. */
export interface NewsSearch {
  page?: number | undefined;
  category?: string | undefined;
  q?: string | undefined;
}

/**
 * Reads the search without zod, because this part of every route is in the first page's JavaScript. All keys are there,
 * because the router takes the unread value for one that is missing.
 */
export function readNewsSearch({ page, category, q }: QueryOf<'/news'>): NewsSearch {
  const number = Number(page);
  return {
    category: text(category),
    q: text(q),
    page: Number.isInteger(number) && number > 1 && number <= 100_000 ? number : undefined,
  };
}

/** Returns a text, also one of digits, which the router reads as a number. */
function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).trim().slice(0, 100) || undefined
    : undefined;
}
