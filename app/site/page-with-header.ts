/** Loader and head that the routes of all pages with a header share. */
import type { QueryClient } from '@tanstack/react-query';
import type { PageWithHeader } from '../api/places/public-pages.ts';
import { prefetchLists } from '../api/query-client.ts';
import { pageContentQuery } from '../content/pages/page-content.ts';
import { findPlayers } from '../content/pages/page-policy.ts';
import { type SiteSettings, siteSettingsQuery } from '../settings/site-settings.ts';
import { breadcrumbJsonLd, pageHead, type SeoSite } from '../ui/lib/seo.ts';
import { seoSite } from './seo-site.ts';

/** Loads the settings and the content of a page, and prefetches its lists. */
export async function loadPage(queryClient: QueryClient, { header }: PageWithHeader, ...lists: Promise<void>[]) {
  const [settings, { sections }] = await Promise.all([
    queryClient.ensureQueryData(siteSettingsQuery),
    queryClient.ensureQueryData(pageContentQuery(header)),
    prefetchLists(...lists),
  ]);
  const { description, ...texts } = sections.header;
  return { settings, description, players: findPlayers(...Object.values(texts)) };
}

/** Returns the metadata for search engines and link previews. */
export function buildHead(
  { to: path, label }: PageWithHeader,
  loaded: { settings: SiteSettings; description: string } | undefined,
  extraJsonLd: (site: SeoSite) => Record<string, unknown>[] = () => [],
) {
  if (!loaded) return {};
  const site = seoSite(loaded.settings);
  const jsonLd = [breadcrumbJsonLd(site, [{ name: label, path }]), ...extraJsonLd(site)];
  return pageHead(site, { title: label, description: loaded.description, path, jsonLd });
}
