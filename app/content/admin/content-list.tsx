import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { titleCased } from '../../api/places/kind-names.ts';
import { otherEditorsInListQuery } from '../../editing/presence.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type ListSearch, readListSearch } from '../../ui/list/list-search.ts';
import { LoadingRows } from '../../ui/list/loading-rows.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { type ListItem, listQuery } from '../editing.ts';
import { type ContentKind, hasManualOrder } from '../kind.ts';
import { BulkBar } from './bulk-bar.tsx';
import { ContentRow } from './content-row.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { ListFilters } from './list-filters.tsx';
import { SortableRows } from './sortable-rows.tsx';

/** List of items of any kind, 24 per page, with search, filters and, if the order is manual, drag and drop. */
export function ContentList({ kind, search }: { kind: ContentKind; search: ListSearch }) {
  const { q, status, category, sort, page = 1 } = search;
  const list = useQuery(listQuery(kind, { search: q, status, category, sort, page }));
  const [selectedIds, setSelectedIds] = useState<readonly string[]>([]);
  const { data: otherEditors } = useQuery(otherEditorsInListQuery(kind.table));
  const [itemToDelete, setItemToDelete] = useState<ListItem | null>(null);

  const { items = [], count } = list.data ?? {};
  const isFiltered = Boolean(q || status || category);
  const isComplete = !isFiltered && !sort;
  // An empty list shows the create button in its empty state instead.
  const isEmpty = count === 0 && !isFiltered;
  const selected = items.filter(({ id }) => selectedIds.includes(id));
  return (
    <div className="@container grid grid-cols-1 gap-6">
      <ScreenHeader
        isInline
        title={kind.heading}
        description={kind.seeAlso && <SeeAlso {...kind.seeAlso} />}
        action={
          <div className="flex shrink-0 flex-wrap gap-2 sm:gap-3 @max-[21rem]:shrink">
            <ButtonLink
              to="/admin/$kind/deleted"
              params={{ kind: kind.path }}
              search={{}}
              variant="secondary"
              className="max-sm:size-11 max-sm:px-0!"
            >
              <Trash2 aria-hidden="true" />
              <span className="max-sm:sr-only">Deleted</span>
            </ButtonLink>
            {!isEmpty && <NewLink kind={kind} isBesideTitle />}
          </div>
        }
      />
      {(isFiltered || page > 1 || items.length > 0) && <ListFilters kind={kind} search={search} count={count} />}
      {list.isPending && <LoadingRows text={kind.loadingText} />}
      {list.error && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && <NoItems kind={kind} isFiltered={isFiltered || page > 1} />}
      {items.length > 0 && (
        <div className="@container rounded-lg border border-line bg-surface">
          <BulkBar
            kind={kind}
            items={items}
            selected={selected}
            isMovable={isComplete && hasManualOrder(kind)}
            onSelect={setSelectedIds}
          />
          <SortableRows kind={kind} items={items} isComplete={isComplete}>
            {(item, handle) => (
              <ContentRow
                kind={kind}
                item={item}
                handle={handle}
                editors={otherEditors?.get(item.id)}
                isSelected={selectedIds.includes(item.id)}
                onSelect={(isSelected) =>
                  setSelectedIds(isSelected ? [...selectedIds, item.id] : selectedIds.filter((id) => id !== item.id))
                }
                onDelete={() => setItemToDelete(item)}
              />
            )}
          </SortableRows>
        </div>
      )}
      <Pagination page={page} count={count} />
      {items.length > 0 && (
        <p className="text-sm text-muted">
          <Link to="/admin/links" className="underline decoration-line-strong underline-offset-4 hover:text-ink">
            Find dead links
          </Link>
        </p>
      )}
      <DeleteDialog kind={kind} item={itemToDelete} onClose={() => setItemToDelete(null)} />
    </div>
  );
}

function SeeAlso({ to, text, link }: NonNullable<ContentKind['seeAlso']>) {
  return (
    <>
      {text}{' '}
      <Link
        to={to}
        className="text-accent underline decoration-line-strong underline-offset-4 hover:decoration-current"
      >
        {link}
      </Link>
    </>
  );
}

interface NewLinkProps {
  kind: ContentKind;
  /** On phones the button beside the title shows only “New”. */
  isBesideTitle?: boolean;
}

function NewLink({ kind, isBesideTitle = false }: NewLinkProps) {
  return (
    <ButtonLink to="/admin/$kind/new" params={{ kind: kind.path }} search={readListSearch} className="max-sm:px-3.5">
      <Plus aria-hidden="true" />
      <span>
        New<span className={clsx(isBesideTitle && 'max-sm:sr-only')}> {titleCased(kind.singular)}</span>
      </span>
    </ButtonLink>
  );
}

function NoItems({ kind, isFiltered }: { kind: ContentKind; isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <EmptyState
        icon={kind.icon}
        title={`No ${kind.plural} yet. Create your first ${kind.singular} to get started.`}
        action={<NewLink kind={kind} />}
      />
    );
  }
  return (
    <EmptyState
      title={`No ${kind.plural} found`}
      description="No items match this search and these filters."
      action={
        <ButtonLink to="/admin/$kind" params={{ kind: kind.path }} search={{}} variant="secondary">
          Show all {kind.plural}
        </ButtonLink>
      }
    />
  );
}
