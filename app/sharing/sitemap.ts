import { createFileRoute } from '@tanstack/react-router';
import { publishedPostsQuery } from '../data/posts.ts';
import { projectPath, publishedProjectsQuery } from '../data/projects.ts';
import { answerForOpenSite, xml } from './open-site.ts';

const PAGES = ['/', '/about', '/services', '/projects', '/news', '/contact'];

/** More addresses than this do not belong into one sitemap. */
const MAX_POSTS = 49_000;

export const Route = createFileRoute('/sitemap.xml')({
  server: {
    handlers: {
      GET: ({ request }) =>
        answerForOpenSite(request, async ({ origin, queryClient }) => {
          const [posts, projects] = await Promise.all([
            queryClient.fetchQuery(publishedPostsQuery()),
            queryClient.fetchQuery(publishedProjectsQuery()),
          ]);
          const entries = [
            ...[...PAGES, ...projects.map(({ slug }) => projectPath(slug))].map(
              (path) => `<url><loc>${xml(origin + path)}</loc></url>`,
            ),
            ...posts.slice(0, MAX_POSTS).map((post) => {
              const address = `${origin}/news/${encodeURIComponent(post.slug)}`;
              return `<url><loc>${xml(address)}</loc><lastmod>${xml(post.published_date)}</lastmod></url>`;
            }),
          ];
          return new Response(
            `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`,
            { headers: { 'content-type': 'application/xml; charset=utf-8' } },
          );
        }),
    },
  },
});
