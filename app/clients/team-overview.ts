/** Status of all visible clients. Row-level security limits the visible rows. */
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { readAsSignedIn } from '../api/as-signed-in.ts';
import { keysOf } from '../ui/lib/keys-of.ts';
import { CLIENTS_KEY, PHASES } from './clients.ts';

const statusSchema = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  time_zone: z.string(),
  first_weekday: z.number(),
  is_running: z.boolean(),
  /** Last day with a figure. */
  latest: z.string().nullable(),
  waits_for_client: z.number(),
  /** Earliest due date of the client's pending answers. */
  due_on: z.string().nullable(),
  /** Declined texts, requested changes and disputed meetings. */
  waits_for_us: z.number(),
  /** Texts that no member has opened for a week. */
  unread: z.number(),
  /** Last time that a member opened the portal. */
  read_at: z.string().nullable(),
});

export type ClientStatus = z.output<typeof statusSchema>;

export const overviewQuery = queryOptions({
  staleTime: 0,
  queryKey: [...CLIENTS_KEY, 'overview'],
  queryFn: async (context): Promise<ClientStatus[]> =>
    z.array(statusSchema).parse(await readAsSignedIn((api) => api.rpc('team_overview'))(context)),
});

/** Reads the clients with open alarms. */
export const alarmedQuery = queryOptions({
  staleTime: 0,
  queryKey: [...CLIENTS_KEY, 'alarmed'],
  queryFn: async (context) => {
    const readAlarms = readAsSignedIn((api) =>
      api.from('client_alarms').select('client_id').is('resolved_at', null).limit(1000),
    );
    return new Set((await readAlarms(context)).map(({ client_id }) => client_id));
  },
});

/** Limit of the query, well above the number of campaigns that a team runs. */
const MAX_CAMPAIGNS = 500;

/** Reads all campaigns that are not done, by due date. Campaigns without a due date are last. */
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
      .limit(MAX_CAMPAIGNS),
  ),
});

type Project = Awaited<ReturnType<NonNullable<(typeof projectsQuery)['queryFn']>>>[number];

/** Groups campaigns by phase, in workflow order. */
export function groupByPhase<Item extends Pick<Project, 'phase'>>(campaigns: readonly Item[]) {
  return keysOf(PHASES).flatMap((phase) => {
    const matches = campaigns.filter((campaign) => campaign.phase === phase);
    return matches.length > 0 ? [{ phase, campaigns: matches }] : [];
  });
}
