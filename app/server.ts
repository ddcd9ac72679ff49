/** The site as one function from request to response. Pages are rendered whole, because the server keeps them whole. */
import { defineHandlerCallback, getSsrStatus, transformHtmlStringWithRouter } from '@tanstack/react-router/ssr/server';
import { createStartHandler, StartServer } from '@tanstack/react-start/server';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { insertParts } from './lib/insert-parts.tsx';

/** The HTML of the answers that are pages. Who takes it from here saves the copies that a Response makes of its body. */
const pages = new WeakMap<Response, Buffer<ArrayBuffer>[]>();

/** As the framework's own, except that the body is made only if somebody reads it. */
const render = defineHandlerCallback(async ({ router, responseHeaders }) => {
  try {
    const html = await transformHtmlStringWithRouter(router, renderToString(createElement(StartServer, { router })));
    const pieces = insertParts(router, html);
    const body = new ReadableStream({
      pull(controller) {
        for (const piece of pieces) controller.enqueue(new Uint8Array(piece));
        controller.close();
      },
    });
    const response = new Response(body, { status: getSsrStatus(router), headers: responseHeaders });
    pages.set(response, pieces);
    return response;
  } finally {
    router.serverSsr?.cleanup();
  }
});

export default {
  fetch: createStartHandler(render),
  htmlOf: (response: Response) => pages.get(response),
};
