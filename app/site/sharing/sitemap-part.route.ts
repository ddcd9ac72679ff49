import { createFileRoute } from '@tanstack/react-router';
import { respondIfPublic } from './public-response.ts';
import { itemEntries, pageEntries, xmlResponse } from './sitemap-entries.ts';

/** Serves one part of the sitemap: 'pages.xml', or 'posts-3.xml' for the third 1,000 posts. */
export const Route = createFileRoute('/sitemap/$part')({
  server: {
    handlers: {
      GET: ({ request, params }) =>
        respondIfPublic(request, async ({ origin, queryClient }) => {
          if (params.part === 'pages.xml') return xmlResponse('urlset', pageEntries(origin));
          const { KINDS } = await import('../../content/kinds.ts');
          const [, path, part] = /^([a-z-]+)-([1-9][0-9]{0,4})\.xml$/.exec(params.part) ?? [];
          const kind = KINDS.find((item) => item.path === path);
          const entries = kind ? await itemEntries(queryClient, origin, kind, Number(part)) : [];
          if (entries.length === 0) return new Response('Sitemap part not found.', { status: 404 });
          return xmlResponse('urlset', entries);
        }),
    },
  },
});
