import { createFileRoute } from '@tanstack/react-router';
import { requireSiteHost } from '../../api/host/site-host.ts';

/** Paths without public content. */
const PRIVATE_PATHS = [
  '/admin',
  '/account',
  '/auth',
  '/client-dashboard',
  '/team-dashboard',
  '/pending-approval',
  '/chat-embed',
  '/preview',
];

export const Route = createFileRoute('/robots.txt')({
  server: {
    handlers: {
      GET: ({ request }) => {
        const { gate, siteUrl } = requireSiteHost();
        const lines = gate
          ? ['User-agent: *', 'Disallow: /']
          : [
              'User-agent: *',
              ...PRIVATE_PATHS.map((path) => `Disallow: ${path}`),
              '',
              `Sitemap: ${siteUrl ?? new URL(request.url).origin}/sitemap.xml`,
            ];
        return new Response(`${lines.join('\n')}\n`, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
      },
    },
  },
});
