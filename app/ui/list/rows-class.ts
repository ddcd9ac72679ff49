/** Shared style of lists with rows. */
export const ROWS_CLASS = 'divide-y divide-line rounded-lg border border-line bg-surface';
