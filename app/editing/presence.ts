/**
 * Tracks which users have a form of the admin area open. Does not lock the forms. Errors are ignored, because the next
 * heartbeat may succeed.
 */
import { queryOptions } from '@tanstack/react-query';
import { sessionApi } from '../api/visitor-api.ts';

/** Heartbeat interval. A form counts as closed after a minute without one. See other_editors. */
const HEARTBEAT_MS = 10_000;
const LIST_INTERVAL_MS = 30_000;

/** Name of a content table with the item id, `page_content` with page/section, or `site_settings` with the key. */
export interface EditedItem {
  kind: string;
  itemId: string;
}

const POLL = { staleTime: 0, gcTime: 0, retry: false, refetchIntervalInBackground: false, refetchOnWindowFocus: true };

/** Sends heartbeats while the tab is visible. Returns the names of other users with the form open. */
export function otherEditorsQuery({ kind, itemId }: EditedItem) {
  return queryOptions({
    ...POLL,
    queryKey: ['editing_now', kind, 'form', itemId],
    refetchInterval: HEARTBEAT_MS,
    queryFn: async ({ signal }): Promise<string[]> => {
      const api = await sessionApi();
      const { data } = await api
        .rpc('announce_editing', { _kind: kind, _item_id: itemId })
        .abortSignal(signal)
        .throwOnError();
      return data.map(({ name }) => name);
    },
  });
}

/** Reports that the form was closed. */
export async function stopEditing({ kind, itemId }: EditedItem): Promise<void> {
  const api = await sessionApi();
  // Signing out closes the forms after the session has ended.
  const { data } = await api.auth.getSession();
  if (data.session) await api.rpc('stop_editing', { _kind: kind, _item_id: itemId });
}

/** Reads the names of other users with open forms of a kind, by item id. */
export function otherEditorsInListQuery(kind: string) {
  return queryOptions({
    ...POLL,
    queryKey: ['editing_now', kind, 'list'],
    refetchInterval: LIST_INTERVAL_MS,
    queryFn: async ({ signal }): Promise<Map<string, string[]>> => {
      const api = await sessionApi();
      const { data } = await api.rpc('list_editing', { _kind: kind }, { get: true }).abortSignal(signal).throwOnError();
      const byItem = new Map<string, string[]>();
      for (const { item_id, name } of data) byItem.set(item_id, [...(byItem.get(item_id) ?? []), name]);
      return byItem;
    },
  });
}
