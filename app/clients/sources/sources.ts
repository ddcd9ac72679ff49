/** Event sources of campaigns, and their alarms. Row-level security limits the visible rows. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { type EventGroup, METRIC_NAMES, METRICS } from '../../../supabase/functions/metrics.ts';
import { browserApiEndpoint } from '../../api/api-endpoint.ts';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../../api/as-signed-in.ts';
import type { Selected } from '../../api/tables.ts';
import { keysOf, recordOf } from '../../ui/lib/keys-of.ts';
import { oneLine } from '../../ui/lib/one-line.ts';

const KEY = ['sources'];
const ALARMS_KEY = ['client-alarms'];

/** Always refetched, because events arrive continuously. */
const FRESH = { staleTime: 0 } as const;

export const PROVIDERS = {
  smartlead: 'Smartlead',
  instantly: 'Instantly',
  lemlist: 'lemlist',
  json: 'Custom JSON',
} as const;

export type Provider = keyof typeof PROVIDERS;

/** Labels of the metric groups that a source can count. */
export const EVENT_GROUPS: Record<EventGroup, string> = {
  messages: 'Messages: sent, delivered, bounced',
  replies: 'Replies and positive replies',
  meetings: 'Meetings',
};

const sourceSchema = z.object({
  id: z.string(),
  campaign_id: z.string(),
  campaign: z.string(),
  provider: z.enum(keysOf(PROVIDERS)),
  external_id: z.string(),
  has_secret: z.boolean(),
  counts_from: z.string(),
  ends_on: z.string().nullable(),
  latest_at: z.string().nullable(),
  not_counted: z.array(
    z.object({
      kind: z.string(),
      state: z.enum(['unknown', 'other_campaign', 'in_future']),
      count: z.number(),
      latest: z.string(),
    }),
  ),
});

export type Source = z.output<typeof sourceSchema>;

/** Reads a client's sources. Ended sources are last. */
export function sourcesQuery(clientId: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, clientId],
    queryFn: async (context) => {
      const rows = await readAsSignedIn((api) => api.rpc('list_campaign_sources', { _client_id: clientId }))(context);
      return z.array(sourceSchema).parse(rows);
    },
  });
}

export const addedSourceSchema = z
  .object({
    campaign: z.string().min(1, 'Choose a campaign.'),
    provider: z.enum(keysOf(PROVIDERS)),
    external_id: oneLine.max(200, 'Write at most 200 characters.'),
    secret: z.string().trim().max(200, 'Write at most 200 characters.'),
    ...recordOf(keysOf(EVENT_GROUPS), () => z.boolean()),
  })
  .refine(({ messages, replies, meetings }) => messages || replies || meetings, {
    path: ['messages'],
    error: 'Choose at least one metric.',
  });

type SourceInput = z.output<typeof addedSourceSchema> & { clientId: string };

/**
 * Adds a source.
 * @returns the token of its webhook URL, which cannot be read again
 */
export const addSourceMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, campaign, provider, external_id, secret, ...groups }: SourceInput) =>
    api.rpc('add_campaign_source', {
      _client_id: clientId,
      _campaign_id: campaign,
      _provider: provider,
      _external_id: external_id,
      _secret: secret,
      _metrics: METRIC_NAMES.filter((metric) => {
        const { events } = METRICS[metric];
        return events !== null && groups[events];
      }),
    }),
  ),
  ...reloadOnSettled(KEY),
});

interface SourceKey {
  clientId: string;
  id: string;
}

/**
 * Replaces the webhook URL and secret of a source.
 * @returns the token of the new webhook URL, which cannot be read again
 */
export const rotateSourceMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id, secret }: SourceKey & { secret: string }) =>
    api.rpc('rotate_campaign_source', { _client_id: clientId, _id: id, _secret: secret }),
  ),
  ...reloadOnSettled(KEY),
});

/** Ends a source. Idempotent. */
export const endSourceMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id }: SourceKey) =>
    api.rpc('end_campaign_source', { _client_id: clientId, _id: id }),
  ),
  ...reloadOnSettled(KEY),
});

