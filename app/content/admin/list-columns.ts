import type { CSSProperties } from 'react';

/** Class for the facts and status of a row. Wide lists show them in columns, narrow lists below the title. */
export const COLUMNS_CLASS =
  '@4xl:grid @4xl:grid-cols-[repeat(var(--facts),var(--fact))_6.5rem] @4xl:items-center @4xl:gap-x-4';

/** Total width of the buttons at the end of a row. */
export const ACTIONS_CLASS = 'w-27 shrink-0';

/** Returns CSS variables for the columns. A single column is wider. */
export function columnWidths(facts: number): CSSProperties {
  const width = facts > 1 ? '8rem' : '15rem';
  return { '--facts': facts, '--fact': width };
}
