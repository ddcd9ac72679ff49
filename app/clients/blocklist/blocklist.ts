/** Blocklists. Row-level security limits the visible rows. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../../api/paging.ts';
import { sessionApi } from '../../api/visitor-api.ts';
import type { EntryLine } from './blocklist-file.ts';

const KEY = ['blocklist'];

/** Always refetched, because both the client and our team can change the blocklist. */
const FRESH = { staleTime: 0 } as const;

/** Reads a page (1-based) of a client's blocklist, newest first. */
export function blocklistQuery(clientId: string, page: number) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'list', clientId, page],
    placeholderData: keepPreviousData,
    queryFn: async (context) => {
      const [_offset] = pageRange(page);
      const items = await readAsSignedIn((api) =>
        api.rpc('list_do_not_contact', { _client_id: clientId, _limit: PAGE_SIZE, _offset }),
      )(context);
      return { items, count: items[0]?.total ?? 0 };
    },
  });
}

/** Reads the entries that block an address or a domain. */
export function matchingEntriesQuery(clientId: string, text: string) {
  return queryOptions({
    ...FRESH,
    gcTime: 0,
    queryKey: [...KEY, 'find', clientId, text],
    queryFn: readAsSignedIn((api) => api.rpc('find_do_not_contact', { _client_id: clientId, _text: text })),
  });
}

const resultSchema = z.object({
  new: z.number(),
  known: z.number(),
  refused: z.number(),
  examples: z.array(
    z.object({
      line: z.number(),
      state: z.enum(['new', 'known', 'refused']),
      text: z.string(),
      reason: z.string().nullable(),
    }),
  ),
});

export type EntriesResult = z.output<typeof resultSchema>;

interface EntriesInput {
  clientId: string;
  lines: readonly EntryLine[];
}

async function sendLines({ clientId, lines }: EntriesInput, isDryRun: boolean): Promise<EntriesResult> {
  const args = { _client_id: clientId, _lines: lines.map(({ line, text }) => ({ line, text })), _is_dry_run: isDryRun };
  return resultSchema.parse((await (await sessionApi()).rpc('add_do_not_contact', args).throwOnError()).data);
}

/** Validates lines without adding them. */
export const validateLinesMutation = mutationOptions({ mutationFn: (input: EntriesInput) => sendLines(input, true) });

export const addLinesMutation = mutationOptions({
  mutationFn: (input: EntriesInput) => sendLines(input, false),
  ...reloadOnSettled(KEY),
});

/** Removes an entry from the blocklist. Idempotent. */
export const removeEntryMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id }: { clientId: string; id: string }) =>
    api.from('do_not_contact').delete().match({ client_id: clientId, id }),
  ),
  ...reloadOnSettled(KEY),
});
