import type { QueryClient } from '@tanstack/react-query';
import { PUBLIC_PAGES } from '../../api/places/public-pages.ts';
import type { ContentKind } from '../../content/kind.ts';
import { publicItemPagesQuery } from '../../content/public-item-pages.ts';
import { escapeXml } from './public-response.ts';

export function pageEntries(origin: string): string[] {
  return locations(
    'url',
    origin,
    PUBLIC_PAGES.map(({ to }) => to),
  );
}

export function locations(element: 'url' | 'sitemap', origin: string, paths: readonly string[]): string[] {
  return paths.map((path) => `<${element}><loc>${escapeXml(origin + path)}</loc></${element}>`);
}

/** @param part 1-based number of a part with 1,000 items */
export async function itemEntries(
  queryClient: QueryClient,
  origin: string,
  kind: ContentKind,
  part: number,
): Promise<string[]> {
  const items = await queryClient.fetchQuery(publicItemPagesQuery(kind, part));
  return items.map(
    ({ path, changedAt }) =>
      `<url><loc>${escapeXml(origin + path)}</loc><lastmod>${escapeXml(changedAt)}</lastmod></url>`,
  );
}

export function xmlResponse(root: 'urlset' | 'sitemapindex', entries: readonly string[]): Response {
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</${root}>\n`,
    { headers: { 'content-type': 'application/xml; charset=utf-8' } },
  );
}
