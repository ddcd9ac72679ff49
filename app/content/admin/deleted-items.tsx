import { useQuery } from '@tanstack/react-query';
import { titleCased } from '../../api/places/kind-names.ts';
import { focusHeading } from '../../ui/lib/focus-heading.ts';
import { BackLink } from '../../ui/list/back-link.tsx';
import { DeletedList } from '../../ui/list/deleted-list.tsx';
import type { ListSearch } from '../../ui/list/list-search.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { ContentKind } from '../kind.ts';
import { deletedItemsQuery, deletePermanentlyMutation, restoreItemMutation } from '../trash.ts';

/** Trash of a kind, where items can be restored or permanently deleted. */
export function DeletedItems({ kind, search }: { kind: ContentKind; search: ListSearch }) {
  const list = useQuery(deletedItemsQuery(kind, { search: search.q ?? '', page: search.page ?? 1 }));
  const restore = useMutationWithToasts(restoreItemMutation(kind), {
    success: (slug, { title }) =>
      slug === null
        ? `"${title}" restored`
        : [`"${title}" restored`, `That slug is already in use, so it was changed to "${slug}".`],
    failure: `Error restoring ${kind.singular}`,
  });
  const remove = useMutationWithToasts(deletePermanentlyMutation(kind), {
    success: (_nothing, { title }) => `"${title}" permanently deleted`,
    failure: `Error permanently deleting ${kind.singular}`,
  });
  return (
    <DeletedList
      title={`Deleted ${titleCased(kind.plural)}`}
      singular={kind.singular}
      plural={kind.plural}
      back={
        <BackLink to="/admin/$kind" params={{ kind: kind.path }} search={{}}>
          All {kind.plural}
        </BackLink>
      }
      search={search}
      list={list}
      restoring={restore.isPending ? restore.variables : undefined}
      isDeleting={remove.isPending}
      onRestore={(item) => restore.mutate(item, { onSettled: focusHeading })}
      onDelete={(item, onDone) => remove.mutate(item, { onSettled: onDone })}
    />
  );
}
