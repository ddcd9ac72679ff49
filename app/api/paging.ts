/** Page size of lists in the admin area. */
export const PAGE_SIZE = 24;

/** First and last row of a page for `range()`, from 0. Pages start at 1. */
export function pageRange(page: number): [first: number, last: number] {
  return [(page - 1) * PAGE_SIZE, page * PAGE_SIZE - 1];
}
