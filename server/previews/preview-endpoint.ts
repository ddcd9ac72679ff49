/**
 * /preview: opens links to unpublished content (docs/decisions/previews.md). The code of a link is sent by POST and
 * becomes a cookie for the preview path. Pages are rendered with their own host object and bypass all caches.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { networkPath } from '@signalfjord/backend';
import type { SiteHost } from '../../app/api/host/site-host.ts';
import type { OpenPreview } from '../../app/editing/previews/preview-labels.ts';
import type { PreviewNotice } from '../../app/site/preview/preview-page.tsx';
import { API_PATH } from '../api-path.ts';
import { createClientAddressReader } from '../client-address.ts';
import type { PageCache } from '../page-cache.ts';
import { type Rendered, type Requester, UnavailableError } from '../render-queue.ts';
import { type PageDependencies, toRendered } from '../rendered.ts';
import { sendUnavailable } from '../send-text.ts';
import { readSmallBody } from '../small-body.ts';
import {
  disableCaching,
  getRequester,
  openPreview,
  type PreviewApi,
  type ReadablePreview,
  readPreview,
  toApiRequest,
  toPreviewRead,
} from './preview-api.ts';
import { readPreviewPath } from './preview-path.ts';

const COOKIE = 'preview';
const MAX_BODY_BYTES = 1000;

/** The cookie outlives the link, so that the page can say that the link has expired. */
const COOKIE_EXTENSION_SECONDS = 24 * 60 * 60;

const STATUS: Record<PreviewNotice, number> = {
  opening: 200,
  unknown: 404,
  elsewhere: 404,
  ended: 410,
  busy: 429,
  failed: 500,
};

/** Headers of every preview response: no caching and no Referer. */
const PRIVATE = {
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
};

/** Cache keys of notices. No request has this origin. */
const NOTICES = 'http://preview/';

export interface PreviewEndpointDependencies extends PageDependencies {
  api: PreviewApi;
  /** Preview renders share the queue with other pages. Notices are cached there. */
  pages: PageCache;
  /** Number of failed backend reads while rendering. */
  failedReads: () => number;
  /** Host object of the public site. */
  host: SiteHost;
  site: (request: Request) => Promise<Response>;
  drawPreviewBar: (preview: OpenPreview, base: string) => string;
  drawPreviewPage: (notice: PreviewNotice) => Promise<Response>;
  /** Called with unexpected errors. They contain no token. */
  onError: (error: unknown) => void;
}

export interface PreviewEndpoint {
  listener: RequestListener;
  /** Host object of the preview being rendered, if any. */
  hostOfRequest: () => SiteHost | undefined;
}

export function createPreviewEndpoint(dependencies: PreviewEndpointDependencies): PreviewEndpoint {
  const { config, api, pages, site, onError } = dependencies;
  const hosts = new AsyncLocalStorage<SiteHost>();
  const handleApi = createApiListener(dependencies);
  const turnOf = createTurnFinder(config);
  const pageDependencies = { ...dependencies, common: { ...dependencies.common, ...PRIVATE } };
  const sendNotice = createNoticeSender(dependencies, pageDependencies, turnOf);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '/' } = request;
    const path = readPreviewPath(url);
    const isRead = method === 'GET' || method === 'HEAD';
    if (path && API_PATH.test(path.inside)) return void handleApi(request, response);
    if (path && isRead) return showPage(request, response, path);
    if (path && method === 'POST' && path.inside === '/leave')
      return redirect(response, '/', formatCookie(dependencies, path.base, '', 0));
    const isEntry = /^\/preview\/?(\?|$)/.test(url);
    if (isEntry && method === 'POST') return open(request, response);
    if (isRead) return sendNotice(request, response, isEntry ? 'opening' : 'unknown');
    response.writeHead(405, { ...dependencies.common, allow: 'GET, HEAD' }).end();
  }

  async function open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Only same-origin requests are allowed.
    const fetchSite = request.headers['sec-fetch-site'];
    if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none')
      return sendNotice(request, response, 'unknown');
    const token = new URLSearchParams((await readSmallBody(request, MAX_BODY_BYTES)) ?? '').get('token')?.trim() ?? '';
    const opened = await openPreview(api, token, getRequester(request));
    if (opened.notice) return sendNotice(request, response, opened.notice);
    const { id, expires_at } = opened.preview;
    const base = `/preview/${id}`;
    const maxAge = Math.ceil((Date.parse(expires_at) - Date.now()) / 1000) + COOKIE_EXTENSION_SECONDS;
    redirect(response, base + getItemPath(opened.preview), formatCookie(dependencies, base, token, maxAge));
  }

  function redirect(response: ServerResponse, location: string, setCookie: string): void {
    response.writeHead(303, { ...pageDependencies.common, location, 'set-cookie': setCookie }).end();
  }

  async function showPage(
    request: IncomingMessage,
    response: ServerResponse,
    { base, id }: { base: string; id: string },
  ): Promise<void> {
    const pageUrl = (config.SITE_URL ?? `http://${request.headers.host}`) + request.url;
    if (!URL.canParse(pageUrl) || pageUrl.includes('%00')) return sendNotice(request, response, 'unknown');
    const token = readToken(request);
    if (token === null) return sendNotice(request, response, 'elsewhere');
    const opened = await readPreview(api, token, getRequester(request));
    if (opened.notice) return sendNotice(request, response, opened.notice);
    if (opened.preview.id !== id) return sendNotice(request, response, 'unknown');
    const { preview } = opened;
    const page = await pages.renderUncached(turnOf(request, response), () =>
      hosts.run(createPreviewHost(dependencies, preview, base, token), async () =>
        toRendered(await site(new Request(pageUrl, { headers: { accept: '*/*' } })), pageDependencies),
      ),
    );
    page.send(request, response);
  }

  return {
    hostOfRequest: () => hosts.getStore(),
    listener: (request, response) => {
      const startedAt = performance.now();
      handle(request, response).catch((error: unknown) => {
        if (response.destroyed) return;
        if (error instanceof UnavailableError) return sendUnavailable(response, startedAt);
        onError(error);
        if (response.headersSent) return void response.destroy();
        sendNotice(request, response, 'failed').catch(() => response.writeHead(500, PRIVATE).end());
      });
    },
  };
}

