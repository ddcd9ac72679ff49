/** The site as one function from request to response. Pages are rendered whole, because the server keeps them whole. */
import { defineHandlerCallback, getSsrStatus, transformHtmlStringWithRouter } from '@tanstack/react-router/ssr/server';
import { createStartHandler, StartServer } from '@tanstack/react-start/server';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import stylesheet from './app.css?url';
import { PUBLIC_PAGES } from './data/public-pages.ts';

/** As the framework's own, except that an error reaches the server, which logs it and answers with its sentence. */
const render = defineHandlerCallback(async ({ router, responseHeaders }) => {
  try {
    const html = await transformHtmlStringWithRouter(router, renderToString(createElement(StartServer, { router })));
    return new Response(html, { status: getSsrStatus(router), headers: responseHeaders });
  } finally {
    router.serverSsr?.cleanup();
  }
});

/**
 * `stylesheet` is the path of the file whose text the server hands back as SiteHost.stylesheet; `publicPages` are the
 * paths of which visits are counted.
 */
export default { fetch: createStartHandler(render), stylesheet, publicPages: PUBLIC_PAGES.map(({ to }) => to) };
