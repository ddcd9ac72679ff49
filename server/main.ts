/** The process: parses the configuration, opens the backend, serves assets, backend and site, shuts down cleanly. */
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Config, parseConfig } from '../backend/config.ts';
import { type Backend, createBackend } from '../backend/create-backend.ts';
import { loadAssets } from './assets.ts';
import { hearContentChanges } from './content-changes.ts';
import { PageCache } from './page-cache.ts';
import { createRequestListener } from './request-listener.ts';
import { commonHeaders } from './security-headers.ts';
import { createSiteHost } from './site-host.ts';
import { explainStartError } from './start-error.ts';

const DIST = join(import.meta.dirname, '../dist');

/** Pages are rendered again after this time. A project elsewhere does not tell us of changes, so we ask more often. */
const MAX_PAGE_AGE_MS = 5 * 60 * 1000;
const MAX_PAGE_AGE_OF_PROJECT_MS = 5 * 1000;

/** Requests under way may take this long to end after the signal to stop. */
const SHUTDOWN_MS = 5 * 1000;

let config: Config | null = null;
try {
  config = parseConfig(process.env);
  await start(config);
} catch (error) {
  console.error(explainStartError(error, config) ?? error);
  process.exit(1);
}

async function start(config: Config): Promise<void> {
  const log = pino();
  const site = await loadSite();
  const backend = config.SUPABASE_URL ? null : await createBackend(config, { log });
  try {
    globalThis.signalfjordHost = await createSiteHost(config, backend);
    const pages = new PageCache(backend ? MAX_PAGE_AGE_MS : MAX_PAGE_AGE_OF_PROJECT_MS);
    const server = createServer(
      createRequestListener({
        config,
        pages,
        assets: await loadAssets(join(DIST, 'client'), commonHeaders(config)),
        api: backend && (await withContentChanges(backend, config, pages)),
        site,
        onError: (error) => log.error(error, 'A page could not be rendered'),
      }),
    );
    const port = await listen(server, config);
    sayHello(config, port);
    stopOnSignals(server, backend);
  } catch (error) {
    await backend?.close();
    throw error;
  }
}

async function loadSite(): Promise<(request: Request) => Promise<Response>> {
  const entry = new URL('../dist/server/server.js', import.meta.url).href;
  const module = (await import(entry)) as { default: { fetch(request: Request): Promise<Response> } };
  return (request) => module.default.fetch(request);
}

/** The API whose answer to a write is sent only after the pages that it may have changed are forgotten. */
async function withContentChanges(backend: Backend, config: Config, pages: PageCache): Promise<Backend['fetch']> {
  const isOwnServer = config.DATABASE_URL !== undefined;
  const changes = await hearContentChanges(backend.database, { isOwnServer }, () => pages.drop());
  return async (request) => {
    const response = await backend.fetch(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') await changes.settled();
    return response;
  };
}

function listen(server: Server, { PORT, HOST }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(PORT, HOST, () => {
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : PORT);
    });
  });
}

function sayHello(config: Config, port: number): void {
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
  console.log(`Signalfjord is at http://${host}:${port}`);
  if (config.PREVIEW_GATE && config.PREVIEW_PASSCODE === 'preview') {
    console.warn(
      'Warning: the passcode of the preview gate is "preview"; set PREVIEW_PASSCODE to one that only you know.',
    );
  }
  if (!config.RATE_LIMITS) console.warn('Warning: RATE_LIMITS is off; that is for tests only.');
}

function stopOnSignals(server: Server, backend: Backend | null): void {
  const stop = () => {
    server.close(() => {
      const closed = backend?.close() ?? Promise.resolve();
      closed.then(
        () => process.exit(0),
        (error) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
    setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
}
