/** Queries and mutations of the trash, which keeps deleted items for 30 days. See supabase/schemas/editing. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { editorNames } from '../accounts/editor-names.ts';
import { readPageAsSignedIn } from '../api/as-signed-in.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { containsPattern } from '../ui/lib/contains-filter.ts';
import type { ContentKind } from './kind.ts';

interface DeletedItem {
  id: string;
  title: string;
  deletedAt: string;
  /** Undefined if deleted by a process, or by an account that no longer exists. */
  deletedBy: string | undefined;
}

const KEY = 'deleted_content';

/** Reads one page (1-based) of deleted items, last deleted first, and the total count. */
export function deletedItemsQuery({ table }: ContentKind, { search = '', page }: { search?: string; page: number }) {
  const read = readPageAsSignedIn(page, (api) => {
    const request = api
      .from('deleted_content')
      .select('item_id, title, deleted_by, deleted_at', { count: 'exact' })
      .eq('kind', table)
      .order('deleted_at', { ascending: false })
      .order('item_id');
    return search.trim() ? request.ilike('title', containsPattern(search.trim())) : request;
  });
  return queryOptions({
    queryKey: [KEY, table, { search, page }],
    placeholderData: keepPreviousData,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<{ items: DeletedItem[]; count: number }> => {
      const { items: rows, count } = await read({ signal });
      const names = await editorNames(rows.map(({ deleted_by }) => deleted_by));
      const items = rows.map(({ item_id, title, deleted_by, deleted_at }) => ({
        id: item_id,
        title,
        deletedAt: deleted_at,
        deletedBy: deleted_by === null ? undefined : names.get(deleted_by),
      }));
      return { items, count };
    },
  });
}

/**
 * Restores an item.
 *
 * @returns its new slug if the old one is in use by another item, otherwise null
 */
export function restoreItemMutation({ table }: ContentKind) {
  return mutationOptions({
    mutationKey: [KEY, table, 'restore'],
    mutationFn: async ({ id }: DeletedItem): Promise<string | null> => {
      const api = await sessionApi();
      return (await api.rpc('restore_item', { _kind: table, _item_id: id }).throwOnError()).data;
    },
    onSettled: (_slug, _error, _item, _result, { client }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: [KEY, table] }),
        client.invalidateQueries({ queryKey: [table] }),
      ]),
  });
}

/** Deletes an item and its history permanently. */
export function deletePermanentlyMutation({ table }: ContentKind) {
  return mutationOptions({
    mutationKey: [KEY, table, 'delete'],
    mutationFn: async ({ id }: DeletedItem): Promise<void> => {
      await (await sessionApi()).rpc('delete_permanently', { _kind: table, _item_ids: [id] }).throwOnError();
    },
    onSuccess: (_nothing, _item, _result, { client }) => client.invalidateQueries({ queryKey: [KEY, table] }),
  });
}
