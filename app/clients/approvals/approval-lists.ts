/** Approvals of lists, and rows that the client removed from a list. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../../api/paging.ts';
import { sessionApi } from '../../api/visitor-api.ts';
import { download } from '../../ui/lib/download.ts';
import { type Approval, KEY, textApprovalSchema } from './approvals.ts';
import { keepLines, type Prospect } from './prospect-file.ts';

const resultSchema = z.object({
  new: z.number(),
  /** Rows that the client removed from an earlier list. Left out unless the team includes these rows again. */
  removed: z.number(),
  refused: z.number(),
  companies: z.number(),
  examples: z.array(
    z.object({
      line: z.number(),
      state: z.enum(['new', 'removed', 'refused']),
      text: z.string(),
      reason: z.string().nullable(),
    }),
  ),
});

export type RowsResult = z.output<typeof resultSchema>;

export const listApprovalSchema = textApprovalSchema.extend({
  text: z.string().trim().min(1, 'A description is required').max(2000, 'Write at most 2,000 characters'),
});

interface ListApprovalInput extends z.output<typeof listApprovalSchema> {
  clientId: string;
  /** Approval that receives a new version. Undefined for a new approval. */
  id: string | undefined;
  rows: readonly Prospect[];
  /** Lines of previously removed rows that the team includes again. */
  restoredLines?: readonly number[];
  /** Hash of the file. Undefined if the browser cannot compute it. */
  sha256?: string | undefined;
}

async function sendRows(
  { clientId, id, title, text, due_on, rows, restoredLines = [], sha256 }: ListApprovalInput,
  isDryRun: boolean,
): Promise<RowsResult> {
  const args = {
    _client_id: clientId,
    _title: title,
    _text: text,
    _rows: rows.map((row) => ({ ...row })),
    _is_dry_run: isDryRun,
    _restored_lines: [...restoredLines],
    ...(sha256 !== undefined && { _file_sha256: sha256 }),
    ...(due_on !== '' && { _due_on: due_on }),
    ...(id !== undefined && { _approval_id: id }),
  };
  return resultSchema.parse((await (await sessionApi()).rpc('ask_for_list_approval', args).throwOnError()).data);
}

/** Validates the rows without saving them. */
export const validateListMutation = mutationOptions({
  mutationFn: (input: ListApprovalInput) => sendRows(input, true),
});

export const requestListApprovalMutation = mutationOptions({
  mutationFn: (input: ListApprovalInput) => sendRows(input, false),
  ...reloadOnSettled(KEY),
});

const approvedSchema = z.object({ file_sha256: z.string(), lines: z.array(z.number()) });

interface ApprovedRowsInput {
  clientId: string;
  id: string;
  number: number;
  /** The file that was uploaded for this version. The file is not uploaded again. */
  file: File;
}

/**
 * Downloads the approved rows in the layout of the uploaded file.
 * @returns the number of rows
 */
export const downloadApprovedMutation = mutationOptions({
  mutationFn: async ({ clientId, id, number, file }: ApprovedRowsInput): Promise<number> => {
    const args = { _client_id: clientId, _approval_id: id, _number: number };
    const { data } = await (await sessionApi()).rpc('list_approved_lines', args).throwOnError();
    const { file_sha256, lines } = approvedSchema.parse(data);
    download(
      await keepLines(file, file_sha256, lines),
      file.name.replace(/(\.[a-z]+)?$/i, '-approved.csv'),
      'text/csv',
    );
    return lines.length;
  },
});

interface RowFilters {
  search: string | undefined;
  /** True to list only rows that the client removed. */
  onlyVetoed: boolean;
  /** Starts at 1. */
  page: number;
}

/** Reads a page of the newest version's rows, ordered by line. */
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
  alsoBlock?: boolean;
  /** True to restore the rows instead of removing them. */
  isRestoring?: boolean;
}

export const vetoMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id, number, target, alsoBlock, isRestoring }: VetoInput) =>
    api.rpc('veto_rows', {
      _client_id: clientId,
      _approval_id: id,
      _number: number,
      ...('line' in target ? { _lines: [target.line] } : { _domain: target.domain }),
      _add_to_blocklist: alsoBlock ?? false,
      _restore: isRestoring ?? false,
    }),
  ),
  ...reloadOnSettled(KEY, ['blocklist']),
});
