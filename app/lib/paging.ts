/** Length of a page of a list in the admin area. */
export const PAGE_SIZE = 24;

/** Returns the first and the last row of a page, from 0, as `range()` wants them. Pages count from 1. */
export function pageRange(page: number): [first: number, last: number] {
  return [(page - 1) * PAGE_SIZE, page * PAGE_SIZE - 1];
}
