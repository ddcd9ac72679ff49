import type { QueryClient } from '@tanstack/react-query';
import { requireSiteHost } from '../../api/host/site-host.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { type SiteSettings, siteSettingsQuery } from '../../settings/site-settings.ts';
import { withoutControls } from '../../ui/lib/escape-markup.ts';

export interface OpenSite {
  /** Without a trailing slash. */
  origin: string;
  settings: SiteSettings;
  queryClient: QueryClient;
}

/**
 * Answers search engines, feed readers and link previews with what `respond` makes of the site as a visitor sees it, or
 * with 404 while the preview gate is on. Server only.
 */
export async function answerForOpenSite(
  request: Request,
  respond: (site: OpenSite) => Promise<Response>,
): Promise<Response> {
  const host = requireSiteHost();
  if (host.gate) return new Response('This site is not public yet.', { status: 404 });
  const queryClient = createQueryClient();
  const settings = await queryClient.fetchQuery(siteSettingsQuery);
  return respond({ origin: host.siteUrl ?? new URL(request.url).origin, settings, queryClient });
}

/** Text made safe for XML, in elements and in attributes: without characters that XML 1.0 cannot contain. */
export function xml(text: string): string {
  return withoutControls(text).replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
