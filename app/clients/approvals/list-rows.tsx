import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { rowsQuery, vetoMutation } from './approval-lists.ts';
import type { Approval } from './approvals.ts';
import { factsOfRow, type ListRow, nameOfRow } from './list-row.ts';
import { VetoDialog } from './veto-dialog.tsx';

interface ListRowsProps {
  clientId: string;
  approval: Approval;
  /** Set for approvers while no decision has been made. */
  canVeto: boolean;
}

/** Paginated, searchable rows of a list, with buttons to remove them. */
export function ListRows({ clientId, approval, canVeto }: ListRowsProps) {
  const [filters, setFilters] = useState<{ search?: string | undefined; onlyVetoed: boolean; page: number }>({
    onlyVetoed: false,
    page: 1,
  });
  const { search, onlyVetoed, page } = filters;
  const [rowToRemove, setRowToRemove] = useState<ListRow | null>(null);
  const { data, error, isPending, refetch } = useQuery(rowsQuery(clientId, approval, { search, onlyVetoed, page }));
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SearchBox
          label={`Search ${approval.title}`}
          value={search}
          onSearch={(text) => setFilters({ ...filters, search: text, page: 1 })}
        />
        {approval.veto_count > 0 && (
          <Switch
            label={
              approval.veto_count === 1
                ? 'Only the removed row'
                : `Only the ${approval.veto_count.toLocaleString('en-GB')} removed rows`
            }
            checked={onlyVetoed}
            onChange={(event) => setFilters({ ...filters, onlyVetoed: event.target.checked, page: 1 })}
          />
        )}
      </div>
      {isPending && <Skeleton className="h-48 rounded-md" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <p className="text-muted">No rows match your search.</p>}
      {data && data.items.length > 0 && (
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
          tabIndex={0}
          aria-label={`Rows of ${approval.title}`}
          className="grid max-h-96 grid-cols-1 divide-y divide-line overflow-auto rounded-md border border-line bg-sunken px-3"
        >
          {data.items.map((row) => (
            <Row
              key={row.line}
              clientId={clientId}
              approval={approval}
              row={row}
              onVeto={canVeto ? setRowToRemove : null}
            />
          ))}
        </ul>
      )}
      <Pagination page={page} count={data?.count} onTurn={(next) => setFilters({ ...filters, page: next })} />
      {rowToRemove && (
        <VetoDialog clientId={clientId} approval={approval} row={rowToRemove} onClose={() => setRowToRemove(null)} />
      )}
    </div>
  );
}

interface RowProps {
  clientId: string;
  approval: Approval;
  row: ListRow;
  /** Null if rows cannot be removed or restored. */
  onVeto: ((row: ListRow) => void) | null;
}

function Row({ clientId, approval: { id, number }, row, onVeto }: RowProps) {
  const name = nameOfRow(row);
  const restore = useMutationWithToasts(vetoMutation, { failure: 'Could not restore the row' });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
      <div
        className={clsx('min-w-0 flex-1 basis-36 [overflow-wrap:anywhere]', row.is_vetoed && 'text-muted line-through')}
      >
        <p>{name}</p>
        <p className="text-sm text-muted">{factsOfRow(row).join(' · ')}</p>
        {row.note && <p className="text-sm">{`Why: ${row.note}`}</p>}
      </div>
      {row.is_vetoed && !onVeto && <span className="text-sm">Removed</span>}
      {onVeto &&
        (row.is_vetoed ? (
          <Button
            variant="ghost"
            size="sm"
            loading={restore.isPending}
            aria-label={`Restore ${name}`}
            onClick={() => restore.mutate({ clientId, id, number, target: { line: row.line }, isBack: true })}
          >
            Restore
          </Button>
        ) : (
          <Button variant="secondary" size="sm" aria-label={`Remove ${name}`} onClick={() => onVeto(row)}>
            Remove
          </Button>
        ))}
    </li>
  );
}
