import { createFileRoute } from '@tanstack/react-router';
import { publishedPostsQuery, publishedPostTextsQuery } from '../../content/posts/published.ts';
import { feedHtml } from './feed-html.ts';
import { escapeXml, respondIfPublic } from './public-response.ts';

const MAX_ITEMS = 50;

export const Route = createFileRoute('/rss.xml')({
  server: {
    handlers: {
      GET: ({ request }) =>
        respondIfPublic(request, async ({ origin, settings, queryClient }) => {
          const [posts, texts] = await Promise.all([
            queryClient.fetchQuery(publishedPostsQuery(MAX_ITEMS)),
            queryClient.fetchQuery(publishedPostTextsQuery(MAX_ITEMS)),
          ]);
          const textById = new Map(texts.map(({ id, content }) => [id, content]));
          const items = posts.map((post) => {
            const page = `${origin}/news/${encodeURIComponent(post.slug)}`;
            const url = escapeXml(page);
            return `<item>
<title>${escapeXml(post.title)}</title>
<link>${url}</link>
<guid>${url}</guid>
<pubDate>${new Date(post.published_date).toUTCString()}</pubDate>
${post.category ? `<category>${escapeXml(post.category)}</category>\n` : ''}<description>${escapeXml(post.excerpt)}</description>
<content:encoded>${escapeXml(feedHtml(textById.get(post.id) ?? '', page))}</content:encoded>
</item>`;
          });
          return new Response(
            `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>${escapeXml(settings.site_name)}</title>
<link>${escapeXml(origin)}/news</link>
<description>${escapeXml(settings.seo_description)}</description>
<language>en</language>
<atom:link href="${escapeXml(origin)}/rss.xml" rel="self" type="application/rss+xml"/>
${items.join('\n')}
</channel></rss>
`,
            { headers: { 'content-type': 'application/rss+xml; charset=utf-8' } },
          );
        }),
    },
  },
});
