import { createFileRoute } from '@tanstack/react-router';
import { publishedPostsQuery } from '../content/posts/published.ts';
import { answerForOpenSite, xml } from './open-site.ts';

const MAX_ITEMS = 50;

export const Route = createFileRoute('/rss.xml')({
  server: {
    handlers: {
      GET: ({ request }) =>
        answerForOpenSite(request, async ({ origin, settings, queryClient }) => {
          const posts = await queryClient.fetchQuery(publishedPostsQuery(MAX_ITEMS));
          const items = posts.map((post) => {
            const address = xml(`${origin}/news/${encodeURIComponent(post.slug)}`);
            return `<item>
<title>${xml(post.title)}</title>
<link>${address}</link>
<guid>${address}</guid>
<pubDate>${new Date(post.published_date).toUTCString()}</pubDate>
${post.category ? `<category>${xml(post.category)}</category>\n` : ''}<description>${xml(post.excerpt)}</description>
</item>`;
          });
          return new Response(
            `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${xml(settings.site_name)}</title>
<link>${xml(origin)}/news</link>
<description>${xml(settings.seo_description)}</description>
<language>en</language>
<atom:link href="${xml(origin)}/rss.xml" rel="self" type="application/rss+xml"/>
${items.join('\n')}
</channel></rss>
`,
            { headers: { 'content-type': 'application/rss+xml; charset=utf-8' } },
          );
        }),
    },
  },
});
