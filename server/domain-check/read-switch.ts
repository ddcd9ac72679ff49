import { z } from 'zod';
import type { SiteHost } from '../../app/api/host/site-host.ts';

const rows = z.array(z.object({ setting_value: z.string() }));

/**
 * Reads the setting domain_check as a visitor. Cached until content changes. @throws Error if the API cannot be reached
 */
export function readDomainCheckSwitch(host: SiteHost): Promise<boolean> {
  return host.remember('domain_check', async () => {
    const url = `${host.apiUrl}/rest/v1/site_settings?select=setting_value&setting_key=eq.domain_check`;
    const response = await host.fetch(new Request(url, { headers: { apikey: host.publishableKey } }));
    if (!response.ok) throw new Error(`The API returned ${response.status} for the setting domain_check.`);
    return rows.parse(await response.json())[0]?.setting_value === 'on';
  });
}
