import { useMutation, useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState } from 'react';
import { refusalOf } from '../../../api/error-code.ts';
import { Button } from '../../../ui/button.tsx';
import { LoadError } from '../../../ui/load-error.tsx';
import { Pagination } from '../../../ui/pagination.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { linkedRowsQuery, vetoByLinkMutation } from '../linked-parts.ts';
import { factsOfRow, type ListRow, nameOfRow } from '../list-row.ts';

interface LinkedRowsProps {
  token: string;
  title: string;
  canVeto: boolean;
}

/** Paginated rows of a linked list, with buttons to remove a row or its company. */
export function LinkedRows({ token, title, canVeto }: LinkedRowsProps) {
  const [filters, setFilters] = useState<{ search: string | undefined; page: number }>({ search: undefined, page: 1 });
  const { data, error, isPending, refetch } = useQuery(linkedRowsQuery(token, filters));
  const veto = useMutation(vetoByLinkMutation);
  return (
    <div className="grid grid-cols-1 gap-3">
      <SearchBox
        label={`Search ${title}`}
        value={filters.search}
        onSearch={(search) => setFilters({ search, page: 1 })}
      />
      {veto.error && (
        <p role="alert" className="rounded-md bg-danger-soft p-4 font-medium text-danger">
          {refusalOf(veto.error) ?? 'Could not change the list. Please try again.'}
        </p>
      )}
      {isPending && <Skeleton className="h-48 rounded-md" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <p className="text-muted">No rows match your search.</p>}
      {data && data.items.length > 0 && (
        <ul
          aria-label={`Rows of ${title}`}
          className="grid grid-cols-1 divide-y divide-line rounded-md border border-line bg-sunken px-3"
        >
          {data.items.map((row) => (
            <Row
              key={row.line}
              row={row}
              isBusy={veto.isPending}
              onVeto={canVeto ? (target) => veto.mutate({ token, target, isBack: row.is_vetoed }) : null}
            />
          ))}
        </ul>
      )}
      <Pagination page={filters.page} count={data?.count} onTurn={(page) => setFilters({ ...filters, page })} />
    </div>
  );
}

interface RowProps {
  row: ListRow;
  isBusy: boolean;
  /** Null if rows cannot be removed or restored. */
  onVeto: ((target: { line: number } | { domain: string }) => void) | null;
}

function Row({ row, isBusy, onVeto }: RowProps) {
  const { line, domain, is_vetoed, of_company } = row;
  const name = nameOfRow(row);
  const verb = is_vetoed ? 'Restore' : 'Remove';
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
      <div className={clsx('min-w-0 flex-1 basis-36 [overflow-wrap:anywhere]', is_vetoed && 'text-muted line-through')}>
        <p>{name}</p>
        <p className="text-sm text-muted">{factsOfRow(row).join(' · ')}</p>
        {row.note && <p className="text-sm">{`Why: ${row.note}`}</p>}
      </div>
      {!onVeto && is_vetoed && <span className="text-sm">Removed</span>}
      {onVeto && (
        <div className="flex flex-wrap gap-2">
          <Button
            variant={is_vetoed ? 'ghost' : 'secondary'}
            size="sm"
            disabled={isBusy}
            aria-label={`${verb} ${name}`}
            onClick={() => onVeto({ line })}
          >
            {verb}
          </Button>
          {domain !== '' && of_company > 1 && (
            <Button
              variant="ghost"
              size="sm"
              disabled={isBusy}
              aria-label={`${verb} all ${of_company} of ${domain}, line ${line}`}
              onClick={() => onVeto({ domain })}
            >
              {`All ${of_company} of ${domain}`}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
