/** The site as one function from request to response. Pages are rendered whole, because the server keeps them whole. */
import { defineHandlerCallback, getSsrStatus, transformHtmlStringWithRouter } from '@tanstack/react-router/ssr/server';
import { createStartHandler, StartServer } from '@tanstack/react-start/server';
import { createElement } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import stylesheet from './app.css?url';
import { PUBLIC_PAGES } from './data/public-pages.ts';
import { createQueryClient } from './data/query-client.ts';
import { siteSettingsQuery } from './data/site-settings.ts';
import { requireSiteHost } from './lib/site-host.ts';
import { PreviewBar } from './preview/preview-bar.tsx';
import { type PreviewNotice, PreviewPage } from './preview/preview-page.tsx';
import type { OpenPreview } from './preview/preview-words.ts';

/** As the framework's own, except that an error reaches the server, which logs it and answers with its sentence. */
const render = defineHandlerCallback(async ({ router, responseHeaders }) => {
  try {
    const html = await transformHtmlStringWithRouter(router, renderToString(createElement(StartServer, { router })));
    return new Response(html, { status: getSsrStatus(router), headers: responseHeaders });
  } finally {
    router.serverSsr?.cleanup();
  }
});

function drawPreviewBar(preview: OpenPreview, base: string): string {
  return renderToStaticMarkup(createElement(PreviewBar, { preview, base }));
}

/** The whole HTML of a page that stands for a preview that is not shown (yet). */
async function drawPreviewPage(notice: PreviewNotice): Promise<string> {
  const { site_name: siteName } = await createQueryClient().fetchQuery(siteSettingsQuery);
  const { stylesheet: text } = requireSiteHost();
  const page = createElement(PreviewPage, { notice, siteName, stylesheet: text });
  return `<!DOCTYPE html>${renderToStaticMarkup(page)}`;
}

/**
 * `stylesheet` is the path of the file whose text the server hands back as SiteHost.stylesheet; `publicPages` are the
 * paths of which visits are counted.
 */
export default {
  fetch: createStartHandler(render),
  stylesheet,
  publicPages: PUBLIC_PAGES.map(({ to }) => to),
  drawPreviewBar,
  drawPreviewPage,
};
