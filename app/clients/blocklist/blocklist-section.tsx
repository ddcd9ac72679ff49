import { useQuery } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ActionsMenu, DropdownItem } from '../../ui/dropdown-menu.tsx';
import { dayOf, formatDay, visitorZone } from '../../ui/lib/zoned-times.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { AddEntriesDialog } from './add-entries-dialog.tsx';
import { blocklistQuery, removeEntryMutation } from './blocklist.ts';
import { BlocklistLookup } from './blocklist-lookup.tsx';

/** Number of entries shown while the list is collapsed. */
const COLLAPSED_ENTRIES = 3;

interface BlocklistSectionProps {
  client: Pick<Client, 'id' | 'name'>;
  headingLevel: 2 | 3 | 4;
  /** True in the impersonated view, which is read-only. Omits the section label to avoid duplicate landmarks. */
  isImpersonated?: boolean;
}

/** Shows a client's blocklist and lets the user add, look up and remove entries. */
export function BlocklistSection({ client, headingLevel, isImpersonated = false }: BlocklistSectionProps) {
  const Heading = `h${headingLevel}` as const;
  const [page, setPage] = useState(1);
  const [showsAll, setShowsAll] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const { data, error, isPending, refetch } = useQuery(blocklistQuery(client.id, page));
  const visibleItems = showsAll ? data?.items : data?.items.slice(0, COLLAPSED_ENTRIES);
  return (
    <section aria-label={isImpersonated ? undefined : `Blocklist, ${client.name}`}>
      <Card className="grid grid-cols-1 gap-4 p-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Heading className={headingLevel === 4 ? 'font-medium' : 'text-lg font-semibold'}>Blocklist</Heading>
          {!isImpersonated && (
            <Button size="sm" aria-label={`Add to the blocklist of ${client.name}`} onClick={() => setAdding(true)}>
              <Plus aria-hidden="true" />
              Add
            </Button>
          )}
        </div>
        {isPending && <Skeleton className="h-16 rounded-md" />}
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {data?.count === 0 && page === 1 && (
          <p className="measure text-muted">
            The blocklist is empty. Add domains and email addresses that no campaign may contact, such as customers,
            partners and competitors.
          </p>
        )}
        {data && data.count > 0 && !isImpersonated && <BlocklistLookup clientId={client.id} />}
        {visibleItems && visibleItems.length > 0 && (
          <ul className="grid grid-cols-1 divide-y divide-line">
            {visibleItems.map((entry) => (
              <EntryRow key={entry.id} clientId={client.id} entry={entry} isImpersonated={isImpersonated} />
            ))}
          </ul>
        )}
        {data && data.count > COLLAPSED_ENTRIES && !showsAll && (
          <Button variant="link" className="justify-self-start" onClick={() => setShowsAll(true)}>
            {`Show all ${data.count.toLocaleString('en-GB')} entries`}
          </Button>
        )}
        {showsAll && <Pagination page={page} count={data?.count} onPageChange={setPage} />}
      </Card>
      {isAdding && <AddEntriesDialog client={client} onClose={() => setAdding(false)} />}
    </section>
  );
}

interface Entry {
  id: string;
  kind: string;
  hint: string;
  added_by: string;
  created_at: string;
  may_remove: boolean;
}

interface EntryRowProps {
  clientId: string;
  entry: Entry;
  isImpersonated: boolean;
}

function EntryRow({ clientId, entry, isImpersonated }: EntryRowProps) {
  const { id, kind, hint, added_by, created_at, may_remove } = entry;
  const remove = useMutationWithToasts(removeEntryMutation, {
    success: [`${hint} removed from the blocklist`, 'Campaigns may contact them again.'],
    failure: 'Could not remove the entry',
  });
  const addedOn = formatDay(dayOf(created_at, visitorZone()), { day: 'numeric', month: 'short', year: 'numeric' });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-2.5">
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">{hint}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          <span>{kind === 'domain' ? 'Everyone at this domain' : 'One address'}</span>
          <span className="max-sm:block sm:before:content-['_·_']">
            {[added_by, addedOn].filter(Boolean).join(' · ')}
          </span>
        </p>
      </div>
      {may_remove && !isImpersonated && (
        <ActionsMenu loading={remove.isPending} aria-label={`Actions for ${hint}`}>
          <DropdownItem destructive onSelect={() => remove.mutate({ clientId, id })}>
            <Trash2 aria-hidden="true" />
            Remove
          </DropdownItem>
        </ActionsMenu>
      )}
    </li>
  );
}
