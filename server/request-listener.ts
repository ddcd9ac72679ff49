/** Request routing: cached pages and static files from memory, then the Supabase API, then rendering. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type Backend, type Config, networkPath } from '@signalfjord/backend';
import { API_PATH } from './api-path.ts';
import { createClientAddressReader } from './client-address.ts';
import { DOMAIN_CHECK_PATH } from './domain-check/domain-check-endpoint.ts';
import { KnownHosts } from './known-hosts.ts';
import type { PageCache } from './page-cache.ts';
import { PREVIEW_PATH } from './previews/preview-path.ts';
import type { Rendered } from './render-queue.ts';
import { UnavailableError } from './render-queue.ts';
import { toRendered } from './rendered.ts';
import { createQueryReader, hasExtraSlashes, parseRequestUrl, type QueryNames } from './request-url.ts';
import { createSearchLimit } from './search-limit.ts';
import { commonHeaders } from './security-headers.ts';
import { sendText, sendUnavailable } from './send-text.ts';
import type { StoredResponse } from './stored-response.ts';
import { VISITS_PATH } from './visits/visits-endpoint.ts';

export interface RequestListenerDependencies {
  config: Config;
  pages: PageCache;
  assets: ReadonlyMap<string, StoredResponse>;
  /** Content of the style element of every page. */
  stylesheet: string;
  /** Supabase API, or null with a hosted project. */
  api: Backend['fetch'] | null;
  /** Listener for visit counts, or null if they are off. */
  visits: RequestListener | null;
  /** Listener for domain checks, or null. */
  domainCheck: RequestListener | null;
  /** Listener for previews, or null. */
  previews: RequestListener | null;
  site: (request: Request) => Promise<Response>;
  /** Query parameters read by each route. */
  queryNames: QueryNames;
  /** Number of failed backend reads since the start. */
  failedReads: () => number;
  /** Called with rendering errors. */
  onError: (error: unknown) => void;
}

/** Adapts the API to Node's HTTP server and passes the socket address for rate limits. */
export function apiListener(api: Backend['fetch']) {
  return getRequestListener((request, { incoming }) => api(request, incoming.socket.remoteAddress));
}

export function createRequestListener(dependencies: RequestListenerDependencies) {
  const { config, assets, api, visits, domainCheck, previews } = dependencies;
  const common = commonHeaders(config);
  const handleApi = api && apiListener(api);
  const handlePage = createPageHandler(dependencies, common);
  const readQuery = createQueryReader(dependencies.queryNames);

  const listener: RequestListener = (request, response) => {
    const { method, url = '/' } = request;
    const normalized = parseRequestUrl(url);
    const path = normalized?.path ?? url;
    if (API_PATH.test(path)) {
      for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
      if (handleApi) void handleApi(request, response);
      else
        sendText(
          response,
          404,
          'This site uses a hosted Supabase project. Send API requests to the URL of that project.',
        );
      return;
    }
    if (!normalized) {
      sendText(response, 400, 'The URL of this request is not valid.');
      return;
    }
    request.url = path + normalized.search;
    if (visits && method === 'POST' && path === VISITS_PATH) {
      visits(request, response);
      return;
    }
    if (domainCheck && method === 'POST' && path === DOMAIN_CHECK_PATH) {
      domainCheck(request, response);
      return;
    }
    if (previews && PREVIEW_PATH.test(path)) {
      previews(request, response);
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      sendText(response, 405, 'Method not allowed.', { allow: 'GET, HEAD' });
      return;
    }
    const asset = assets.get(path);
    if (asset) {
      asset.send(request, response);
      return;
    }
    if (path.startsWith('/assets/')) {
      sendText(response, 404, 'File not found.', { 'cache-control': 'no-store' });
      return;
    }
    if (hasExtraSlashes(url)) {
      const location = (path.replace(/\/$/, '') || '/') + normalized.search;
      response.writeHead(301, { ...common, location }).end();
      return;
    }
    handlePage(request, response, path + readQuery(normalized));
  };

  return listener;
}

/** @param common headers of every response */
function createPageHandler(dependencies: RequestListenerDependencies, common: ReturnType<typeof commonHeaders>) {
  const { config, pages, stylesheet, site, onError } = dependencies;
  const maySearch = createSearchLimit(config.RATE_LIMITS);
  const clientAddressOf = createClientAddressReader(config);
  const knownHosts = new KnownHosts();

  /**
   * Renders a page from its URL only, because the response is cached for every visitor.
   * @throws UnavailableError if content could not be read
   */
  async function renderPage(key: string): Promise<Rendered> {
    const failedBefore = dependencies.failedReads();
    const rendering = await site(new Request(key, { headers: { accept: '*/*' } }));
    const rendered = await toRendered(rendering, { config, stylesheet, common });
    if (dependencies.failedReads() === failedBefore) return rendered;
    const partial = rendering.status < 500 ? rendered.response : undefined;
    throw new UnavailableError('Some content of the page could not be loaded.', partial);
  }

  return (request: IncomingMessage, response: ServerResponse, page: string) => {
    // Without SITE_URL, pages use the origin of the request.
    const origin = config.SITE_URL ?? `http://${request.headers.host}`;
    const key = origin + page;
    const cached = pages.get(key);
    if (cached) {
      cached.send(request, response);
      return;
    }
    if (!URL.canParse(key)) {
      sendText(response, 400, 'The URL of this request is not valid.');
      return;
    }
    const client = clientAddressOf(request);
    if (!maySearch(client, page)) {
      sendText(response, 429, 'Too many requests. Please try again in a minute.', { 'retry-after': '60' });
      return;
    }
    const startedAt = performance.now();
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    const hasUnknownHost = !config.SITE_URL && !knownHosts.isKnown(request, client);
    pages
      .render(key, { turnPath: networkPath(client), signal: disconnected.signal }, () => renderPage(key), {
        isGuess: hasUnknownHost,
      })
      .then(
        (rendered) => {
          if (!disconnected.signal.aborted) rendered.send(request, response);
        },
        (error) => {
          if (disconnected.signal.aborted) return;
          if (error instanceof UnavailableError) {
            sendUnavailable(response, startedAt);
            return;
          }
          onError(error);
          sendText(response, 500, 'This page could not be shown. Please try again later.');
        },
      );
  };
}
