import type { CSSProperties } from 'react';

/** The facts and the status of a row, side by side where the list is wide; else one after the other below the title. */
export const COLUMNS_CLASS =
  '@4xl:grid @4xl:grid-cols-[repeat(var(--facts),var(--fact))_6.5rem] @4xl:items-center @4xl:gap-x-4';

/** Width of the buttons at the end of a row together. */
export const ACTIONS_CLASS = 'w-27 shrink-0';

/** Returns the widths of the columns: the fewer there are, the wider. */
export function columnWidths(facts: number): CSSProperties {
  const width = facts > 1 ? '8rem' : '15rem';
  return { '--facts': facts, '--fact': width };
}
