/** Query for the portal's start screen, which shows pending items and the next call. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeSchema } from '../../supabase/functions/report-summary/figures-schema.ts';
import { changeAsSignedIn, readAsSignedIn } from '../api/as-signed-in.ts';
import type { Period } from './figures/progress.ts';

/** Query key of the start screen. Every mutation on behalf of the client invalidates it. */
export const HOME_KEY = ['client-home'];

const item = z.object({
  id: z.string(),
  title: z.string(),
  /** YYYY-MM-DD */
  due_on: z.string().nullable(),
});

const homeSchema = z.object({
  /** Ordered by due date. */
  waiting: z.array(
    z.discriminatedUnion('kind', [
      item.extend({ kind: z.literal('approval'), number: z.number() }),
      item.extend({ kind: z.literal('meeting') }),
      item.extend({ kind: z.literal('quote') }),
      item.extend({ kind: z.literal('lead') }),
      // A meeting without a reported result.
      item.extend({ kind: z.literal('result') }),
    ]),
  ),
  /** Total number of pending items. The list may be shorter. */
  waiting_count: z.number(),
  /** Start of the next call booked with a verified address of the user. */
  next_call: z.string().nullable(),
});

export type Home = z.output<typeof homeSchema>;

export type PendingItem = Home['waiting'][number];

export function homeQuery(clientId: string) {
  return queryOptions({
    staleTime: 0,
    queryKey: [...HOME_KEY, clientId],
    queryFn: async (context): Promise<Home> =>
      homeSchema.parse(await readAsSignedIn((api) => api.rpc('client_home', { _client_id: clientId }))(context)),
  });
}

const changesSchema = z.array(changeSchema.extend({ day: z.string() }));

/** Reads the changes for a client in a period, latest first, as listed in its reports. */
export function changesQuery(clientId: string, { first, last }: Period) {
  return queryOptions({
    staleTime: 0,
    queryKey: [...HOME_KEY, clientId, 'changes', first, last],
    queryFn: async (context) => {
      const args = { _client_id: clientId, _from: first, _until: last };
      return changesSchema.parse(await readAsSignedIn((api) => api.rpc('client_changes', args))(context));
    },
  });
}

interface ReadReceipt {
  clientId: string;
  /** IDs of the approvals and reports that the user opened. The portal visit is always recorded. */
  approvals?: string[];
  reports?: string[];
}

/** Records the approvals and reports that a member has opened. The team sees when the portal was last opened. */
export const recordReadMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, approvals = [], reports = [] }: ReadReceipt) =>
    api.rpc('record_client_read', { _client_id: clientId, _approval_ids: approvals, _report_ids: reports }),
  ),
});
