import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { PAGE_SIZE } from '../../data/editing.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LoadError } from '../shell/load-error.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { ContentCard } from './content-card.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { ListFilters } from './list-filters.tsx';
import type { ListSearch } from './list-search.ts';
import { Pagination } from './pagination.tsx';
import { type AnyRow, type ContentScreen, titleCased } from './screen.ts';
import { screenListQuery } from './screen-list-query.ts';
import { SortableCards } from './sortable-cards.tsx';

/** The one list of all kinds of content: pages of 24 with search, status filter and, where people choose it, order. */
export function ContentList({ screen, search }: { screen: ContentScreen; search: ListSearch }) {
  const { q, status, page = 1 } = search;
  const list = useQuery(screenListQuery(screen, search));
  const [deleting, setDeleting] = useState<AnyRow | null>(null);

  const items = (list.data?.items ?? []) as unknown as AnyRow[];
  const filtered = Boolean(q || status);
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader title={screen.heading} action={<NewLink screen={screen} />} />
      {(filtered || page > 1 || items.length > 0) && (
        <ListFilters screen={screen} search={search} count={list.data?.count} />
      )}
      {list.isPending && <LoadingCards text={screen.loadingText} />}
      {list.error && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && <NoItems screen={screen} filtered={filtered || page > 1} />}
      {items.length > 0 && (
        <SortableCards screen={screen} items={items} enabled={screen.ordered && !filtered}>
          {(item, handle) => (
            <ContentCard screen={screen} item={item} handle={handle} onDelete={() => setDeleting(item)} />
          )}
        </SortableCards>
      )}
      {list.data && list.data.count > PAGE_SIZE && (
        <Pagination page={page} pages={Math.ceil(list.data.count / PAGE_SIZE)} />
      )}
      <DeleteDialog screen={screen} item={deleting} onClose={() => setDeleting(null)} />
    </div>
  );
}

function NewLink({ screen }: { screen: ContentScreen }) {
  return (
    <ButtonLink to="/admin/$kind/new" params={{ kind: screen.path }}>
      <Plus aria-hidden="true" />
      New {titleCased(screen.one)}
    </ButtonLink>
  );
}

function LoadingCards({ text }: { text: string }) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <p role="status" className="text-muted">
        {text}
      </p>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} className="h-20 rounded-lg" />
      ))}
    </div>
  );
}

function NoItems({ screen, filtered }: { screen: ContentScreen; filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState
        title={`No ${screen.many} found`}
        description="Nothing matches this search and status."
        action={
          <ButtonLink to="/admin/$kind" params={{ kind: screen.path }} search={{}} variant="secondary">
            Show all {screen.many}
          </ButtonLink>
        }
      />
    );
  }
  return <EmptyState title={`No ${screen.many} yet. Create your first ${screen.one} to get started.`} />;
}