type TurnOf = (request: IncomingMessage, response: ServerResponse) => Requester;

function createTurnFinder(config: PreviewEndpointDependencies['config']): TurnOf {
  const clientAddressOf = createClientAddressReader(config);
  return (request, response) => {
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    return { turnPath: networkPath(clientAddressOf(request)), signal: disconnected.signal };
  };
}

/** Creates a function that responds with a notice, cached until content changes. */
function createNoticeSender(
  { pages, failedReads, drawPreviewPage }: PreviewEndpointDependencies,
  pageDependencies: PageDependencies,
  turnOf: TurnOf,
) {
  async function draw(notice: PreviewNotice): Promise<Rendered> {
    const failedBefore = failedReads();
    const page = await drawPreviewPage(notice);
    const original = new Response(page.body, { status: STATUS[notice], headers: page.headers });
    const { response } = await toRendered(original, pageDependencies);
    return { response, isPublic: failedReads() === failedBefore };
  }
  return async (request: IncomingMessage, response: ServerResponse, notice: PreviewNotice): Promise<void> => {
    const key = `${NOTICES}${notice}`;
    const page = pages.get(key) ?? (await pages.render(key, turnOf(request, response), () => draw(notice)));
    page.send(request, response);
  };
}

/** Creates the host object of one request. It reads through the preview, caches nothing, and has no gate or metrics. */
function createPreviewHost(
  { host, drawPreviewBar }: PreviewEndpointDependencies,
  preview: ReadablePreview,
  base: string,
  token: string,
): SiteHost {
  return {
    ...host,
    fetch: (request) => host.fetch(toPreviewRead(request, preview.tables, token)),
    publicApiUrl: base,
    remember: (_key, read) => read(),
    countsVisits: false,
    gate: null,
    preview: { base, bar: drawPreviewBar(preview, base) },
  };
}

/** Handles API requests of preview pages. */
function createApiListener({ config, api }: PreviewEndpointDependencies) {
  return getRequestListener(async (request, { incoming }) => {
    const path = readPreviewPath(incoming.url ?? '');
    const token = readToken(incoming);
    const opened =
      token === null ? null : await readPreview(api, token, getRequester(incoming)).catch(unavailableResponse);
    if (opened instanceof Response) return opened;
    if (!path || token === null || opened?.notice !== null || opened.preview.id !== path.id) {
      const status = opened?.notice ? STATUS[opened.notice] : 404;
      return Response.json({ message: 'This preview is not available.' }, { status, headers: PRIVATE });
    }
    const origin = new URL(request.url).origin;
    const target = new URL(path.inside, config.SUPABASE_URL ? api.url : origin);
    const previewRead = toPreviewRead(toApiRequest(request, target), opened.preview.tables, token);
    return disableCaching(await api.fetch(previewRead, incoming.socket.remoteAddress));
  });
}

function unavailableResponse(error: unknown): Response {
  if (!(error instanceof UnavailableError)) throw error;
  const headers = { ...PRIVATE, 'retry-after': '5' };
  return Response.json(
    { message: 'This preview cannot be loaded right now. Please try again in a few seconds.' },
    { status: 503, headers },
  );
}

/** Returns a Set-Cookie header that is HttpOnly and restricted to the path of this preview. */
function formatCookie({ config }: PreviewEndpointDependencies, base: string, token: string, maxAge: number): string {
  const secure = config.SITE_URL?.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${token}; Path=${base}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns the path of the linked item, or the home page. */
function getItemPath({ item }: OpenPreview): string {
  if (!item || (item.slug === null && item.path.includes('{slug}'))) return '/';
  return item.path.replace('{slug}', () => encodeURIComponent(item.slug ?? ''));
}

/** Returns the preview token from the cookie. */
function readToken({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const [, token = null] = /(?:^|; *)preview=([\w-]{1,100})(?:;|$)/.exec(headers.cookie ?? '') ?? [];
  return token;
}
