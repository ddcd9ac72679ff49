/** Request handler of the site. Pages are rendered completely instead of streamed, because the server caches them. */

import { type AnyRoute, type AnyRouter, createRouter } from '@tanstack/react-router';
import { defineHandlerCallback, getSsrStatus, transformHtmlStringWithRouter } from '@tanstack/react-router/ssr/server';
import { createStartHandler, StartServer } from '@tanstack/react-start/server';
import { createElement } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { CLOSED_POLICY, policyDirectives } from './api/host/page-policy.ts';
import { QUERY_NAMES } from './api/host/query-names.ts';
import { requireSiteHost } from './api/host/site-host.ts';
import { PUBLIC_PAGES } from './api/places/public-pages.ts';
import { createQueryClient } from './api/query-client.ts';
import stylesheet from './app.css?url';
import { MAX_ALIAS_LENGTH, normalizeAlias } from './content/import/alias.ts';
import { movedItemQuery } from './content/pages/slug-aliases.ts';
import type { OpenPreview } from './editing/previews/preview-labels.ts';
import { routeTree } from './routeTree.gen';
import { BrandLogoContext } from './settings/brand/brand-logo.ts';
import { readBrandStyle } from './settings/brand/brand-style.ts';
import { siteSettingsQuery } from './settings/site-settings.ts';
import { PreviewBar } from './site/preview/preview-bar.tsx';
import { type PreviewNotice, PreviewPage } from './site/preview/preview-page.tsx';
import { finishPage } from './site/startup/first-paint.ts';

/**
 * Like the framework's renderer, but errors are passed on to the server, which logs them and responds with its own
 * message.
 */
const render = defineHandlerCallback(async ({ router, responseHeaders }) => {
  try {
    const status = statusOf(router);
    const newPath = status === 404 ? await movedPath(router.state.location.pathname) : null;
    if (newPath) return new Response(null, { status: 301, headers: { location: newPath } });
    const html = await transformHtmlStringWithRouter(router, renderToString(createElement(StartServer, { router })));
    return new Response(finishPage(html), {
      status,
      headers: responseHeaders,
    });
  } finally {
    router.serverSsr?.cleanup();
  }
});

/** Returns the path of the post that was imported from a page with this path. */
async function movedPath(path: string): Promise<string | null> {
  if (path.length > MAX_ALIAS_LENGTH || requireSiteHost().preview) return null;
  const alias = normalizeAlias(path);
  // Postgres rejects the character NUL.
  if (alias === '' || alias.includes('\0')) return null;
  const post = await createQueryClient().fetchQuery(movedItemQuery('posts', alias));
  return post?.to ? `/news/${encodeURIComponent(post.to)}` : null;
}

/** Returns the status of a page: 404 if its loader data is marked with `isMissing`. */
function statusOf(router: AnyRouter): number {
  const isMissing = router.state.matches.some(
    ({ loaderData }) =>
      typeof loaderData === 'object' && loaderData && 'isMissing' in loaderData && loaderData.isMissing,
  );
  return isMissing ? 404 : getSsrStatus(router);
}

function drawPreviewBar(preview: OpenPreview, base: string): string {
  return renderToStaticMarkup(createElement(PreviewBar, { preview, base }));
}

/** Renders the page for an unavailable preview, in the brand of the site. */
async function drawPreviewPage(notice: PreviewNotice): Promise<Response> {
  const settings = await createQueryClient().fetchQuery(siteSettingsQuery);
  const { accentStyle: accent, iconVersion } = await readBrandStyle(settings);
  const styles = [requireSiteHost().stylesheet, ...(accent ? [accent.css] : [])];
  const page = createElement(PreviewPage, { notice, siteName: settings.site_name, styles, iconVersion });
  const html = renderToStaticMarkup(createElement(BrandLogoContext, { value: settings.brand_logo }, page));
  return new Response(`<!DOCTYPE html>${html}`, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyDirectives(CLOSED_POLICY, accent?.hash),
    },
  });
}

/** Used only to list the route patterns, not for rendering. */
const ROUTER = createRouter({ routeTree, context: { queryClient: createQueryClient(), Gate: undefined } });

/** Patterns of client-rendered pages with a parameter. The server accepts any value. */
const ENDLESS_ROUTES = Object.entries<AnyRoute>({ ...ROUTER.routesByPath })
  .filter(([path, route]) => path.includes('$') && isClientRendered(route))
  .map(([path]) => path);

function isClientRendered(route: AnyRoute): boolean {
  return route.options.ssr === false || (route.parentRoute !== undefined && isClientRendered(route.parentRoute));
}

/**
 * `stylesheet` is the path of the file whose text the server passes as SiteHost.stylesheet. `publicPages` are the paths
 * whose page views are counted. `routes` are the patterns of all pages. `endlessRoutes` are the patterns that match any
 * parameter. `queryNames` are the query parameters that pages read.
 */
export default {
  fetch: createStartHandler(render),
  stylesheet,
  publicPages: PUBLIC_PAGES.map(({ to }) => to),
  routes: Object.keys(ROUTER.routesByPath),
  endlessRoutes: ENDLESS_ROUTES,
  queryNames: QUERY_NAMES,
  drawPreviewBar,
  drawPreviewPage,
};
