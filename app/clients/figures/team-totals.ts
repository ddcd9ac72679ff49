/** Totals of all visible clients by channel and campaign. */
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { METRIC_NAMES, type Metric } from '../../../supabase/functions/metrics.ts';
import { readAsSignedIn } from '../../api/as-signed-in.ts';
import { addDays } from '../../ui/lib/zoned-times.ts';
import { FIGURES_KEY } from './figures-key.ts';
import { currentDate, getWeek, type Period } from './progress.ts';

const clientsSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    time_zone: z.string(),
    first_weekday: z.number(),
    is_running: z.boolean(),
    /** Last day with a figure. */
    latest: z.string().nullable(),
    campaigns: z.array(
      z.object({
        /** Empty for meetings without a campaign. */
        id: z.string(),
        name: z.string(),
        channel: z.string(),
        figures: z.partialRecord(z.enum(METRIC_NAMES), z.number()),
        /** Number of meetings held. */
        held: z.number(),
      }),
    ),
  }),
);

export type ClientTotals = z.output<typeof clientsSchema>[number];

/** Reads the figures of all visible clients. */
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

/** Groups campaigns with figures by channel, in alphabetical order. */
export function groupByChannel(clients: readonly ClientTotals[]): ChannelTotals[] {
  const channels = new Map<string, ChannelTotals['campaigns']>();
  for (const client of clients) {
    for (const campaign of client.campaigns) {
      channels.set(campaign.channel, [...(channels.get(campaign.channel) ?? []), { ...campaign, client }]);
    }
  }
  return [...channels.keys()].toSorted().map((channel) => ({ channel, campaigns: channels.get(channel) ?? [] }));
}

export function sumMetric({ campaigns }: ChannelTotals, metric: Metric): number {
  return campaigns.reduce((sum, { figures }) => sum + (figures[metric] ?? 0), 0);
}

/**
 * Lists clients with a running campaign whose figures end before last week, with the number of missing weeks, or null
 * without figures.
 */
export function lateClients(clients: readonly Omit<ClientTotals, 'campaigns'>[], now: string) {
  return clients.flatMap((client) => {
    const due = addDays(getWeek(currentDate(client, now), client).first, -1);
    if (!client.is_running || (client.latest !== null && client.latest >= due)) return [];
    const days = client.latest === null ? null : (Date.parse(due) - Date.parse(client.latest)) / 86_400_000;
    return [
      { id: client.id, name: client.name, latest: client.latest, weeks: days === null ? null : Math.ceil(days / 7) },
    ];
  });
}
