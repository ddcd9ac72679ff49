/** The one look of lists whose items are rows. */
export const ROWS_CLASS = 'divide-y divide-line rounded-lg border border-line bg-surface';
