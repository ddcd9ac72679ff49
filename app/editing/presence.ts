/**
 * Signs that somebody else has a form of the admin area open; they lock nothing. A failure is never shown; the next
 * beat may succeed.
 */
import { queryOptions } from '@tanstack/react-query';
import { sessionApi } from '../api/visitor-api.ts';

/** A form that was not heard of for a minute counts as closed (see others_editing). */
const BEAT_MS = 10_000;
const LIST_MS = 30_000;

/** The table of content with the id of an item, page_content with page/section, or site_settings with a key. */
export interface EditedPlace {
  kind: string;
  itemId: string;
}

const SIGN = { staleTime: 0, gcTime: 0, retry: false, refetchIntervalInBackground: false, refetchOnWindowFocus: true };

/** Says, again and again while the tab is visible, that this form is open; the names of the others who have it open. */
export function otherEditorsQuery({ kind, itemId }: EditedPlace) {
  return queryOptions({
    ...SIGN,
    queryKey: ['editing_now', kind, 'form', itemId],
    refetchInterval: BEAT_MS,
    queryFn: async ({ signal }): Promise<string[]> => {
      const api = await sessionApi();
      const { data } = await api
        .rpc('tell_editing', { _kind: kind, _item_id: itemId })
        .abortSignal(signal)
        .throwOnError();
      return data.map(({ name }) => name);
    },
  });
}

/** Says that the form was closed. */
export async function stopEditing({ kind, itemId }: EditedPlace): Promise<void> {
  const api = await sessionApi();
  // Signing out closes the forms too, and has ended the session by then.
  const { data } = await api.auth.getSession();
  if (data.session) await api.rpc('stop_editing', { _kind: kind, _item_id: itemId });
}

/** Reads the names of the others who have forms of a kind open, by the id of the item. */
export function otherEditorsInListQuery(kind: string) {
  return queryOptions({
    ...SIGN,
    queryKey: ['editing_now', kind, 'list'],
    refetchInterval: LIST_MS,
    queryFn: async ({ signal }): Promise<Map<string, string[]>> => {
      const api = await sessionApi();
      const { data } = await api.rpc('list_editing', { _kind: kind }, { get: true }).abortSignal(signal).throwOnError();
      const byItem = new Map<string, string[]>();
      for (const { item_id, name } of data) byItem.set(item_id, [...(byItem.get(item_id) ?? []), name]);
      return byItem;
    },
  });
}
