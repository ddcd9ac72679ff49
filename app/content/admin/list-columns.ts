import type { CSSProperties } from 'react';

/** Class for the facts and status of a row. Wide lists show them in columns, narrow lists below the title. */
export const COLUMNS_CLASS =
  '@4xl:grid @4xl:grid-cols-[repeat(var(--facts),var(--fact))_6.5rem] @4xl:items-center @4xl:gap-x-4';

/** Total width of the buttons at the end of a row. */
export const ACTIONS_CLASS = 'w-27 shrink-0 max-sm:w-auto';

/** Returns CSS variables for the columns. They are wider if there are fewer, so that short facts fit on one line. */
export function columnWidths(facts: number): CSSProperties {
  const width = { 2: 'clamp(8rem, 19cqw, 13rem)', 3: '8rem' }[facts] ?? '15rem';
  return { '--facts': facts, '--fact': width };
}
