import { expect, test } from 'vitest';
import { createRouteNames, OTHER } from './route-patterns.ts';

const routeOf = createRouteNames(
  [
    '/',
    '/news',
    '/news/$slug',
    '/sitemap.xml',
    '/admin/$kind/',
    '/admin/$kind/new',
    '/admin/people/$id',
    '/rest/v1/',
    '/rest/v1/:table',
    '/rest/v1/rpc/:function',
    '/auth/v1/admin/users/:id',
    '/auth/v1/admin/users/:id/factors',
    '/storage/v1/object/public/:bucket/:name{.+}',
  ],
  ['/favicon-32.png', '/assets/site-1a2b.js'],
);

test.each([
  ['/', '/'],
  ['/?utm_source=ada%40example.com', '/'],
  ['/news', '/news'],
  ['/news/', '/news'],
  ['/news/an-article?preview=1', '/news/:slug'],
  ['/sitemap.xml', '/sitemap.xml'],
  ['/sitemapXxml', OTHER],
  ['/admin/posts', '/admin/:kind'],
  ['/admin/posts/new', '/admin/:kind/new'],
  ['/admin/people/5f0f7c1e-0000-4000-8000-000000000000', '/admin/people/:id'],
  ['/rest/v1/', '/rest/v1/'],
  ['/rest/v1/posts?title=eq.secret', '/rest/v1/:table'],
  ['/rest/v1/rpc/any_function', '/rest/v1/rpc/:function'],
  ['/auth/v1/admin/users/5f0f7c1e-0000-4000-8000-000000000000/factors', '/auth/v1/admin/users/:id/factors'],
  ['/storage/v1/object/public/content-media/people/ada.png', '/storage/v1/object/public/:bucket/:name'],
  ['/.well-known/openid-configuration/auth/v1', '/.well-known/:document/auth/v1'],
  ['/preview/5f0f7c1e-0000-4000-8000-000000000000/news/draft', '/preview/:id/:path'],
  ['/assets/site-1a2b.js', '/assets/:file'],
  ['/favicon-32.png', '/:file'],
  ['/wp-login.php', OTHER],
  ['/ada@example.com', OTHER],
  ['//example.com', OTHER],
  ['*', OTHER],
  ['', OTHER],
])('%s has the label %s', (url, route) => expect(routeOf(url)).toBe(route));
