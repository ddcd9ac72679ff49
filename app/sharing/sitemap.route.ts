import { createFileRoute } from '@tanstack/react-router';
import { publicPlacesQuery } from '../content/public-places.ts';
import { PUBLIC_PAGES } from '../data/public-pages.ts';
import { answerForOpenSite, xml } from './open-site.ts';

/** More addresses than this do not belong into one sitemap. */
const MAX_ITEMS = 49_000;

export const Route = createFileRoute('/sitemap.xml')({
  server: {
    handlers: {
      GET: ({ request }) =>
        answerForOpenSite(request, async ({ origin, queryClient }) => {
          const { KINDS } = await import('../content/kinds.ts');
          const items = await Promise.all(KINDS.map((kind) => queryClient.fetchQuery(publicPlacesQuery(kind))));
          const entries = [
            ...PUBLIC_PAGES.map(({ to }) => `<url><loc>${xml(origin + to)}</loc></url>`),
            ...items
              .flat()
              .slice(0, MAX_ITEMS)
              .map(
                ({ path, changedAt }) =>
                  `<url><loc>${xml(origin + path)}</loc><lastmod>${xml(changedAt)}</lastmod></url>`,
              ),
          ];
          return new Response(
            `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`,
            { headers: { 'content-type': 'application/xml; charset=utf-8' } },
          );
        }),
    },
  },
});
