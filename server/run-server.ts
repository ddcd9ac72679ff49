/** Start and shutdown, shared by the server and the development server. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { dirname, join } from 'node:path';
import {
  type Backend,
  type Config,
  type ConfigOptions,
  createLog,
  createProjectReadiness,
  MemoryBudget,
  type OpenDatabase,
  parseConfig,
  redirectOutputToLog,
  SiteOrigin,
} from '@signalfjord/backend';
import type { Logger } from 'pino';
import { type SiteHost, setSiteHost } from '../app/api/host/site-host.ts';
import { createClientAddressReader, createProxyCheck } from './client-address.ts';
import { collectWhenIdle } from './collect-when-idle.ts';
import { ensureFirstAdmin } from './first-admin.ts';
import { explainFormerSetting } from './former-settings.ts';
import { createHealth, PROJECT_PROBE } from './health.ts';
import { createSiteServer, handleOneAtATime } from './http-server.ts';
import { openListeningSockets, portOf } from './listening-sockets.ts';
import { type MetricsDependencies, startMetricsServer } from './metrics/metrics-server.ts';
import { RequestMetrics } from './metrics/request-metrics.ts';
import { observeRequests } from './observe-requests.ts';
import { OpenConnections } from './open-connections.ts';
import { SITE_OPTIONS } from './options.ts';
import type { PageCache } from './page-cache.ts';
import { RequestTurns } from './request-turns.ts';
import { createSiteBackend } from './site-backend.ts';
import { createSlowClients } from './slow-clients.ts';
import { explainStartError } from './start-error.ts';

export interface ServerDependencies {
  config: Config;
  /** Backend, loaded in parallel. Null with SUPABASE_URL. */
  backend: Promise<Backend | null>;
  server: Server;
  /** Queue of requests. Renders yield to it. */
  requestTurns: RequestTurns;
  log: Logger;
}

/** Request listener with its resources. */
export interface ComposedServer {
  listener: RequestListener;
  host: SiteHost;
  /** Host object of the current request, if it has its own. */
  hostOfRequest?: () => SiteHost | undefined;
  /** Returns the route pattern of a URL. If it is missing, there are no metrics and no access log. */
  routeOf?: (url: string) => string;
  /** Page cache, for the metrics. */
  pages?: PageCache;
  /** Flushes data in memory. Runs before the backend closes. */
  close?: () => Promise<void>;
}

export interface StartOptions {
  /** Maximum time in ms for running requests at shutdown. */
  shutdownMs: number;
  /** Database that is already being opened. If undefined, the backend opens the database. */
  opened?: Promise<OpenDatabase> | undefined;
}

export interface RunningServer {
  port: number;
  /** Waits for running requests and closes everything. */
  stop(): Promise<void>;
}

type Compose = (dependencies: ServerDependencies) => Promise<ComposedServer>;

/** Runs the server until SIGINT or SIGTERM. If it cannot start, it logs a message and exits with code 1. */
export async function runServer(
  compose: Compose,
  { siteOptions = SITE_OPTIONS, ...options }: StartOptions & { siteOptions?: ConfigOptions },
): Promise<void> {
  let config: Config | null = null;
  const log = createLog();
  redirectOutputToLog(log);
  try {
    config = parseConfig(process.env, siteOptions);
    const unknownNames = Object.keys(process.env).filter((name) => !Object.hasOwn(siteOptions, name));
    for (const name of unknownNames) {
      const message = explainFormerSetting(name);
      if (message) log.warn(message);
    }
    const { port, stop } = await startServer(compose, { ...options, config, log });
    // Register signal handlers before the server starts listening.
    stopOnSignals(log, stop);
    logStart(config, port, log);
  } catch (error) {
    const message = await explainStartError(error, config);
    if (message) log.fatal(message);
    else log.fatal(error, 'The server could not start');
    process.exit(1);
  }
}

