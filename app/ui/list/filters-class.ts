/** Class of a row with the search and filters. On phones, the filters share the width equally. */
export const FILTERS_CLASS =
  'flex flex-wrap items-center gap-3 max-sm:[&>:first-child]:basis-full max-sm:[&>:has(>select)]:min-w-36 max-sm:[&>:has(>select)]:flex-1';
