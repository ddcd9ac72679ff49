/** The team's library of proven texts, used as templates. The database rejects texts that contain a client's name. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../../api/paging.ts';
import { oneLine } from '../../ui/lib/one-line.ts';
import { textApprovalSchema } from '../approvals/approvals.ts';

const KEY = ['text-library'];

export const libraryTextSchema = z.object({
  title: textApprovalSchema.shape.title,
  subject: oneLine.max(200, 'Subject must be at most 200 characters'),
  body: textApprovalSchema.shape.text,
  note: z.string().trim().max(1000, 'Note must be at most 1,000 characters'),
});

type Fields = z.output<typeof libraryTextSchema>;

export interface LibraryText extends Fields {
  id: string;
  changed_by: string;
  changed_at: string;
}

/** Reads a page (1-based) of the texts that match the search term, most recently changed first. */
export function libraryQuery(search: string | undefined, page: number) {
  return queryOptions({
    staleTime: 0,
    queryKey: [...KEY, search, page],
    placeholderData: keepPreviousData,
    queryFn: async (context) => {
      const [_offset] = pageRange(page);
      const items: (LibraryText & { total: number })[] = await readAsSignedIn((api) =>
        api.rpc('list_library_texts', { _limit: PAGE_SIZE, _offset, ...(search !== undefined && { _search: search }) }),
      )(context);
      return { items, count: items[0]?.total ?? 0 };
    },
  });
}

/** Approved text that is added to the library, or library text that is edited. */
export type Origin = { clientId: string; approvalId: string } | Pick<LibraryText, 'id' | 'changed_at'>;

export const saveLibraryTextMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { origin, values }: { origin: Origin; values: Fields }) => {
    const { title, subject, body, note } = values;
    const fields = { _title: title, _subject: subject, _body: body, _note: note };
    return 'id' in origin
      ? api.rpc('save_library_text', { _id: origin.id, _read_at: origin.changed_at, ...fields })
      : api.rpc('add_library_text', { _client_id: origin.clientId, _approval_id: origin.approvalId, ...fields });
  }),
  ...reloadOnSettled(KEY),
});

/** Deletes a text. Idempotent. */
export const deleteLibraryTextMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, id: string) => api.from('library_texts').delete().eq('id', id)),
  ...reloadOnSettled(KEY),
});