/** Returns the webhook URL of a source. Browser only. */
export function sourceUrl(token: string): string {
  // The URL must be absolute, because the provider calls it from another host.
  return new URL(`${browserApiEndpoint().url}/functions/v1/campaign-events/${token}`, window.location.href).href;
}

/** Reads a client's texts. Texts sent by the campaign are first. */
export function campaignTextsQuery(clientId: string, campaignId: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'texts', clientId, campaignId],
    queryFn: readAsSignedIn((api) =>
      api.rpc('list_campaign_texts', { _client_id: clientId, _campaign_id: campaignId }),
    ),
  });
}

interface CampaignTextInput {
  clientId: string;
  campaignId: string;
  approvalId: string;
  isSent: boolean;
  /** Null for any step. */
  step: number | null;
}

/** Sets or clears the step at which a campaign sends a text. */
export const setCampaignTextMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, campaignId, approvalId, isSent, step }: CampaignTextInput) =>
    api.rpc('set_campaign_text', {
      _client_id: clientId,
      _campaign_id: campaignId,
      _approval_id: approvalId,
      _is_sent: isSent,
      ...(step !== null && { _step: step }),
    }),
  ),
  ...reloadOnSettled(KEY),
});

/** Reads a client's lists. Lists used by the campaign are first. */
export function campaignListsQuery(clientId: string, campaignId: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...KEY, 'lists', clientId, campaignId],
    queryFn: async (context) => {
      const args = { _client_id: clientId, _campaign_id: campaignId };
      const rows = await readAsSignedIn((api) => api.rpc('list_campaign_lists', args))(context);
      return z.array(campaignListSchema).parse(rows);
    },
  });
}

const campaignListSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Last approved version. Null before the first approval. */
  number: z.number().nullable(),
  /** Number of approved rows. */
  row_count: z.number(),
  is_used: z.boolean(),
});

export type CampaignList = z.output<typeof campaignListSchema>;

interface CampaignListInput {
  clientId: string;
  campaignId: string;
  approvalId: string;
  isUsed: boolean;
}

/** Sets whether a campaign contacts the people on a list. */
export const setCampaignListMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, campaignId, approvalId, isUsed }: CampaignListInput) =>
    api.rpc('set_campaign_list', {
      _client_id: clientId,
      _campaign_id: campaignId,
      _approval_id: approvalId,
      _is_used: isUsed,
    }),
  ),
  ...reloadOnSettled(KEY),
});

const ALARM_COLUMNS = 'id, kind, text, times, latest_at';

export const ALARM_KINDS = {
  not_approved: 'Sent without approval',
  not_listed: 'Sent to someone not on an approved list',
  do_not_contact: 'Sent to a blocked contact',
  difference: 'Events and import differ',
  incomplete: 'Events not stored in full',
} as const;

const alarmKind = z.enum(keysOf(ALARM_KINDS));

export type Alarm = Selected<'client_alarms', typeof ALARM_COLUMNS> & { kind: z.output<typeof alarmKind> };

/** Reads a client's open alarms, sorted by kind and then from the latest to the oldest. */
export function alarmsQuery(clientId: string) {
  return queryOptions({
    ...FRESH,
    queryKey: [...ALARMS_KEY, clientId],
    queryFn: async (context): Promise<Alarm[]> => {
      const read = readAsSignedIn((api) =>
        api
          .from('client_alarms')
          .select(ALARM_COLUMNS)
          .eq('client_id', clientId)
          .is('resolved_at', null)
          // Descending order puts not_listed, not_approved and do_not_contact before difference.
          .order('kind', { ascending: false })
          .order('latest_at', { ascending: false })
          .limit(100),
      );
      return (await read(context)).map((alarm) => ({ ...alarm, kind: alarmKind.parse(alarm.kind) }));
    },
  });
}

/** Dismisses an alarm. Idempotent. */
export const dismissAlarmMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, id }: SourceKey) =>
    api.rpc('resolve_client_alarm', { _client_id: clientId, _id: id }),
  ),
  ...reloadOnSettled(ALARMS_KEY),
});
