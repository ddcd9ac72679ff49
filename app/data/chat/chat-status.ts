import { requireSiteHost } from '../../lib/site-host.ts';

/** Asks whether the assistant answers at all. One that does not tell counts as available. Server only. */
export async function isChatAvailable(): Promise<boolean> {
  const { apiUrl, publishableKey, fetch } = requireSiteHost();
  const response = await fetch(new Request(`${apiUrl}/functions/v1/ai-chat`, { headers: { apikey: publishableKey } }));
  const status: unknown = await response.json().catch(() => null);
  return !(typeof status === 'object' && status !== null && 'available' in status && status.available === false);
}
