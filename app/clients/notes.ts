/** Internal notes on a client, in a separate table that members cannot read. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../api/paging.ts';

const KEY = ['client-notes'];

/** Reads a page (1-based) of the notes on a client, newest first. */
export function notesQuery(clientId: string, page: number) {
  return queryOptions({
    staleTime: 0,
    queryKey: [...KEY, 'list', clientId, page],
    placeholderData: keepPreviousData,
    queryFn: async (context) => {
      const [_offset] = pageRange(page);
      const items = await readAsSignedIn((api) =>
        api.rpc('list_client_notes', { _client_id: clientId, _limit: PAGE_SIZE, _offset }),
      )(context);
      return { items, count: items[0]?.total ?? 0 };
    },
  });
}

export const noteSchema = z.object({
  text: z.string().trim().min(1, 'A note is required').max(5000, 'Write at most 5,000 characters.'),
});

export const addNoteMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, text }: { clientId: string; text: string }) =>
    api.from('client_notes').insert({ client_id: clientId, text }),
  ),
  ...reloadOnSettled(KEY),
});

/** Deletes a note. Idempotent. */
export const deleteNoteMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id }: { clientId: string; id: string }) =>
    api.from('client_notes').delete().match({ client_id: clientId, id }),
  ),
  ...reloadOnSettled(KEY),
});