/** Opens the backend and listens with the result of `compose`. Closes the backend on failure. */
export async function startServer(
  compose: Compose,
  { config, log, shutdownMs, opened }: StartOptions & Pick<ServerDependencies, 'config' | 'log'>,
): Promise<RunningServer> {
  const backendPromise = config.SUPABASE_URL ? Promise.resolve(null) : createSiteBackend(config, { log, opened });
  // Errors are handled where the promise is awaited.
  backendPromise.catch(() => undefined);
  try {
    const server = createSiteServer();
    const clientAddressOf = createClientAddressReader(config);
    const connections = new OpenConnections(createProxyCheck(config));
    connections.watch(server);
    const stopCollecting = collectWhenIdle(server);
    const requestTurns = new RequestTurns({ clientAddressOf });
    requestTurns.watch(server);
    const composedServer = await compose({ config, backend: backendPromise, server, requestTurns, log });
    const backend = await backendPromise;
    const { host, hostOfRequest, close } = composedServer;
    const unsetSiteHost = setSiteHost(host, hostOfRequest);
    const health = createHealth(backend ? backend.readiness : createProjectReadiness(config, PROJECT_PROBE));
    const memory = backend?.memory ?? new MemoryBudget();
    const slowClients = createSlowClients({ memory, clientAddressOf });
    const watched = { ...composedServer, listener: slowClients.watch(composedServer.listener) };
    const { listener, metricsServer } = await addObservers(watched, {
      config,
      backend,
      log,
      health,
      memory,
      connections,
    });
    // Bind the port before creating the first admin, because its password is shown only once and would be lost if the
    // start fails. Requests wait until then.
    const isReady = Promise.withResolvers<void>();
    let handle: RequestListener = (...call) => void isReady.promise.then(() => listener(...call));
    const listenerOfServer = handleOneAtATime(requestTurns.inTurns((...call) => handle(...call)));
    server.on('request', (...call) => {
      if (!health.handle(...call)) listenerOfServer(...call);
    });
    const servers = await openListeningSockets(server, config);
    backend?.origin.setPort(portOf(server));
    if (backend) await createFirstAdmin(backend, config, log);
    handle = listener;
    isReady.resolve();
    health.phase = 'running';
    if (metricsServer)
      log.info(`Metrics are available at http://${config.METRICS_PORT?.host}:${portOf(metricsServer)}/metrics`);
    return {
      port: portOf(server),
      async stop() {
        health.phase = 'stopping';
        await waitUntilClosed(servers, shutdownMs);
        stopCollecting();
        slowClients.close();
        metricsServer?.close();
        await close?.();
        await backend?.close();
        unsetSiteHost();
      },
    };
  } catch (error) {
    await (await backendPromise.catch(() => null))?.close();
    throw error;
  }
}

/** Adds request metrics and the access log to the listener. Starts the metrics server if it is enabled. */
async function addObservers(
  { listener, routeOf, pages }: ComposedServer,
  {
    config,
    backend,
    log,
    health,
    ...watched
  }: Pick<ServerDependencies, 'config' | 'log'> & Omit<MetricsDependencies, 'requests' | 'pages'>,
): Promise<{ listener: RequestListener; metricsServer: Server | null }> {
  if (!routeOf) return { listener, metricsServer: null };
  const metrics = config.METRICS_PORT === undefined ? null : new RequestMetrics();
  const metricsServer =
    metrics && (await startMetricsServer(config, { requests: metrics, health, backend, pages, ...watched }));
  return {
    listener: observeRequests(listener, { routeOf, metrics, accessLog: config.ACCESS_LOG ? log : null }),
    metricsServer,
  };
}

/** Creates the first admin. Its password is printed on a terminal, or written to a file, because logs are stored. */
async function createFirstAdmin({ database }: Backend, config: Config, log: Logger): Promise<void> {
  const file = join(config.DATA_DIR, 'first-admin-password.txt');
  const isTerminal = process.stdout.isTTY;
  const admin = await ensureFirstAdmin(database, config, async ({ email, password }) => {
    if (!isTerminal) await writePrivately(file, `${email}\n${password}\n`);
  });
  if (!admin) return;
  const password =
    admin.password === null
      ? 'the password from ADMIN_PASSWORD'
      : isTerminal
        ? `the password ${admin.password} (shown only once)`
        : `the password in ${file}; delete that file after the first sign-in`;
  log.info(`The first admin is ${admin.email} with ${password}.`);
}

/** Creates a new file with mode 0600. */
async function writePrivately(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await rm(file, { force: true });
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
}

function logStart(config: Config, port: number, log: Logger): void {
  const origin = new SiteOrigin(config);
  origin.setPort(port);
  if (config.PREVIEW_GATE && config.PREVIEW_PASSCODE === 'preview') {
    log.warn('The passcode of the preview gate is "preview". Set PREVIEW_PASSCODE to a secret one.');
  }
  if (config.DATABASE_URL && !config.S3_ENDPOINT) {
    log.warn(
      `Pictures and files are stored only on this machine, in ${config.DATA_DIR}. Other instances of the server cannot read them, and a database dump does not contain them. Set S3_ENDPOINT and the other S3_ variables to use an object store.`,
    );
  }
  if (!config.RATE_LIMITS) log.warn('RATE_LIMITS is off. Use this for tests only.');
  if (!config.SITE_URL && !config.SUPABASE_URL) {
    log.info(
      `SITE_URL is not set, so links in emails start with ${origin.local}. Set it to the public address of the site.`,
    );
  }
  log.info(`Signalfjord is running at ${origin.local}`);
}

/**
 * Shuts down on SIGINT or SIGTERM. Ctrl-C and systemd signal the whole process group and npm forwards signals, so
 * repeated signals are ignored.
 */
function stopOnSignals(log: Logger, stop: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      if (isStopping) return;
      isStopping = true;
      log.info('Stopping after the current requests have finished.');
      try {
        await stop();
        process.exit(0);
      } catch (error) {
        log.fatal(error, 'The server did not shut down cleanly');
        process.exit(1);
      }
    });
  }
}

/** Waits until no request is running, or until the timeout. */
async function waitUntilClosed(servers: NetServer[], shutdownMs: number): Promise<void> {
  const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, shutdownMs))]);
}
