/** The row of a list's search and filters; on phones the filters share its lines, each as wide as the other. */
export const FILTERS_CLASS =
  'flex flex-wrap items-center gap-3 max-sm:[&>:has(>select)]:min-w-36 max-sm:[&>:has(>select)]:flex-1';
