/** Approvals of a client. Row-level security limits the visible rows. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../../api/paging.ts';
import { optionalDate } from '../../ui/lib/calendar-date.ts';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { oneLine } from '../../ui/lib/one-line.ts';
import { HOME_KEY } from '../client-home.ts';

export const KEY = ['approvals'];

/** Always refetched, because both the client and our team can change approvals. */
const FRESH = { staleTime: 0 } as const;

/** Verdict labels. `changes` is not an approval. The next version needs a new decision. */
const VERDICTS = { yes: 'Approved', changes: 'Changes requested', no: 'Declined' } as const;

export type Verdict = keyof typeof VERDICTS;

const verdict = z.enum(keysOf(VERDICTS));

const fileSchema = z.object({ object_name: z.string(), name: z.string(), mimetype: z.string(), size: z.number() });

/** A version with its decision. `verdict` is null if no decision was made. */
const versionSchema = z.object({
  number: z.number(),
  title: z.string(),
  text: z.string(),
  is_client_edit: z.boolean(),
  created_at: z.string(),
  file: fileSchema.nullable(),
  verdict: verdict.nullable(),
  comment: z.string().nullable(),
  /** Person's name at the time of the decision. Team members also see the email address. May be empty. */
  decided_by: z.string(),
  decided_at: z.string().nullable(),
  text_sha256: z.string().nullable(),
  file_sha256: z.string().nullable(),
});

export type Version = z.output<typeof versionSchema>;

const approvalSchema = z.object({
  id: z.string(),
  kind: z.enum(['text', 'list', 'file', 'criteria']),
  title: z.string(),
  /** Newest version, starting at 1. */
  number: z.number(),
  text: z.string(),
  /** Previous version, or null. */
  former_text: z.string().nullable(),
  /** True if an approver edited the text. */
  is_client_edit: z.boolean(),
  /** Number of rows of a list, and of rows that the client removed. */
  row_count: z.number(),
  veto_count: z.number(),
  /** Null unless the kind is `file`. */
  file: fileSchema.nullable(),
  /** Number of comments on all versions. */
  comment_count: z.number(),
  /** YYYY-MM-DD */
  due_on: z.string().nullable(),
  asked_by: z.string(),
  asked_at: z.string(),
  /** Decision on the newest version, or null while pending. */
  verdict: verdict.nullable(),
  comment: z.string().nullable(),
  decided_by: z.string(),
  decided_at: z.string().nullable(),
  may_withdraw: z.boolean(),
  waiting: z.number(),
  total: z.number(),
  /** Hash of the CSV file of a list. Null if unknown. */
  list_sha256: z.string().nullable(),
});

export type Approval = z.output<typeof approvalSchema>;

/** Reads a page (1-based) of a client's approvals. Pending approvals are first, sorted by due date. */
export function approvalsQuery(clientId: string, page: number) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'list', clientId, page],
    placeholderData: keepPreviousData,
    queryFn: async (context) => {
      const [_offset] = pageRange(page);
      const rows = await readAsSignedIn((api) =>
        api.rpc('list_approvals', { _client_id: clientId, _limit: PAGE_SIZE, _offset }),
      )(context);
      const items = z.array(approvalSchema).parse(rows);
      return { items, count: items[0]?.total ?? 0, waiting: items[0]?.waiting ?? 0 };
    },
  });
}

/** Reads an approval's versions with their decisions, newest first. */
export function versionsQuery(clientId: string, id: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'versions', clientId, id],
    queryFn: async (context) => {
      const args = { _client_id: clientId, _approval_id: id };
      const rows = await readAsSignedIn((api) => api.rpc('list_approval_versions', args))(context);
      return z.array(versionSchema).parse(rows);
    },
  });
}

export const textApprovalSchema = z.object({
  title: oneLine.min(1, 'A title is required').max(200, 'Title must be at most 200 characters'),
  text: z
    .string()
    .max(20_000, 'Text must be at most 20,000 characters')
    .refine((text) => text.trim() !== '', 'A text is required'),
  /** YYYY-MM-DD, or empty. */
  due_on: optionalDate,
});

interface TextApprovalInput extends z.output<typeof textApprovalSchema> {
  clientId: string;
  /** Approval that receives a new version. Undefined for a new approval. */
  id: string | undefined;
}

export const requestTextApprovalMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id, title, text, due_on }: TextApprovalInput) =>
    api.rpc('ask_for_approval', {
      _client_id: clientId,
      _title: title,
      _text: text,
      ...(due_on !== '' && { _due_on: due_on }),
      ...(id !== undefined && { _approval_id: id }),
    }),
  ),
  ...reloadOnSettled(KEY),
});

/** Validates the comment of a decision. It is optional for an approval and otherwise required. */
export function decisionSchema(choice: Verdict) {
  const comment = z.string().trim().max(2000, 'Write at most 2,000 characters.');
  return z.object({
    comment:
      choice === 'yes' ? comment : comment.min(1, choice === 'no' ? 'Enter a reason.' : 'Describe what should change.'),
  });
}

/** Validates an edited text and its comment. */
export function changesSchema(text: string) {
  const original = text.replace(/\r\n?/g, '\n');
  return z.object({
    wording: textApprovalSchema.shape.text.refine(
      (edited) => edited !== original,
      'Change the text, or use “Request changes”.',
    ),
    comment: z.string().trim().max(2000, 'Write at most 2,000 characters.'),
  });
}

/** Label of a verdict, such as 'Declined' for `no`. */
export function verdictLabel(text: string, isWording = false): string {
  if (isWording) return 'Approved with changes';
  const parsed = verdict.safeParse(text);
  return parsed.success ? VERDICTS[parsed.data] : text;
}

interface DecisionInput {
  clientId: string;
  id: string;
  /** Version shown to the user. */
  number: number;
  verdict: Verdict;
  comment: string;
  /** Edited text. It is saved as the next version and approved. */
  wording?: string;
}

export const decideMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id, number, verdict, comment, wording }: DecisionInput) =>
    api.rpc('decide_approval', {
      _client_id: clientId,
      _approval_id: id,
      _number: number,
      _verdict: verdict,
      _comment: comment,
      ...(wording !== undefined && { _edited_text: wording }),
    }),
  ),
  ...reloadOnSettled(KEY, HOME_KEY),
});

export const withdrawMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id }: { clientId: string; id: string }) =>
    api.rpc('withdraw_approval', { _client_id: clientId, _approval_id: id }),
  ),
  ...reloadOnSettled(KEY),
});
