/**
 * The way of a request: a kept page or a file of the build straight from memory; the Supabase API; else the site renders.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type Backend, type Config, networkPath } from '@signalfjord/backend';
import { API_PATH } from './api-path.ts';
import { createClientAddressOf } from './client-address.ts';
import { DOMAIN_CHECK_PATH } from './domain-check/domain-check-endpoint.ts';
import { KnownHosts } from './known-hosts.ts';
import type { PageCache } from './page-cache.ts';
import { PREVIEW_PATH } from './previews/preview-path.ts';
import type { Rendered } from './render-queue.ts';
import { UnavailableError } from './render-queue.ts';
import { toRendered } from './rendered.ts';
import { createQueryReader, hasSpareSlashes, type QueryNames, readAddress } from './request-address.ts';
import { createSearchLimit } from './search-limit.ts';
import { commonHeaders } from './security-headers.ts';
import { sendText, sendUnavailable } from './send-text.ts';
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
  /** Checks domains for visitors; null where none are checked. */
  domainCheck: RequestListener | null;
  /** Answers for holders of preview links; null where there are none. */
  previews: RequestListener | null;
  site: (request: Request) => Promise<Response>;
  /** Parameters that pages read of their query. */
  queryNames: QueryNames;
  /** Counts how often the backend was away when pages read content, since the process began. */
  failedReads: () => number;
  /** Called with what went wrong while rendering. */
  onError: (error: unknown) => void;
}

/** Puts the API behind Node's HTTP server; it is told the address of the socket, which limits count. */
export function apiListener(api: Backend['fetch']) {
  return getRequestListener((request, { incoming }) => api(request, incoming.socket.remoteAddress));
}

export function createRequestListener(parts: RequestListenerParts) {
  const { config, assets, api, visits, domainCheck, previews } = parts;
  const common = commonHeaders(config);
  const answerApi = api && apiListener(api);
  const answerPage = createPageAnswers(parts, common);
  const readQuery = createQueryReader(parts.queryNames);

  const listener: RequestListener = (request, response) => {
    const { method, url = '/' } = request;
    const address = readAddress(url);
    const path = address?.path ?? url;
    if (API_PATH.test(path)) {
      for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
      if (answerApi) void answerApi(request, response);
      else
        sendText(
          response,
          404,
          'This site uses a hosted Supabase project. Send API requests to the URL of that project.',
        );
      return;
    }
    if (!address) {
      sendText(response, 400, 'The URL of this request is not valid.');
      return;
    }
    request.url = path + address.search;
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
    if (hasSpareSlashes(url)) {
      const location = (path.replace(/\/$/, '') || '/') + address.search;
      response.writeHead(301, { ...common, location }).end();
      return;
    }
    answerPage(request, response, path + readQuery(address));
  };

  return listener;
}

/** @param common headers of every answer */
function createPageAnswers(parts: RequestListenerParts, common: ReturnType<typeof commonHeaders>) {
  const { config, pages, stylesheet, site, onError } = parts;
  const maySearch = createSearchLimit(config.RATE_LIMITS);
  const clientAddressOf = createClientAddressOf(config);
  const knownHosts = new KnownHosts();

  /**
   * Renders a page with nothing of the visitor's request but its address, because the answer is kept for every visitor.
   * @throws UnavailableError when content could not be read, because the backend is away
   */
  async function renderPage(key: string): Promise<Rendered> {
    const failedBefore = parts.failedReads();
    const answer = await site(new Request(key, { headers: { accept: '*/*' } }));
    const rendered = await toRendered(answer, { config, stylesheet, common });
    if (parts.failedReads() === failedBefore) return rendered;
    const partial = answer.status < 500 ? rendered.response : undefined;
    throw new UnavailableError('Some content of the page could not be loaded.', partial);
  }

  return (request: IncomingMessage, response: ServerResponse, page: string) => {
    // Without SITE_URL, pages name the origin that the visitor used.
    const origin = config.SITE_URL ?? `http://${request.headers.host}`;
    const key = origin + page;
    const kept = pages.get(key);
    if (kept) {
      kept.send(request, response);
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
    const askedAt = performance.now();
    const leaving = new AbortController();
    response.once('close', () => leaving.abort());
    const isOfUnknownHost = !config.SITE_URL && !knownHosts.isKnown(request, client);
    pages
      .render(key, { turnPath: networkPath(client), signal: leaving.signal }, () => renderPage(key), {
        isGuess: isOfUnknownHost,
      })
      .then(
        (rendered) => {
          if (!leaving.signal.aborted) rendered.send(request, response);
        },
        (error) => {
          if (leaving.signal.aborted) return;
          if (error instanceof UnavailableError) {
            sendUnavailable(response, askedAt);
            return;
          }
          onError(error);
          sendText(response, 500, 'This page could not be shown. Please try again later.');
        },
      );
  };
}
