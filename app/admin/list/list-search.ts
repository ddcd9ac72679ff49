/** The state of a list in the address: /admin/posts?q=fjord&status=draft&page=2. Part of every visitor's code: no zod. */
export interface ListSearch {
  q?: string;
  status?: 'draft' | 'published';
  page?: number;
}

/** Reads what is in the address; anything else is left out. */
export function readListSearch(search: Record<string, unknown>): ListSearch {
  const { q, status, page } = search;
  return {
    ...((typeof q === 'string' && q !== '') || typeof q === 'number' ? { q: String(q) } : {}),
    ...(status === 'draft' || status === 'published' ? { status } : {}),
    ...(typeof page === 'number' && Number.isSafeInteger(page) && page > 1 ? { page } : {}),
  };
}
