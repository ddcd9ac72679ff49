/** The site as one function from request to response. Pages are rendered whole, because the server keeps them whole. */

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
import type { OpenPreview } from './editing/previews/preview-labels.ts';
import { routeTree } from './routeTree.gen';
import { BrandLogoContext } from './settings/brand/brand-logo.ts';
import { readBrandStyle } from './settings/brand/brand-style.ts';
import { siteSettingsQuery } from './settings/site-settings.ts';
import { PreviewBar } from './site/preview/preview-bar.tsx';
import { type PreviewNotice, PreviewPage } from './site/preview/preview-page.tsx';
import { finishPage } from './site/startup/first-paint.ts';

/**
 * Renders as the framework does, except that an error reaches the server, which logs it and answers with its sentence.
 */
const render = defineHandlerCallback(async ({ router, responseHeaders }) => {
  try {
    const html = await transformHtmlStringWithRouter(router, renderToString(createElement(StartServer, { router })));
    return new Response(finishPage(html), {
      status: statusOf(router),
      headers: responseHeaders,
    });
  } finally {
    router.serverSsr?.cleanup();
  }
});

/**
 * Returns the status of a page: 404 for one that shows something although nothing is there, as its route says in what
 * it loads.
 */
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

/** Draws a page that stands for a preview that is not shown (yet), in the brand of the site. */
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

/** Renders nothing: it is asked which patterns there are. */
const ROUTER = createRouter({ routeTree, context: { queryClient: createQueryClient(), Gate: undefined } });

/** The patterns of pages with an id or a name in their address that the server sends for any such name. */
const ENDLESS_ROUTES = Object.entries<AnyRoute>({ ...ROUTER.routesByPath })
  .filter(([path, route]) => path.includes('$') && isDrawnInBrowser(route))
  .map(([path]) => path);

function isDrawnInBrowser(route: AnyRoute): boolean {
  return route.options.ssr === false || (route.parentRoute !== undefined && isDrawnInBrowser(route.parentRoute));
}

/**
 * `stylesheet` is the path of the file whose text the server hands back as SiteHost.stylesheet; `publicPages` are the
 * paths of which visits are counted; `routes` are the patterns of all pages, `endlessRoutes` of those that are there
 * whatever their address names, and `queryNames` what they read of a query.
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
