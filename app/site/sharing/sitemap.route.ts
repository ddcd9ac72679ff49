import { createFileRoute } from '@tanstack/react-router';
import { sitemapPartsQuery } from '../../content/public-item-pages.ts';
import { respondIfPublic } from './public-response.ts';
import { itemEntries, locations, pageEntries, xmlResponse } from './sitemap-entries.ts';

/** Serves the sitemap, or an index of its parts if a kind has more than 1,000 items. */
export const Route = createFileRoute('/sitemap.xml')({
  server: {
    handlers: {
      GET: ({ request }) =>
        respondIfPublic(request, async ({ origin, queryClient }) => {
          const [{ KINDS }, parts] = await Promise.all([
            import('../../content/kinds.ts'),
            queryClient.fetchQuery(sitemapPartsQuery),
          ]);
          const kinds = KINDS.filter(({ publicPath, table }) => publicPath && parts.has(table));
          if (kinds.some(({ table }) => (parts.get(table) ?? 0) > 1)) {
            const names = kinds.flatMap(({ path, table }) =>
              Array.from({ length: parts.get(table) ?? 0 }, (_, index) => `/sitemap/${path}-${index + 1}.xml`),
            );
            return xmlResponse('sitemapindex', locations('sitemap', origin, ['/sitemap/pages.xml', ...names]));
          }
          const items = await Promise.all(kinds.map((kind) => itemEntries(queryClient, origin, kind, 1)));
          return xmlResponse('urlset', [...pageEntries(origin), ...items.flat()]);
        }),
    },
  },
});
