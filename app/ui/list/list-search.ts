/**
 * State of a list in the URL: /admin/posts?q=fjord&status=draft&page=2. This file is in the initial bundle, so it does
 * not use zod.
 */
export interface ListSearch {
  q?: string;
  status?: 'draft' | 'published';
  page?: number;
  category?: string;
  sort?: 'changed' | 'newest' | 'title';
}

/** Parses the URL search and ignores unknown values. */
export function readListSearch(search: Record<string, unknown>): ListSearch {
  const { q, status, page, category, sort } = search;
  return {
    ...((typeof q === 'string' && q !== '') || typeof q === 'number' ? { q: String(q) } : {}),
    ...(status === 'draft' || status === 'published' ? { status } : {}),
    ...((typeof category === 'string' && category !== '') || typeof category === 'number'
      ? { category: String(category) }
      : {}),
    ...(sort === 'changed' || sort === 'newest' || sort === 'title' ? { sort } : {}),
    ...(typeof page === 'number' && Number.isSafeInteger(page) && page > 1 ? { page } : {}),
  };
}
