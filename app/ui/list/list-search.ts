/** The state of a list in the address: /admin/posts?q=fjord&status=draft&page=2. Part of every visitor's code: no zod. */
export interface ListSearch {
  q?: string;
  status?: 'draft' | 'published';
  page?: number;
  category?: string;
  sort?: 'changed' | 'newest' | 'title';
}

/** Reads what is in the address; anything else is left out. */
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
