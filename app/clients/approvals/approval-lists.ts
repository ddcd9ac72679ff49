/** Approvals of lists, and the rows that the client removes. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../../api/paging.ts';
import { sessionApi } from '../../api/visitor-api.ts';
import { type Approval, askSchema, KEY } from './approvals.ts';
import type { Prospect } from './prospect-file.ts';

const resultSchema = z.object({
  new: z.number(),
  refused: z.number(),
  companies: z.number(),
  examples: z.array(
    z.object({ line: z.number(), state: z.enum(['new', 'refused']), text: z.string(), reason: z.string().nullable() }),
  ),
});

export type RowsResult = z.output<typeof resultSchema>;

export const askListSchema = askSchema.extend({
  text: z.string().trim().min(1, 'A description is required').max(2000, 'Write at most 2,000 characters'),
});

interface ListApprovalInput extends z.output<typeof askListSchema> {
  clientId: string;
  /** Approval that receives a new version. Undefined for a new approval. */
  id: string | undefined;
  rows: readonly Prospect[];
}

async function sendRows(
  { clientId, id, title, text, due_on, rows }: ListApprovalInput,
  isTrial: boolean,
): Promise<RowsResult> {
  const args = {
    _client_id: clientId,
    _title: title,
    _text: text,
    _rows: rows.map((row) => ({ ...row })),
    _is_trial: isTrial,
    ...(due_on !== '' && { _due_on: due_on }),
    ...(id !== undefined && { _approval_id: id }),
  };
  return resultSchema.parse((await (await sessionApi()).rpc('ask_for_list_approval', args).throwOnError()).data);
}

/** Validates the rows without saving them. */
export const validateListMutation = mutationOptions({
  mutationFn: (input: ListApprovalInput) => sendRows(input, true),
});

export const askListMutation = mutationOptions({
  mutationFn: (input: ListApprovalInput) => sendRows(input, false),
  ...reloadOnSettled(KEY),
});

interface RowFilters {
  search: string | undefined;
  /** True to list only rows that the client removed. */
  onlyVetoed: boolean;
  /** Starts at 1. */
  page: number;
}

/** Reads a page of rows of the newest version, ordered by line. */
export function rowsQuery(clientId: string, { id, number }: Pick<Approval, 'id' | 'number'>, filters: RowFilters) {
  return queryOptions({
    staleTime: 0,
    queryKey: [...KEY, 'rows', clientId, id, number, filters],
    placeholderData: keepPreviousData,
    queryFn: async (context) => {
      const [_offset] = pageRange(filters.page);
      const items = await readAsSignedIn((api) =>
        api.rpc('list_approval_rows', {
          _client_id: clientId,
          _approval_id: id,
          _number: number,
          _search: filters.search ?? '',
          _only_vetoed: filters.onlyVetoed,
          _limit: PAGE_SIZE,
          _offset,
        }),
      )(context);
      return { items, count: items[0]?.total ?? 0 };
    },
  });
}

interface VetoInput {
  clientId: string;
  id: string;
  /** Version shown to the user. */
  number: number;
  /** A single row, or all rows of a company. */
  target: { line: number } | { domain: string };
  andLeaveAlone?: boolean;
  /** Restores removed rows. */
  isBack?: boolean;
}

export const vetoMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id, number, target, andLeaveAlone, isBack }: VetoInput) =>
    api.rpc('veto_rows', {
      _client_id: clientId,
      _approval_id: id,
      _number: number,
      ...('line' in target ? { _lines: [target.line] } : { _domain: target.domain }),
      _and_leave_alone: andLeaveAlone ?? false,
      _is_back: isBack ?? false,
    }),
  ),
  ...reloadOnSettled(KEY, ['do-not-contact']),
});
