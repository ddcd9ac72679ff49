import type { CSSProperties } from 'react';

/** Class for the details and status of a row. Wide lists show them in columns, narrow lists below the title. */
export const COLUMNS_CLASS = '@4xl:grid @4xl:grid-cols-[var(--columns)_6.5rem] @4xl:items-center @4xl:gap-x-4';

/** Total width of the buttons at the end of a row. */
export const ACTIONS_CLASS = 'w-27 shrink-0 max-sm:w-auto';

/** Column widths by number of columns. In lists with two columns, the second is often a short text, such as a price. */
const WIDTHS: Record<number, string> = {
  1: '15rem',
  2: '8rem clamp(8rem, 20cqw, 14rem)',
  3: '3.5rem 11rem 9.5rem',
};

/** Returns a style that sets a CSS variable to the column widths. */
export function columnWidths(columnCount: number): CSSProperties {
  return { '--columns': WIDTHS[columnCount] };
}
