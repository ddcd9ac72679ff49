import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { EmptyState } from '../empty-state.tsx';
import { ScreenHeader } from '../screen-header.tsx';
import { SearchBox } from '../search-box.tsx';
import { CardList } from './card-list.tsx';
import { DeletePermanentlyDialog } from './delete-permanently-dialog.tsx';
import { DeletedCard, type DeletedEntry } from './deleted-card.tsx';
import { ItemCount } from './item-count.tsx';
import type { ListSearch } from './list-search.ts';

interface DeletedListProps<Item extends DeletedEntry> {
  title: string;
  /** In lower case: 'post' and 'posts'. */
  singular: string;
  plural: string;
  /** Link back to the list. */
  back: ReactNode;
  search: ListSearch;
  list: UseQueryResult<{ items: Item[]; count: number }>;
  /** Item being restored. */
  restoring: Item | undefined;
  isDeleting: boolean;
  onRestore: (item: Item) => void;
  onDelete: (item: Item, onDone: () => void) => void;
}

/** Items of a kind that were deleted in the last 30 days. */
export function DeletedList<Item extends DeletedEntry>(props: DeletedListProps<Item>) {
  const {
    title,
    singular,
    plural,
    back,
    search,
    list,
    restoring: restoringItem,
    isDeleting,
    onRestore,
    onDelete,
  } = props;
  const { q, page = 1 } = search;
  const navigate = useNavigate();
  const [itemToDelete, setItemToDelete] = useState<Item | null>(null);
  const { items = [], count } = list.data ?? {};
  return (
    <div className="grid grid-cols-1 gap-6">
      {back}
      <ScreenHeader title={title} description={`Deleted ${plural} are kept for 30 days. Only admins can see them.`} />
      {(q || page > 1 || items.length > 0) && (
        <div className="flex flex-wrap items-center gap-3">
          <SearchBox
            label={`Search deleted ${plural}`}
            value={q}
            onSearch={(text) =>
              void navigate({ to: '.', search: text === undefined ? {} : { q: text }, replace: true })
            }
          />
          <ItemCount count={count} singular={singular} plural={plural} />
        </div>
      )}
      <CardList
        query={list}
        page={page}
        loading="Loading..."
        empty={
          <EmptyState
            {...(!q && { icon: Trash2 })}
            title={q ? `No deleted ${plural} found` : `No deleted ${plural}`}
            description={q ? 'No matches for this search.' : `You can restore a deleted ${singular} here.`}
          />
        }
      >
        {(item) => (
          <DeletedCard
            item={item}
            isRestoring={restoringItem?.id === item.id}
            onRestore={() => onRestore(item)}
            onDelete={() => setItemToDelete(item)}
          />
        )}
      </CardList>
      <DeletePermanentlyDialog
        title={itemToDelete?.title ?? null}
        isDeleting={isDeleting}
        onClose={() => setItemToDelete(null)}
        onDelete={() => itemToDelete && onDelete(itemToDelete, () => setItemToDelete(null))}
      />
    </div>
  );
}
