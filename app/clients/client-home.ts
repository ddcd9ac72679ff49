/** The first screen of a client's people: what waits for them, and when the next call is. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeSchema } from '../../supabase/functions/report-summary/figures-schema.ts';
import { changeAsSignedIn, readAsSignedIn } from '../api/as-signed-in.ts';
import type { Period } from './figures/progress.ts';

/** The key of the first screen, which whatever answers in the client's name reloads. */
export const HOME_KEY = ['client-home'];

const item = z.object({
  id: z.string(),
  title: z.string(),
  /** YYYY-MM-DD */
  due_on: z.string().nullable(),
});

const homeSchema = z.object({
  /** By the day on which each is due. */
  waiting: z.array(
    z.discriminatedUnion('kind', [
      item.extend({ kind: z.literal('approval'), number: z.number() }),
      item.extend({ kind: z.literal('meeting') }),
      item.extend({ kind: z.literal('quote') }),
    ]),
  ),
  /** More than those that are listed, where very many wait. */
  waiting_count: z.number(),
  /** Start of the next call that the person has booked with an address that they have proven. */
  next_call: z.string().nullable(),
});

export type Home = z.output<typeof homeSchema>;

export type WaitingItem = Home['waiting'][number];

export function homeQuery(clientId: string) {
  return queryOptions({
    staleTime: 0,
    queryKey: [...HOME_KEY, clientId],
    queryFn: async (context): Promise<Home> =>
      homeSchema.parse(await readAsSignedIn((api) => api.rpc('client_home', { _client_id: clientId }))(context)),
  });
}

const changesSchema = z.array(changeSchema.extend({ day: z.string() }));

/** Reads what changed for a client in a time, the latest first, as its reports tell it. */
export function changesQuery(clientId: string, { first, last }: Period) {
  return queryOptions({
    staleTime: 0,
    queryKey: [...HOME_KEY, clientId, 'changes', first, last],
    queryFn: async (context) => {
      const given = { _client_id: clientId, _from: first, _until: last };
      return changesSchema.parse(await readAsSignedIn((api) => api.rpc('client_changes', given))(context));
    },
  });
}

interface Read {
  clientId: string;
  /** Approvals and reports that the person has seen, beside the rooms. */
  approvals?: string[];
  reports?: string[];
}

/** Notes what a member has opened, for those who work for the client. */
export const noteReadMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, approvals = [], reports = [] }: Read) =>
    api.rpc('note_client_read', { _client_id: clientId, _approval_ids: approvals, _report_ids: reports }),
  ),
});
