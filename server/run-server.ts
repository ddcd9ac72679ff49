/** What the server and the development server share: from the environment to a listening port, and back down again. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { type Logger, pino } from 'pino';
import { publishSiteHost, type SiteHost } from '../app/lib/site-host.ts';
import { type Config, parseConfig } from '../backend/config.ts';
import { type Backend, createBackend } from '../backend/create-backend.ts';
import { ensureFirstAdmin, type NewAdmin } from '../backend/first-admin.ts';
import { explainStartError } from './start-error.ts';

export interface ServerParts {
  config: Config;
  /** Null when the site talks to the project at SUPABASE_URL. */
  backend: Backend | null;
  server: Server;
  log: Logger;
}

/** What the process does with requests, and what the application reads of its surroundings while it answers them. */
export interface ComposedServer {
  listener: RequestListener;
  host: SiteHost;
  /** The host of the request that is answered, where it has one of its own. */
  hostOfRequest?: () => SiteHost | undefined;
  /** Writes what is only in memory; the backend closes after it. */
  close?: () => Promise<void>;
}

/**
 * Opens the backend, listens with what `compose` makes of it, and stops on SIGINT or SIGTERM. Requests under way may
 * take `shutdownMs` to end. When it cannot start it says why in one sentence and exits with code 1.
 */
export async function runServer(
  compose: (parts: ServerParts) => Promise<ComposedServer>,
  { shutdownMs }: { shutdownMs: number },
): Promise<void> {
  let config: Config | null = null;
  let backend: Backend | null = null;
  try {
    config = parseConfig(process.env);
    const log = pino();
    if (!config.SUPABASE_URL) backend = await createBackend(config, { log });
    const server = createServer();
    const { listener, host, hostOfRequest, close } = await compose({ config, backend, server, log });
    publishSiteHost(host, hostOfRequest);
    // The port is bound before the first admin is made, whose password is shown once and lost with a start that fails;
    // requests wait meanwhile, so that nobody meets a site that has no admin.
    const isReady = Promise.withResolvers<void>();
    const waitUntilReady: RequestListener = (...call) => void isReady.promise.then(() => listener(...call));
    server.on('request', waitUntilReady);
    const port = await listen(server, config);
    stopOnSignals(() => stop(server, shutdownMs, [close, backend?.close]));
    const firstAdmin = backend && (await ensureFirstAdmin(backend.database, config));
    server.off('request', waitUntilReady).on('request', listener);
    isReady.resolve();
    sayHello(config, port, firstAdmin);
  } catch (error) {
    console.error((await explainStartError(error, config)) ?? error);
    await backend?.close();
    process.exit(1);
  }
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

function sayHello(config: Config, port: number, firstAdmin: NewAdmin | null): void {
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
  console.log(`Signalfjord is at http://${host}:${port}`);
  if (config.PREVIEW_GATE && config.PREVIEW_PASSCODE === 'preview') {
    console.warn(
      'Warning: the passcode of the preview gate is "preview"; set PREVIEW_PASSCODE to one that only you know.',
    );
  }
  if (firstAdmin?.password) {
    console.log(`The first admin is ${firstAdmin.email} with the password ${firstAdmin.password} (shown only once).`);
  } else if (firstAdmin) {
    console.log(`The first admin is ${firstAdmin.email} with the password from ADMIN_PASSWORD.`);
  }
  if (!config.RATE_LIMITS) console.warn('Warning: RATE_LIMITS is off, which is meant for tests only.');
}

/**
 * Ctrl-C and systemd signal every process of a group, and npm and `npm start` pass on what they get as well: the same
 * wish comes more than once, and only the first begins anything.
 */
function stopOnSignals(stopServer: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      console.log('Stopping once the requests under way have ended.');
      void stopServer();
    });
  }
}

type Closing = (() => Promise<void>) | undefined;

async function stop(server: Server, shutdownMs: number, parts: Closing[]): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, shutdownMs))]);
  try {
    for (const close of parts) await close?.();
    process.exit(0);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}
