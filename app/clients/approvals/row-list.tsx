import { clsx } from 'clsx';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { formatRowName, type ListRow, listRowDetails } from './list-row.ts';

/** Number of rows shown while the list is collapsed. */
const COLLAPSED_ROWS = 8;

interface RowListProps {
  title: string;
  /** Rows of the page. Empty if none match the search. */
  rows: readonly ListRow[];
  /** Searches the list. */
  onSearch: (text: string) => void;
  /** Renders a row's buttons, or returns null. */
  actions: (row: ListRow) => ReactNode;
}

/**
 * Renders list rows with the reason for each row. Expands instead of scrolling, so that no row is cut off.
 */
export function RowList({ title, rows, onSearch, actions }: RowListProps) {
  const [showsAll, setShowsAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  if (rows.length === 0) return <p className="text-muted">No rows match your search.</p>;
  const showAll = () => {
    setShowsAll(true);
    // The pressed button is removed, so move focus to the list.
    list.current?.focus({ preventScroll: true });
  };
  const visibleRows = showsAll ? rows : rows.slice(0, COLLAPSED_ROWS);
  return (
    <>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={`Rows of ${title}`}
        className="grid grid-cols-1 divide-y divide-line rounded-md border border-line bg-surface px-4"
      >
        {visibleRows.map((row) => (
          <li
            key={row.line}
            className="grid grid-cols-1 items-center gap-x-6 gap-y-2 py-2.5 sm:min-h-14 sm:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_auto]"
          >
            <RowText row={row} />
            <div className="flex flex-wrap items-center max-sm:-mx-3 sm:justify-end">
              {row.company_rows > 1 && (
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={`Show all ${row.company_rows} of ${row.company || row.domain}, line ${row.line}`}
                  onClick={() => onSearch(row.domain)}
                >
                  {`Show all ${row.company_rows}`}
                </Button>
              )}
              <span className="contents">{actions(row)}</span>
            </div>
          </li>
        ))}
      </ul>
      {visibleRows.length < rows.length && (
        <Button variant="link" className="justify-self-start" onClick={showAll}>
          {`Show all ${rows.length} rows`}
        </Button>
      )}
    </>
  );
}

function RowText({ row }: { row: ListRow }) {
  const className = clsx('min-w-0 [overflow-wrap:anywhere]', row.is_vetoed && 'text-muted line-through');
  return (
    <>
      <div className={className}>
        <p className="font-medium">{formatRowName(row)}</p>
        <p className="text-sm text-muted">{listRowDetails(row).join(' · ')}</p>
      </div>
      <p className={clsx('text-sm empty:max-sm:hidden', className)}>{row.note && `Why: ${row.note}`}</p>
    </>
  );
}
