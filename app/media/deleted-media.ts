/** Trash of the media library, kept for 30 days. See docs/decisions/history-and-releases.md. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { editorNames } from '../accounts/editor-names.ts';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled, reloadOnSuccess } from '../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../api/paging.ts';
import { sessionApi } from '../api/visitor-api.ts';

export interface DeletedFile {
  id: string;
  /** Display name. */
  title: string;
  deletedAt: string;
  /** Undefined for scripts and deleted accounts. */
  deletedBy: string | undefined;
}

const KEY = 'deleted_media';

/** Checks whether the storage keeps deleted files. The storage of hosted projects does not. */
export const keepsDeletedMediaQuery = queryOptions({
  queryKey: [KEY, 'is kept'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: readAsSignedIn((api) => api.rpc('can_restore_media')),
});

/** Reads a page (1-based) of deleted files, latest first, and the total count. */
export function deletedMediaQuery({ search, page }: { search: string; page: number }) {
  return queryOptions({
    queryKey: [KEY, 'list', { search, page }],
    placeholderData: keepPreviousData,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<{ items: DeletedFile[]; count: number }> => {
      const { data } = await (await sessionApi())
        .rpc('deleted_media', { _search: search, _limit: PAGE_SIZE, _offset: pageRange(page)[0] })
        .abortSignal(signal)
        .throwOnError();
      const names = await editorNames(data.map(({ deleted_by }) => deleted_by));
      const items = data.map(({ id, name, original_name, deleted_by, deleted_at }) => ({
        id,
        title: original_name || name,
        deletedAt: deleted_at,
        deletedBy: names.get(deleted_by),
      }));
      return { items, count: data[0]?.total ?? 0 };
    },
  });
}

/** Restores a file at its original URL. */
export const restoreMediaMutation = mutationOptions({
  mutationKey: [KEY, 'restore'],
  mutationFn: changeAsSignedIn((api, { id }: DeletedFile) => api.rpc('restore_media', { _id: id })),
  ...reloadOnSettled([KEY, 'list'], ['media']),
});

/** Permanently deletes a file. */
export const deleteMediaPermanentlyMutation = mutationOptions({
  mutationKey: [KEY, 'delete'],
  mutationFn: changeAsSignedIn((api, { id }: DeletedFile) => api.rpc('delete_media_permanently', { _ids: [id] })),
  ...reloadOnSuccess([KEY, 'list']),
});
