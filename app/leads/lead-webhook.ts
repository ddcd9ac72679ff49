/** Queries for the lead webhook's log, secret and test. The settings page stores its URL. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, readPageAsSignedIn, reloadOnSuccess } from '../api/as-signed-in.ts';
import type { Row } from '../api/tables.ts';
import { sessionApi } from '../api/visitor-api.ts';

const KEY = ['lead-webhook'];

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

export const deliveryStatus = z.enum(['waiting', 'delivered', 'failed']);

export type DeliveryStatus = z.output<typeof deliveryStatus>;
export type WebhookDelivery = Row<'lead_webhook_deliveries'> & { status: DeliveryStatus };

/** Reads one page (1-based) of the webhook log, latest first. Refetches while requests are queued. */
export function webhookLogQuery(page: number) {
  return queryOptions<{ items: WebhookDelivery[]; count: number }>({
    queryKey: [...KEY, 'log', page],
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === 'waiting') ? 2000 : false),
    queryFn: async (context) => {
      const readPage = readPageAsSignedIn(page, (api) =>
        api.from('lead_webhook_deliveries').select('*', { count: 'exact' }).order('id', { ascending: false }),
      );
      const { items, count } = await readPage(context);
      return { items: items.map((row) => ({ ...row, status: deliveryStatus.parse(row.status) })), count };
    },
  });
}

/** Counts leads from the last week that could not be sent. */
export const failedWebhooksQuery = queryOptions({
  queryKey: [...KEY, 'failed'],
  staleTime: 0,
  queryFn: async ({ signal }): Promise<number> => {
    const api = await sessionApi();
    const { count } = await api
      .from('lead_webhook_deliveries')
      .select('id', { count: 'exact', head: true })
      .eq('status', 'failed')
      .gt('ended_at', new Date(Date.now() - WEEK_MS).toISOString())
      .abortSignal(signal)
      .throwOnError();
    return count ?? 0;
  },
});

/** Reads the signing secret. */
export const webhookSecretQuery = queryOptions({
  queryKey: [...KEY, 'secret'],
  queryFn: readAsSignedIn((api) => api.rpc('lead_webhook_secret')),
});

export const renewWebhookSecretMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api) => api.rpc('renew_lead_webhook_secret')),
  onSuccess: (secret: string, _nothing, _result, { client }) =>
    client.setQueryData(webhookSecretQuery.queryKey, secret),
});

export const testWebhookMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api) => api.rpc('send_test_webhook')),
  ...reloadOnSuccess(KEY),
});
