import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rejectionMessage } from '../../../api/error-code.ts';
import { Button } from '../../../ui/button.tsx';
import { LoadError } from '../../../ui/load-error.tsx';
import { Pagination } from '../../../ui/pagination.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { linkedRowsQuery, vetoByLinkMutation } from '../linked-content.ts';
import { formatRowName, type ListRow } from '../list-row.ts';
import { RowList } from '../row-list.tsx';

interface LinkedRowsProps {
  token: string;
  title: string;
  canVeto: boolean;
}

/** Lists the rows of a linked list, with buttons to remove a row or its company. */
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
          {rejectionMessage(veto.error) ?? 'Could not change the list. Please try again.'}
        </p>
      )}
      {isPending && <Skeleton className="h-48 rounded-md" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data && (
        <RowList
          title={title}
          rows={data.items}
          onSearch={(search) => setFilters({ search, page: 1 })}
          actions={(row) => (
            <RowActions
              row={row}
              isBusy={veto.isPending}
              onVeto={canVeto ? (target) => veto.mutate({ token, target, isRestoring: row.is_vetoed }) : null}
            />
          )}
        />
      )}
      <Pagination page={filters.page} count={data?.count} onPageChange={(page) => setFilters({ ...filters, page })} />
    </div>
  );
}

interface RowActionsProps {
  row: ListRow;
  isBusy: boolean;
  /** Null if the user cannot remove or restore rows. */
  onVeto: ((target: { line: number } | { domain: string }) => void) | null;
}

function RowActions({ row, isBusy, onVeto }: RowActionsProps) {
  const { line, domain, is_vetoed, company_rows } = row;
  const verb = is_vetoed ? 'Restore' : 'Remove';
  if (!onVeto) return is_vetoed && <span className="text-sm">Removed</span>;
  // The pressed button stays mounted and keeps the focus while the change is saved.
  const button = { variant: 'ghost', size: 'sm', 'aria-disabled': isBusy } as const;
  return (
    <>
      {domain !== '' && company_rows > 1 && (
        <Button
          {...button}
          aria-label={`${verb} all ${company_rows} of ${domain}, line ${line}`}
          onClick={() => !isBusy && onVeto({ domain })}
        >
          {`${verb} all ${company_rows}`}
        </Button>
      )}
      <Button {...button} aria-label={`${verb} ${formatRowName(row)}`} onClick={() => !isBusy && onVeto({ line })}>
        {verb}
      </Button>
    </>
  );
}
