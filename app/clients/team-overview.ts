/** The standing of all clients, for those who work for them. Policies decide which of them somebody sees. */
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { readAsSignedIn } from '../api/as-signed-in.ts';
import { keysOf } from '../ui/lib/keys-of.ts';
import { CLIENTS_KEY, PHASES } from './clients.ts';

const standingSchema = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  time_zone: z.string(),
  first_weekday: z.number(),
  is_running: z.boolean(),
  /** The last day of which there is a figure. */
  latest: z.string().nullable(),
  waits_for_client: z.number(),
  /** The first day on which an answer of theirs is due. */
  due_on: z.string().nullable(),
  /** Texts that they declined or want changed, and meetings that they dispute. */
  waits_for_us: z.number(),
  /** Texts that nobody of them opened for a week. */
  unread: z.number(),
  /** The last time that one of them opened the rooms. */
  read_at: z.string().nullable(),
});

export type ClientStanding = z.output<typeof standingSchema>;

export const overviewQuery = queryOptions({
  staleTime: 0,
  queryKey: [...CLIENTS_KEY, 'overview'],
  queryFn: async (context): Promise<ClientStanding[]> =>
    z.array(standingSchema).parse(await readAsSignedIn((api) => api.rpc('team_overview'))(context)),
});

/** Reads which clients have an alarm that nobody settled. */
export const alarmedQuery = queryOptions({
  staleTime: 0,
  queryKey: [...CLIENTS_KEY, 'alarmed'],
  queryFn: async (context) => {
    const open = readAsSignedIn((api) =>
      api.from('client_alarms').select('client_id').is('settled_at', null).limit(1000),
    );
    return new Set((await open(context)).map(({ client_id }) => client_id));
  },
});

/** Campaigns that are read at once; a team has fewer. */
const MOST = 500;

/** Reads the campaigns of all clients that are not done, by due date, those without one last. */
export const projectsQuery = queryOptions({
  staleTime: 0,
  queryKey: [...CLIENTS_KEY, 'projects'],
  queryFn: readAsSignedIn((api) =>
    api
      .from('campaigns')
      .select('id, client_id, name, channel, phase, next_step, due_on, clients(name)')
      .neq('phase', 'done')
      .order('due_on', { nullsFirst: false })
      .order('name')
      .limit(MOST),
  ),
});

type Project = Awaited<ReturnType<NonNullable<(typeof projectsQuery)['queryFn']>>>[number];

/** Groups campaigns by phase, in the order in which a campaign goes through them. */
export function byPhase<Item extends Pick<Project, 'phase'>>(campaigns: readonly Item[]) {
  return keysOf(PHASES).flatMap((phase) => {
    const own = campaigns.filter((campaign) => campaign.phase === phase);
    return own.length > 0 ? [{ phase, campaigns: own }] : [];
  });
}
