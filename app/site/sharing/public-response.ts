import type { QueryClient } from '@tanstack/react-query';
import { requireSiteHost } from '../../api/host/site-host.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { type SiteSettings, siteSettingsQuery } from '../../settings/site-settings.ts';
import { stripControlCharacters } from '../../ui/lib/escape-markup.ts';

export interface PublicSite {
  /** Origin of the site, without a trailing slash. */
  origin: string;
  settings: SiteSettings;
  queryClient: QueryClient;
}

/**
 * Responds to search engines, feed readers and link previews with public data, or with 404 while the gate is closed.
 * Server only.
 */
export async function respondIfPublic(
  request: Request,
  respond: (site: PublicSite) => Promise<Response>,
): Promise<Response> {
  const host = requireSiteHost();
  if (host.gate) return new Response('This site is not public yet.', { status: 404 });
  const queryClient = createQueryClient();
  const settings = await queryClient.fetchQuery(siteSettingsQuery);
  return respond({ origin: host.siteUrl ?? new URL(request.url).origin, settings, queryClient });
}

/** Escapes text for XML elements and attributes, and removes characters that XML 1.0 forbids. */
export function escapeXml(text: string): string {
  return stripControlCharacters(text).replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
