/** Production server: cached pages, static files, the Supabase API and rendering. */

import { join } from 'node:path';
import type { Backend, Config, OpenDatabase } from '@signalfjord/backend';
import { loadAssets } from './assets.ts';
import { createCdnPurge } from './cdn-purge.ts';
import { listenForContentChanges } from './content-changes.ts';
import { createDomainCheck } from './domain-check/domain-check-endpoint.ts';
import { readDomainCheckSwitch } from './domain-check/read-switch.ts';
import { createRouteNames, createRouteTest } from './metrics/route-patterns.ts';
import { PageCache, type PageCacheOptions } from './page-cache.ts';
import { createPreviewEndpoint, type PreviewEndpointDependencies } from './previews/preview-endpoint.ts';
import { ReadMemo } from './read-memo.ts';
import { createRequestListener } from './request-listener.ts';
import type { QueryNames } from './request-url.ts';
import { type ComposedServer, runServer, type ServerDependencies } from './run-server.ts';
import { commonHeaders } from './security-headers.ts';
import { createSiteHost } from './site-host.ts';
import type { StoredResponse } from './stored-response.ts';
import { type CountsApi, createVisitsEndpoint } from './visits/visits-endpoint.ts';

const DIST = join(import.meta.dirname, '../dist');

/**
 * Maximum age of cached pages. It is shorter for a hosted project, because such a project does not notify the server of
 * changes.
 */
const MAX_AGE_MS = 5 * 60 * 1000;
const MAX_AGE_OF_PROJECT_MS = 5 * 1000;

/** Maximum time for running requests at shutdown. */
export const SHUTDOWN_MS = 5000;

/** @param opened database that is already being opened. If undefined, the backend opens the database */
export async function serveSite(opened: Promise<OpenDatabase> | undefined): Promise<void> {
  await runServer(composeSite, { shutdownMs: SHUTDOWN_MS, opened });
}

/** Loads the built site and combines it with the backend. */
export async function composeSite({
  config,
  backend: opening,
  requestTurns,
  log,
}: ServerDependencies): Promise<ComposedServer> {
  const [site, assets, backend] = await Promise.all([
    loadSite(),
    loadAssets(join(DIST, 'client'), commonHeaders(config)),
    opening,
  ]);
  const maxAge = backend ? MAX_AGE_MS : MAX_AGE_OF_PROJECT_MS;
  const untilIdle = () => requestTurns.untilIdle();
  const pages = createPageCache(config, site, { maxAge, isNotifiedOfChanges: backend !== null, untilIdle });
  const reads = new ReadMemo(maxAge);
  let failedReads = 0;
  const forget = () => {
    reads.drop();
    pages.drop();
  };
  const stylesheet = readAsset(assets, site.stylesheet);
  const countsApi = createCountsApi(config, backend);
  const visits = countsApi && createVisitsEndpoint({ config, api: countsApi, pages: site.publicPages, log });
  const host = await createSiteHost(config, backend, {
    remember: (key, read) => reads.remember(key, read),
    stylesheet,
    countsVisits: visits !== null,
    onFailedRead: () => failedReads++,
  });
  const purgeCdn = createCdnPurge(config, log);
  const handleChange = () => {
    forget();
    purgeCdn();
  };
  const api = backend && (await withContentChanges(backend, handleChange));
  const render = async (request: Request) => site.fetch(request);
  const previews = createPreviewEndpoint({
    config,
    stylesheet,
    common: commonHeaders(config),
    host,
    pages,
    failedReads: () => failedReads,
    api: { url: host.apiUrl, publishableKey: host.publishableKey, fetch: api ?? host.fetch },
    site: render,
    drawPreviewBar: site.drawPreviewBar,
    drawPreviewPage: site.drawPreviewPage,
    onError: (error) => log.error(error, 'A preview could not be shown'),
  });
  return {
    host,
    pages,
    routeOf: createRouteNames([...site.routes, ...(backend?.routes ?? [])], assets.keys()),
    hostOfRequest: previews.hostOfRequest,
    close: async () => visits?.close(),
    listener: createRequestListener({
      config,
      pages,
      assets,
      stylesheet,
      api,
      visits: visits?.listener ?? null,
      domainCheck: createDomainCheck({ config, isEnabled: () => readDomainCheckSwitch(host), log }),
      previews: previews.listener,
      site: render,
      queryNames: site.queryNames,
      failedReads: () => failedReads,
      onError: (error) => log.error(error, 'A page could not be rendered'),
    }),
  };
}

/** Default export of app/server.ts. */
interface BuiltSite {
  fetch(request: Request): Response | Promise<Response>;
  stylesheet: string;
  publicPages: string[];
  routes: string[];
  endlessRoutes: string[];
  queryNames: QueryNames;
  drawPreviewBar: PreviewEndpointDependencies['drawPreviewBar'];
  drawPreviewPage: PreviewEndpointDependencies['drawPreviewPage'];
}

function createPageCache(
  { PREVIEW_GATE }: Config,
  site: BuiltSite,
  options: Pick<PageCacheOptions, 'maxAge' | 'isNotifiedOfChanges' | 'untilIdle'>,
): PageCache {
  const itemRoutes = site.routes.filter((route) => route.includes('$'));
  const [isItemPath, isEndless] = [itemRoutes, PREVIEW_GATE ? itemRoutes : site.endlessRoutes].map(createRouteTest);
  // Pages behind the gate contain no content, so stale pages are not useful.
  return new PageCache({ ...options, isItemPath, isEndless, servesStalePages: !PREVIEW_GATE });
}

/** Returns the API for visit counts, or null without a secret key. */
function createCountsApi({ SUPABASE_URL, SUPABASE_SECRET_KEY }: Config, backend: Backend | null): CountsApi | null {
  if (backend) return { url: 'http://backend.internal', secretKey: backend.keys.secretKey, fetch: backend.fetch };
  if (!SUPABASE_URL || !SUPABASE_SECRET_KEY) return null;
  return { url: SUPABASE_URL, secretKey: SUPABASE_SECRET_KEY, fetch };
}

async function loadSite(): Promise<BuiltSite> {
  const entry = new URL('../dist/server/server.js', import.meta.url).href;
  const module: { default: BuiltSite } = await import(entry);
  return module.default;
}

function readAsset(assets: ReadonlyMap<string, StoredResponse>, path: string): string {
  const file = assets.get(path);
  if (!file)
    throw new Error(`dist/client has no ${path}: it is from a different build than dist/server. Run npm run build.`);
  return file.body.toString();
}

/** Wraps the API so that a write responds only after caches were invalidated. */
async function withContentChanges(backend: Backend, onChange: () => void): Promise<Backend['fetch']> {
  const changes = await listenForContentChanges(backend.database, onChange);
  return async (request, socketAddress) => {
    const response = await backend.fetch(request, socketAddress);
    const mayHaveChanged = request.method !== 'GET' && request.method !== 'HEAD' && response.status < 400;
    if (mayHaveChanged) await changes.settled();
    return response;
  };
}
