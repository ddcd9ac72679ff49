import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { type ContentKind, titleCased } from '../../content/kind.ts';
import {
  type DeletedItem,
  deletedItemsQuery,
  deleteForEverMutation,
  restoreItemMutation,
} from '../../content/trash.ts';
import { focusHeading } from '../../lib/focus-heading.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { ItemCount } from '../list/item-count.tsx';
import type { ListSearch } from '../list/list-search.ts';
import { LoadingCards } from '../list/loading-cards.tsx';
import { Pagination } from '../list/pagination.tsx';
import { SearchBox } from '../list/search-box.tsx';
import { DeleteForEverDialog } from './delete-for-ever-dialog.tsx';
import { DeletedCard } from './deleted-card.tsx';

/** What was deleted of a kind in the last 30 days: brought back, or deleted for ever. */
export function DeletedItems({ kind, search }: { kind: ContentKind; search: ListSearch }) {
  const { q, page = 1 } = search;
  const list = useQuery(deletedItemsQuery(kind, { search: q ?? '', page }));
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState<DeletedItem | null>(null);
  const restore = useMutationWithToasts(restoreItemMutation(kind), {
    success: (slug, { title }) =>
      slug === null
        ? `"${title}" is back`
        : [`"${title}" is back`, `Its slug was taken meanwhile. It is now "${slug}".`],
    failure: `Error restoring ${kind.one}`,
  });
  const remove = useMutationWithToasts(deleteForEverMutation(kind), {
    success: (_nothing, { title }) => `"${title}" is deleted for ever`,
    failure: `Error deleting ${kind.one} for ever`,
  });

  const { items = [], count } = list.data ?? {};
  return (
    <div className="grid max-w-[45rem] grid-cols-1 gap-6">
      <ButtonLink
        to="/admin/$kind"
        params={{ kind: kind.path }}
        search={{}}
        variant="link"
        className="justify-self-start"
      >
        <ArrowLeft aria-hidden="true" />
        All {kind.many}
      </ButtonLink>
      <ScreenHeader
        title={`Deleted ${titleCased(kind.many)}`}
        description={`Deleted ${kind.many} stay here for 30 days. Nobody but admins sees them.`}
      />
      {(q || page > 1 || items.length > 0) && (
        <div className="flex flex-wrap items-center gap-3">
          <SearchBox
            label={`Search deleted ${kind.many}`}
            value={q}
            onSearch={(text) =>
              void navigate({ to: '.', search: text === undefined ? {} : { q: text }, replace: true })
            }
          />
          <ItemCount count={count} one={kind.one} many={kind.many} />
        </div>
      )}
      {list.isPending && <LoadingCards text="Loading..." height="h-20" />}
      {list.error && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && (
        <EmptyState
          title={q ? `No deleted ${kind.many} found` : `No deleted ${kind.many}`}
          description={q ? 'Nothing matches this search.' : `A ${kind.one} that somebody deletes can be restored here.`}
        />
      )}
      {items.length > 0 && (
        <ul className="grid grid-cols-1 gap-3">
          {items.map((item) => (
            <li key={item.id}>
              <DeletedCard
                item={item}
                isRestoring={restore.isPending && restore.variables.id === item.id}
                onRestore={() => restore.mutate(item, { onSettled: focusHeading })}
                onDelete={() => setDeleting(item)}
              />
            </li>
          ))}
        </ul>
      )}
      <Pagination page={page} count={count} />
      <DeleteForEverDialog
        title={deleting?.title ?? null}
        isDeleting={remove.isPending}
        onClose={() => setDeleting(null)}
        onDelete={() => deleting && remove.mutate(deleting, { onSettled: () => setDeleting(null) })}
      />
    </div>
  );
}
