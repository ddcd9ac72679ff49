/** Length of a page of a list in the admin area. */
export const PAGE_SIZE = 24;

/** Pages until this one are read without asking before how many rows there are. */
export const FAR_PAGE = 20;

/** Returns the first and the last row of a page, from 0, as `range()` wants them. Pages count from 1. */
export function pageRange(page: number): [first: number, last: number] {
  return [(page - 1) * PAGE_SIZE, page * PAGE_SIZE - 1];
}

/** The rows of a page, and whether they count from the end of the list, where the last comes first. */
export interface PageRows {
  first: number;
  last: number;
  isFromEnd: boolean;
}

/**
 * Returns from which end of a list of so many rows a page is read: an offset costs what it skips, so the last page is
 * read like the first, in the opposite order.
 */
export function nearerEnd(page: number, count: number, size = PAGE_SIZE): PageRows {
  const first = (page - 1) * size;
  const rest = count - first;
  if (rest <= 0 || first <= rest) return { first, last: first + size - 1, isFromEnd: false };
  return { first: Math.max(rest - size, 0), last: rest - 1, isFromEnd: true };
}
