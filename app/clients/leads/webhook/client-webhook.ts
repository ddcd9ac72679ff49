/** A client's webhook. Sends each new or changed lead to another app, such as a CRM. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { changeAsSignedIn, readAsSignedIn, readPageAsSignedIn, reloadOnSettled } from '../../../api/as-signed-in.ts';
import { deliveryStatus } from '../../../leads/lead-webhook.ts';

const KEY = ['client-webhook'];

const webhookSchema = z.object({ url: z.string(), secret: z.string() });

/** Labels of the webhook events. */
export const EVENTS = { 'lead.created': 'New lead', 'lead.changed': 'Changed lead', test: 'Test' } as const;

const deliverySchema = z.object({
  id: z.number(),
  event: z.enum(['lead.created', 'lead.changed', 'test']),
  payload: z.looseObject({
    lead: z.looseObject({ name: z.string(), email: z.string(), company: z.string() }).optional(),
  }),
  status: deliveryStatus,
  attempts: z.number(),
  last_error: z.string().nullable(),
  /** Beginning of the last response. */
  response: z.string(),
  created_at: z.string(),
  next_attempt_at: z.string(),
});

export type ClientDelivery = z.output<typeof deliverySchema>;

/** Reads a client's webhook, or null if no webhook is set up. */
export function clientWebhookQuery(clientId: string) {
  return queryOptions({
    queryKey: [...KEY, clientId],
    staleTime: 0,
    queryFn: async (context) =>
      webhookSchema
        .nullable()
        .parse(await readAsSignedIn((api) => api.rpc('client_webhook', { _client_id: clientId }))(context)),
  });
}

/** Reads a page (1-based) of the log, latest first. Refetches while deliveries are queued. */
export function clientWebhookLogQuery(clientId: string, page: number) {
  return queryOptions<{ items: ClientDelivery[]; count: number }>({
    queryKey: [...KEY, clientId, 'log', page],
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === 'waiting') ? 2000 : false),
    queryFn: async (context) => {
      const readPage = readPageAsSignedIn(page, (api) =>
        api
          .from('client_webhook_deliveries')
          .select('*', { count: 'exact' })
          .eq('client_id', clientId)
          .order('id', { ascending: false }),
      );
      const { items, count } = await readPage(context);
      return { items: z.array(deliverySchema).parse(items), count };
    },
  });
}

/** Uses the same rules as public.save_client_webhook(). */
export const webhookUrlSchema = z.object({
  url: z
    .string()
    .trim()
    .max(2000, 'URL must be at most 2,000 characters')
    .regex(/^(https:\/\/\S+)?$/, 'Enter a URL that begins with https://'),
});

/** Saves the URL. An empty URL removes the webhook and its secret. */
export const saveClientWebhookMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId, url }: { clientId: string; url: string }) =>
    api.rpc('save_client_webhook', { _client_id: clientId, _url: url }),
  ),
  ...reloadOnSettled(KEY),
});

export const renewClientSecretMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId }: { clientId: string }) =>
    api.rpc('renew_client_webhook_secret', { _client_id: clientId }),
  ),
  ...reloadOnSettled(KEY),
});

export const testClientWebhookMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, { clientId }: { clientId: string }) =>
    api.rpc('send_test_client_webhook', { _client_id: clientId }),
  ),
  ...reloadOnSettled(KEY),
});
