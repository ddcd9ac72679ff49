/** Figures over all clients of a team member, by channel and campaign, and whose are late. */
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { METRIC_NAMES, type Metric } from '../../../supabase/functions/metrics.ts';
import { readAsSignedIn } from '../../api/as-signed-in.ts';
import { addDays } from '../../ui/lib/zoned-times.ts';
import { FIGURES_KEY } from './figures-key.ts';
import { type Period, todayOf, weekOf } from './progress.ts';

const clientsSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    time_zone: z.string(),
    first_weekday: z.number(),
    is_running: z.boolean(),
    /** The last day of which there is a figure. */
    latest: z.string().nullable(),
    campaigns: z.array(
      z.object({
        /** Empty for meetings without a campaign. */
        id: z.string(),
        name: z.string(),
        channel: z.string(),
        figures: z.partialRecord(z.enum(METRIC_NAMES), z.number()),
        /** Number of its meetings that were held. */
        held: z.number(),
      }),
    ),
  }),
);

export type ClientTotals = z.output<typeof clientsSchema>[number];

/** Reads the figures of all clients that the person may see. */
export function totalsQuery({ first, last }: Period) {
  return queryOptions({
    staleTime: 0,
    queryKey: [...FIGURES_KEY, 'totals', first, last],
    queryFn: async (context): Promise<ClientTotals[]> =>
      clientsSchema.parse(
        await readAsSignedIn((api) => api.rpc('figure_totals', { _from: first, _until: last }))(context),
      ),
  });
}

export interface ChannelTotals {
  channel: string;
  campaigns: (ClientTotals['campaigns'][number] & { client: Pick<ClientTotals, 'id' | 'name'> })[];
}

/** Groups the campaigns that have figures by channel, in order of its name. */
export function byChannel(clients: readonly ClientTotals[]): ChannelTotals[] {
  const channels = new Map<string, ChannelTotals['campaigns']>();
  for (const client of clients) {
    for (const campaign of client.campaigns) {
      channels.set(campaign.channel, [...(channels.get(campaign.channel) ?? []), { ...campaign, client }]);
    }
  }
  return [...channels.keys()].toSorted().map((channel) => ({ channel, campaigns: channels.get(channel) ?? [] }));
}

export function totalOf({ campaigns }: ChannelTotals, metric: Metric): number {
  return campaigns.reduce((sum, { figures }) => sum + (figures[metric] ?? 0), 0);
}

/**
 * Lists the clients with a running campaign whose figures do not reach the end of the week before this one, with the weeks
 * that are missing; without any figure, null.
 */
export function lateClients(clients: readonly Omit<ClientTotals, 'campaigns'>[], now: string) {
  return clients.flatMap((client) => {
    const due = addDays(weekOf(todayOf(client, now), client).first, -1);
    if (!client.is_running || (client.latest !== null && client.latest >= due)) return [];
    const days = client.latest === null ? null : (Date.parse(due) - Date.parse(client.latest)) / 86_400_000;
    return [
      { id: client.id, name: client.name, latest: client.latest, weeks: days === null ? null : Math.ceil(days / 7) },
    ];
  });
}
