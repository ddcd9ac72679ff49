/** Copy that waits for a client's yes. Policies decide which of it somebody sees. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../../api/paging.ts';
import { optionalDate } from '../../ui/lib/calendar-date.ts';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { oneLine } from '../../ui/lib/one-line.ts';
import { HOME_KEY } from '../client-home.ts';

export const KEY = ['approvals'];

/** Asked anew on every screen: both sides write. */
const FRESH = { staleTime: 0 } as const;

/** Words of the record. With `changes` nothing is approved: the next version waits for a decision. */
const VERDICTS = { yes: 'Approved', changes: 'Changes requested', no: 'Declined' } as const;

export type Verdict = keyof typeof VERDICTS;

const verdict = z.enum(keysOf(VERDICTS));

const approvalSchema = z.object({
  id: z.string(),
  kind: z.enum(['text', 'list', 'file']),
  title: z.string(),
  /** Of the newest version, counted from 1. */
  number: z.number(),
  text: z.string(),
  /** The version before; null for none. */
  former_text: z.string().nullable(),
  /** Written by the person of the client who approved it. */
  is_wording: z.boolean(),
  /** Of a list, and how many of them the client took off. */
  row_count: z.number(),
  veto_count: z.number(),
  /** Null but for the kind file. */
  file: z.object({ object_name: z.string(), name: z.string(), mimetype: z.string(), size: z.number() }).nullable(),
  /** On all versions. */
  comment_count: z.number(),
  /** YYYY-MM-DD */
  due_on: z.string().nullable(),
  asked_by: z.string(),
  asked_at: z.string(),
  /** On the newest version; null while it waits. */
  verdict: verdict.nullable(),
  comment: z.string().nullable(),
  decided_by: z.string(),
  decided_at: z.string().nullable(),
  may_withdraw: z.boolean(),
  waiting: z.number(),
  total: z.number(),
});

export type Approval = z.output<typeof approvalSchema>;

/** Reads a page (from 1) of what a client is asked to approve: what waits first, by its day, then what was decided. */
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

/** Reads the versions of an approval with the decisions on them, the newest first. */
export function versionsQuery(clientId: string, id: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'versions', clientId, id],
    queryFn: readAsSignedIn((api) =>
      api
        .from('approval_versions')
        .select(
          'number, text, is_wording, created_at, client_files(object_name, name, mimetype, size), approval_decisions(verdict, comment, created_at, file_sha256)',
        )
        .match({ client_id: clientId, approval_id: id })
        .order('number', { ascending: false }),
    ),
  });
}

export const askSchema = z.object({
  title: oneLine.min(1, 'A title is required').max(200, 'Title must be at most 200 characters'),
  text: z
    .string()
    .max(20_000, 'Text must be at most 20,000 characters')
    .refine((text) => text.trim() !== '', 'A text is required'),
  /** YYYY-MM-DD; empty for none. */
  due_on: optionalDate,
});

interface Asked extends z.output<typeof askSchema> {
  clientId: string;
  /** The approval that gets its next version; undefined for a new one. */
  id: string | undefined;
}

export const askMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id, title, text, due_on }: Asked) =>
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

/** Checks the comment of a decision: only a plain yes needs none. */
export function decisionSchema(given: Verdict) {
  const comment = z.string().trim().max(2000, 'Write at most 2,000 characters.');
  return z.object({
    comment: given === 'yes' ? comment : comment.min(1, 'Please describe what should change.'),
  });
}

/** Checks the changed text that a person approves, and their comment. */
export function changesSchema(text: string) {
  const former = text.replace(/\r\n?/g, '\n');
  return z.object({
    wording: askSchema.shape.text.refine((wanted) => wanted !== former, 'Change the text, or use “Ask for changes”.'),
    comment: z.string().trim().max(2000, 'Write at most 2,000 characters.'),
  });
}

/** 'Declined' for no; 'Approved with changes' for a text that the person of the client wrote. */
export function verdictWord(text: string, isWording = false): string {
  if (isWording) return 'Approved with changes';
  const known = verdict.safeParse(text);
  return known.success ? VERDICTS[known.data] : text;
}

interface Decided {
  clientId: string;
  id: string;
  /** The version that the person has read. */
  number: number;
  verdict: Verdict;
  comment: string;
  /** The text as the person wants it: it becomes the next version, approved by them. */
  wording?: string;
}

export const decideMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id, number, verdict, comment, wording }: Decided) =>
    api.rpc('decide_approval', {
      _client_id: clientId,
      _approval_id: id,
      _number: number,
      _verdict: verdict,
      _comment: comment,
      ...(wording !== undefined && { _wording: wording }),
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
