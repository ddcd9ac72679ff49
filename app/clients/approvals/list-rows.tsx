import { useQuery } from '@tanstack/react-query';
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
import { formatRowName, type ListRow } from './list-row.ts';
import { RowList } from './row-list.tsx';
import { VetoDialog } from './veto-dialog.tsx';

interface ListRowsProps {
  clientId: string;
  approval: Approval;
  /** True for approvers while the version is pending. */
  canVeto: boolean;
}

/** Lists rows with search, pagination and buttons to remove rows. */
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
      {data && (
        <RowList
          title={approval.title}
          rows={data.items}
          onSearch={(text) => setFilters({ onlyVetoed: false, search: text, page: 1 })}
          actions={(row) => (
            <RowActions clientId={clientId} approval={approval} row={row} onVeto={canVeto ? setRowToRemove : null} />
          )}
        />
      )}
      <Pagination page={page} count={data?.count} onPageChange={(next) => setFilters({ ...filters, page: next })} />
      {rowToRemove && (
        <VetoDialog clientId={clientId} approval={approval} row={rowToRemove} onClose={() => setRowToRemove(null)} />
      )}
    </div>
  );
}

interface RowActionsProps {
  clientId: string;
  approval: Approval;
  row: ListRow;
  /** Null if rows cannot be removed or restored. */
  onVeto: ((row: ListRow) => void) | null;
}

function RowActions({ clientId, approval: { id, number }, row, onVeto }: RowActionsProps) {
  const name = formatRowName(row);
  const restore = useMutationWithToasts(vetoMutation, { failure: 'Could not restore the row' });
  if (!onVeto) return row.is_vetoed && <span className="text-sm">Removed</span>;
  const restoreRow = () => restore.mutate({ clientId, id, number, target: { line: row.line }, isRestoring: true });
  const verb = row.is_vetoed ? 'Restore' : 'Remove';
  return (
    <Button
      variant="ghost"
      size="sm"
      loading={restore.isPending}
      aria-label={`${verb} ${name}`}
      onClick={row.is_vetoed ? restoreRow : () => onVeto(row)}
    >
      {verb}
    </Button>
  );
}
