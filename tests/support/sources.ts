import type { SupabaseClient } from '@supabase/supabase-js';
import { EVENT_METRICS, type EventMetric } from '../../supabase/functions/metrics.ts';
import type { TestClient } from './clients.ts';
import type { TestBackend } from './test-backend.ts';

interface SourceOptions {
  provider?: 'smartlead' | 'instantly' | 'lemlist' | 'json';
  metrics?: readonly EventMetric[];
  externalId?: string;
  secret?: string;
  campaign?: string;
}

/** Adds a source to the campaign of a client. @returns the secret token in its URL */
export async function addSource(
  client: SupabaseClient,
  { id, campaign }: Pick<TestClient, 'id' | 'campaign'>,
  { provider = 'json', metrics = EVENT_METRICS, externalId = '', secret = '', ...options }: SourceOptions = {},
): Promise<string> {
  const source = { _campaign_id: options.campaign ?? campaign, _provider: provider, _metrics: metrics };
  const parameters = { _client_id: id, ...source, _external_id: externalId, _secret: secret };
  return (await client.rpc('add_campaign_source', parameters).throwOnError()).data;
}

/** Posts a body as a provider does. */
export function postEvents(
  { url }: Pick<TestBackend, 'url'>,
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/functions/v1/campaign-events/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
