/**
 * The way of a request: a kept page or a file of the build straight from memory; the Supabase API; else the site renders.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Config } from '../backend/config.ts';
import type { Backend } from '../backend/create-backend.ts';
import { API_PATH } from './api-path.ts';
import type { PageCache } from './page-cache.ts';
import { PREVIEW_PATH } from './previews/preview-path.ts';
import { toRendered } from './rendered.ts';
import { createSearchLimit } from './search-limit.ts';
import { commonHeaders } from './security-headers.ts';
import type { StoredResponse } from './stored-response.ts';
import { VISITS_PATH } from './visits/visits-endpoint.ts';

export interface RequestListenerParts {
  config: Config;
  pages: PageCache;
  assets: ReadonlyMap<string, StoredResponse>;
  /** The text of the style element that every page carries. */
  stylesheet: string;
  /** The Supabase API, or null when a project elsewhere answers it. */
  api: Backend['fetch'] | null;
  /** Answers what pages tell of their visits; null where nothing is counted. */
  visits: RequestListener | null;
  /** Answers for holders of preview links; null where there are none. */
  previews: RequestListener | null;
  site: (request: Request) => Promise<Response>;
  /** Called with what went wrong while rendering. */
  onError: (error: unknown) => void;
}

/** The API behind Node's HTTP server; it is told the address of the socket, which limits count. */
export function apiListener(api: Backend['fetch']) {
  return getRequestListener((request, { incoming }) => api(request, incoming.socket.remoteAddress));
}

export function createRequestListener(parts: RequestListenerParts) {
  const { config, pages, assets, stylesheet, api, visits, previews, site, onError } = parts;
  const common = commonHeaders(config);
  const answerApi = api && apiListener(api);
  const maySearch = createSearchLimit(config);

  const listener: RequestListener = (request, response) => {
    const { method, url = '/' } = request;
    if (API_PATH.test(url)) {
      for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
      if (answerApi) void answerApi(request, response);
      else sendText(response, 404, 'The Supabase API of this site is at another address.');
      return;
    }
    if (visits && method === 'POST' && url === VISITS_PATH) {
      visits(request, response);
      return;
    }
    if (previews && PREVIEW_PATH.test(url)) {
      previews(request, response);
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      sendText(response, 405, 'Method not allowed.', { allow: 'GET, HEAD' });
      return;
    }
    const asset = assets.get(url) ?? assets.get(url.split('?', 1)[0] ?? '');
    if (asset) {
      asset.send(request, response);
      return;
    }
    if (url.startsWith('/assets/')) {
      sendText(response, 404, 'There is no such file.', { 'cache-control': 'no-store' });
      return;
    }
    answerPage(request, response, url);
  };

  function answerPage(request: IncomingMessage, response: ServerResponse, url: string) {
    // Without SITE_URL, pages name the origin that the visitor used.
    const origin = config.SITE_URL ?? `http://${request.headers.host}`;
    const key = origin + url;
    const kept = pages.get(key);
    if (kept) {
      kept.send(request, response);
      return;
    }
    // No text of the database can hold a NUL.
    if (!URL.canParse(key) || !url.startsWith('/') || url.includes('%00')) {
      sendText(response, 400, 'The address of this request is not valid.');
      return;
    }
    if (!maySearch(request, url)) {
      sendText(response, 429, 'You look through the news very fast. Please wait a minute.', { 'retry-after': '60' });
      return;
    }
    pages
      // Nothing of the visitor's request but its address is handed on, because the answer is kept for every visitor.
      .render(key, async () => {
        const answer = await site(new Request(key, { headers: { accept: '*/*' } }));
        return toRendered(answer, { config, stylesheet, common });
      })
      .then(
        (rendered) => rendered.send(request, response),
        (error) => {
          onError(error);
          sendText(response, 500, 'This page could not be shown. Please try again later.');
        },
      );
  }

  return listener;
}

function sendText(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(text);
}
