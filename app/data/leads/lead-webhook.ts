/** The webhook of new leads: what it was told, its secret, and a test. Its address is a setting. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { pageRange } from '../api/paging.ts';
import { sessionApi } from '../api/visitor-api.ts';
import type { Database } from '../database.types.ts';

const KEY = ['lead-webhook'];

export type WebhookDelivery = Database['public']['Tables']['lead_webhook_deliveries']['Row'];

/**
 * Reads a page (from 1) of the webhook's log, sent and waiting, the latest first. Asked again while something waits.
 */
export function webhookLogQuery(page: number) {
  return queryOptions<{ items: WebhookDelivery[]; count: number }>({
    queryKey: [...KEY, 'log', page],
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === 'waiting') ? 2000 : false),
    queryFn: async ({ signal }) => {
      const api = await sessionApi();
      const { data, count, error } = await api
        .from('lead_webhook_deliveries')
        .select('*', { count: 'exact' })
        .order('id', { ascending: false })
        .range(...pageRange(page))
        .abortSignal(signal);
      if (error?.code === 'PGRST103') return { items: [], count: 0 };
      if (error) throw error;
      return { items: data, count: count ?? 0 };
    },
  });
}

/** Reads the secret that signs the bodies. */
export const webhookSecretQuery = queryOptions({
  queryKey: [...KEY, 'secret'],
  queryFn: async ({ signal }): Promise<string> => {
    const api = await sessionApi();
    const { data } = await api.rpc('lead_webhook_secret').abortSignal(signal).throwOnError();
    return data;
  },
});

export const renewWebhookSecretMutation = mutationOptions({
  mutationFn: async (): Promise<string> => {
    const api = await sessionApi();
    const { data } = await api.rpc('renew_lead_webhook_secret').throwOnError();
    return data;
  },
  onSuccess: (secret, _nothing, _result, { client }) => client.setQueryData(webhookSecretQuery.queryKey, secret),
});

export const testWebhookMutation = mutationOptions({
  mutationFn: async (): Promise<void> => {
    const api = await sessionApi();
    await api.rpc('send_test_webhook').throwOnError();
  },
  onSuccess: (_nothing, _variables, _result, { client }) => client.invalidateQueries({ queryKey: KEY }),
});
