import type { CSSProperties } from 'react';

/** Class for the facts and status of a row. Wide lists show them in columns, narrow lists below the title. */
export const COLUMNS_CLASS = '@4xl:grid @4xl:grid-cols-[var(--facts)_6.5rem] @4xl:items-center @4xl:gap-x-4';

/** Total width of the buttons at the end of a row. */
export const ACTIONS_CLASS = 'w-27 shrink-0 max-sm:w-auto';

/** Widths of the columns by their number. If there are two, the second is often a short sentence, such as a price. */
const WIDTHS: Record<number, string> = {
  1: '15rem',
  2: '8rem clamp(8rem, 20cqw, 14rem)',
  3: '3.5rem 11rem 9.5rem',
};

/** Returns a CSS variable with the widths of the columns. */
export function columnWidths(facts: number): CSSProperties {
  return { '--facts': WIDTHS[facts] };
}
