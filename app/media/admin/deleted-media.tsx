import { useQuery } from '@tanstack/react-query';
import { focusHeading } from '../../ui/lib/focus-heading.ts';
import { BackLink } from '../../ui/list/back-link.tsx';
import { DeletedList } from '../../ui/list/deleted-list.tsx';
import type { ListSearch } from '../../ui/list/list-search.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { deletedMediaQuery, deleteMediaPermanentlyMutation, restoreMediaMutation } from '../deleted-media.ts';

/** Lists deleted files, with actions to restore or permanently delete them. */
export function DeletedMedia({ search }: { search: ListSearch }) {
  const list = useQuery(deletedMediaQuery({ search: search.q ?? '', page: search.page ?? 1 }));
  const restore = useMutationWithToasts(restoreMediaMutation, {
    success: (_nothing, { title }) => [`"${title}" restored`, 'Its URL has not changed.'],
    failure: 'Could not restore the file',
  });
  const remove = useMutationWithToasts(deleteMediaPermanentlyMutation, {
    success: (_nothing, { title }) => `"${title}" permanently deleted`,
    failure: 'Could not permanently delete the file',
  });
  return (
    <DeletedList
      title="Deleted Files"
      singular="file"
      plural="files"
      back={<BackLink to="/admin/media">All files</BackLink>}
      search={search}
      list={list}
      restoring={restore.isPending ? restore.variables : undefined}
      isDeleting={remove.isPending}
      onRestore={(item) => restore.mutate(item, { onSettled: focusHeading })}
      onDelete={(item, onDone) => remove.mutate(item, { onSettled: onDone })}
    />
  );
}
