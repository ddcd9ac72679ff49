/** Page size of lists in the admin area. */
export const PAGE_SIZE = 24;

/** Pages up to this one are read without counting the rows first. */
export const FAR_PAGE = 20;

/** First and last row of a page for `range()`, from 0. Pages start at 1. */
export function pageRange(page: number): [first: number, last: number] {
  return [(page - 1) * PAGE_SIZE, page * PAGE_SIZE - 1];
}

/** Rows of a page. They may be counted from the end of the list, in reverse order. */
export interface PageRows {
  first: number;
  last: number;
  isFromEnd: boolean;
}

/**
 * Chooses the end from which to read a page. The cost of an offset grows with the rows skipped, so pages near the end
 * are read in reverse order.
 */
export function nearerEnd(page: number, count: number, size = PAGE_SIZE): PageRows {
  const first = (page - 1) * size;
  const rest = count - first;
  if (rest <= 0 || first <= rest) return { first, last: first + size - 1, isFromEnd: false };
  return { first: Math.max(rest - size, 0), last: rest - 1, isFromEnd: true };
}
