import { clsx } from 'clsx';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { factsOfRow, type ListRow, nameOfRow } from './list-row.ts';

/** Rows shown before expanding. */
const FIRST = 8;

interface RowListProps {
  title: string;
  /** Rows of the page. Empty if none match the search. */
  rows: readonly ListRow[];
  /** Searches the list. */
  onSearch: (text: string) => void;
  /** Renders the buttons of a row, or returns null. */
  actions: (row: ListRow) => ReactNode;
}

/** Rows of a list with the reason why each is on it. Expands instead of scrolling, so that no row is cut off. */
export function RowList({ title, rows, onSearch, actions }: RowListProps) {
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  if (rows.length === 0) return <p className="text-muted">No rows match your search.</p>;
  const showAll = () => {
    setWhole(true);
    // The pressed button is removed, so move focus.
    list.current?.focus({ preventScroll: true });
  };
  const shown = isWhole ? rows : rows.slice(0, FIRST);
  return (
    <>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={`Rows of ${title}`}
        className="grid grid-cols-1 divide-y divide-line rounded-md border border-line bg-surface px-4"
      >
        {shown.map((row) => (
          <li
            key={row.line}
            className="grid grid-cols-1 items-center gap-x-6 gap-y-2 py-2.5 sm:min-h-14 sm:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_auto]"
          >
            <RowText row={row} onSearch={onSearch} />
            <div className="flex flex-wrap items-center gap-2 sm:justify-end">{actions(row)}</div>
          </li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <Button variant="link" className="justify-self-start" onClick={showAll}>
          {`Show all ${rows.length} rows`}
        </Button>
      )}
    </>
  );
}

function RowText({ row, onSearch }: { row: ListRow; onSearch: RowListProps['onSearch'] }) {
  const { company, domain, note, of_company, is_vetoed } = row;
  const className = clsx('min-w-0 [overflow-wrap:anywhere]', is_vetoed && 'text-muted line-through');
  return (
    <>
      <div className={className}>
        <p className="font-medium">{nameOfRow(row)}</p>
        <p className="text-sm text-muted">{factsOfRow(row).join(' · ')}</p>
      </div>
      <div className={className}>
        {note && <p className="text-sm">{`Why: ${note}`}</p>}
        {of_company > 1 && (
          <Button variant="link" className="text-sm" onClick={() => onSearch(domain)}>
            {`${of_company} rows of ${company || domain}`}
          </Button>
        )}
      </div>
    </>
  );
}
