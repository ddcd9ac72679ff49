/** The part of an address of the News page behind its question mark; what is missing is the first page of everything. */
export interface NewsSearch {
  page?: number | undefined;
  category?: string | undefined;
  q?: string | undefined;
}

/** Without zod, because this part of every route is in the first page's JavaScript. */
export function readNewsSearch({ page, category, q }: Record<string, unknown>): NewsSearch {
  const number = Number(page);
  return {
    ...text('category', category),
    ...text('q', q),
    ...(Number.isInteger(number) && number > 1 && number <= 100_000 && { page: number }),
  };
}

/** The router reads a text of digits as a number. */
function text(name: string, value: unknown) {
  const typed = typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, 100) : '';
  return typed && { [name]: typed };
}
