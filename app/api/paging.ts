/** Page size of lists in the admin area. */
export const PAGE_SIZE = 24;

/** Returns the first and last row (0-based) of a page (1-based) for `range()`. */
export function pageRange(page: number): [first: number, last: number] {
  return [(page - 1) * PAGE_SIZE, page * PAGE_SIZE - 1];
}
