/**
 * Starts and stops the server and the development server: from the environment to a listening port, and back down
 * again.
 */

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
  HeldBytes,
  logEverything,
  type OpenDatabase,
  parseConfig,
  SiteOrigin,
} from '@signalfjord/backend';
import type { Logger } from 'pino';
import { publishSiteHost, type SiteHost } from '../app/api/host/site-host.ts';
import { createClientAddressOf, createIsProxy } from './client-address.ts';
import { collectWhenIdle } from './collect-when-idle.ts';
import { openDoors, portOf } from './doors.ts';
import { ensureFirstAdmin } from './first-admin.ts';
import { explainFormerSetting } from './former-settings.ts';
import { createHealth, PROJECT_PROBE } from './health.ts';
import { createSiteServer, oneAtATime } from './http-server.ts';
import { type MetricsParts, startMetricsServer } from './metrics/metrics-server.ts';
import { RequestFigures } from './metrics/request-figures.ts';
import { observeRequests } from './observe-requests.ts';
import { OpenConnections } from './open-connections.ts';
import { SITE_OPTIONS } from './options.ts';
import type { PageCache } from './page-cache.ts';
import { RequestTurns } from './request-turns.ts';
import { createSiteBackend } from './site-backend.ts';
import { createSlowClients } from './slow-clients.ts';
import { explainStartError } from './start-error.ts';

export interface ServerParts {
  config: Config;
  /** While it opens, other things can be loaded. Null when the site talks to the project at SUPABASE_URL. */
  backend: Promise<Backend | null>;
  server: Server;
  /** Turns of requests, behind which other work stands back. */
  requestTurns: RequestTurns;
  log: Logger;
}

/** Answers of the process to requests, and what the application reads of its surroundings meanwhile. */
export interface ComposedServer {
  listener: RequestListener;
  host: SiteHost;
  /** The host of the request that is answered, where it has one of its own. */
  hostOfRequest?: () => SiteHost | undefined;
  /** The pattern of the route that answers an address; without it nothing is counted or logged. */
  routeOf?: (url: string) => string;
  /** The pages that are kept, for the metrics. */
  pages?: PageCache;
  /** Writes what is only in memory; the backend closes after it. */
  close?: () => Promise<void>;
}

export interface StartOptions {
  /** Requests under way may take so long to end, in milliseconds, when the server is stopped. */
  shutdownMs: number;
  /** The database that is being opened already; undefined: the backend opens its own. */
  opened?: Promise<OpenDatabase> | undefined;
}

export interface RunningServer {
  port: number;
  /** Ends the requests under way, and closes everything. */
  stop(): Promise<void>;
}

type Compose = (parts: ServerParts) => Promise<ComposedServer>;

/**
 * Runs the server of this process, by its environment, until SIGINT or SIGTERM. When it cannot start it says why in one
 * sentence and exits with code 1.
 */
export async function runServer(
  compose: Compose,
  { siteOptions = SITE_OPTIONS, ...options }: StartOptions & { siteOptions?: ConfigOptions },
): Promise<void> {
  let config: Config | null = null;
  const log = createLog();
  logEverything(log);
  try {
    config = parseConfig(process.env, siteOptions);
    const former = Object.keys(process.env).filter((name) => !Object.hasOwn(siteOptions, name));
    for (const name of former) {
      const sentence = explainFormerSetting(name);
      if (sentence) log.warn(sentence);
    }
    const { port, stop } = await startServer(compose, { ...options, config, log });
    // Signals are heard before anybody reads that the server is there, and stops it at once.
    stopOnSignals(log, stop);
    sayHello(config, port, log);
  } catch (error) {
    const sentence = await explainStartError(error, config);
    if (sentence) log.fatal(sentence);
    else log.fatal(error, 'The server could not start');
    process.exit(1);
  }
}

/** Opens the backend, and listens with what `compose` makes of it. The backend is closed when that fails. */
export async function startServer(
  compose: Compose,
  { config, log, shutdownMs, opened }: StartOptions & Pick<ServerParts, 'config' | 'log'>,
): Promise<RunningServer> {
  const opening = config.SUPABASE_URL ? Promise.resolve(null) : createSiteBackend(config, { log, opened });
  // A failure is heard where the promise is awaited.
  opening.catch(() => undefined);
  try {
    const server = createSiteServer();
    const clientAddressOf = createClientAddressOf(config);
    const connections = new OpenConnections(createIsProxy(config));
    connections.watch(server);
    const stopCollecting = collectWhenIdle(server);
    const requestTurns = new RequestTurns({ clientAddressOf });
    requestTurns.watch(server);
    const composed = await compose({ config, backend: opening, server, requestTurns, log });
    const backend = await opening;
    const { host, hostOfRequest, close } = composed;
    const withdrawSiteHost = publishSiteHost(host, hostOfRequest);
    const health = createHealth(backend ? backend.readiness : createProjectReadiness(config, PROJECT_PROBE));
    const held = backend?.held ?? new HeldBytes();
    const slowClients = createSlowClients({ held, clientAddressOf });
    const watched = { ...composed, listener: slowClients.watch(composed.listener) };
    const { listener, metricsServer } = await observed(watched, { config, backend, log, health, held, connections });
    // The port is bound before the first admin is made, whose password is shown once and lost with a start that fails;
    // requests wait meanwhile, so that nobody meets a site that has no admin.
    const isReady = Promise.withResolvers<void>();
    let answer: RequestListener = (...call) => void isReady.promise.then(() => listener(...call));
    const listenerOfServer = oneAtATime(requestTurns.inTurns((...call) => answer(...call)));
    server.on('request', (...call) => {
      if (!health.answer(...call)) listenerOfServer(...call);
    });
    const doors = await openDoors(server, config);
    backend?.origin.listensAt(portOf(server));
    if (backend) await makeFirstAdmin(backend, config, log);
    answer = listener;
    isReady.resolve();
    health.phase = 'running';
    if (metricsServer)
      log.info(`Metrics are available at http://${config.METRICS_PORT?.host}:${portOf(metricsServer)}/metrics`);
    return {
      port: portOf(server),
      async stop() {
        health.phase = 'stopping';
        await untilClosed(doors, shutdownMs);
        stopCollecting();
        slowClients.close();
        metricsServer?.close();
        await close?.();
        await backend?.close();
        withdrawSiteHost();
      },
    };
  } catch (error) {
    await (await opening.catch(() => null))?.close();
    throw error;
  }
}

/**
 * Wraps the listener with what counts and logs its requests, and starts the server that tells the figures, each if it
 * is wanted.
 */
async function observed(
  { listener, routeOf, pages }: ComposedServer,
  {
    config,
    backend,
    log,
    health,
    ...watched
  }: Pick<ServerParts, 'config' | 'log'> & Omit<MetricsParts, 'requests' | 'pages'>,
): Promise<{ listener: RequestListener; metricsServer: Server | null }> {
  if (!routeOf) return { listener, metricsServer: null };
  const figures = config.METRICS_PORT === undefined ? null : new RequestFigures();
  const metricsServer =
    figures && (await startMetricsServer(config, { requests: figures, health, backend, pages, ...watched }));
  return {
    listener: observeRequests(listener, { routeOf, figures, accessLog: config.ACCESS_LOG ? log : null }),
    metricsServer,
  };
}

/** Makes the first admin, and tells the password; a log that is kept must not hold it. */
async function makeFirstAdmin({ database }: Backend, config: Config, log: Logger): Promise<void> {
  const file = join(config.DATA_DIR, 'first-admin-password.txt');
  const isSeen = process.stdout.isTTY;
  const admin = await ensureFirstAdmin(database, config, async ({ email, password }) => {
    if (!isSeen) await writePrivately(file, `${email}\n${password}\n`);
  });
  if (!admin) return;
  const where =
    admin.password === null
      ? 'the password from ADMIN_PASSWORD'
      : isSeen
        ? `the password ${admin.password} (shown only once)`
        : `the password in ${file}; delete that file after the first sign-in`;
  log.info(`The first admin is ${admin.email} with ${where}.`);
}

/** Writes a new file that only this user can read. */
async function writePrivately(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await rm(file, { force: true });
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
}

function sayHello(config: Config, port: number, log: Logger): void {
  const origin = new SiteOrigin(config);
  origin.listensAt(port);
  if (config.PREVIEW_GATE && config.PREVIEW_PASSCODE === 'preview') {
    log.warn('The passcode of the preview gate is "preview". Set PREVIEW_PASSCODE to a secret one.');
  }
  if (config.DATABASE_URL && !config.S3_ENDPOINT) {
    log.warn(
      `Pictures and files are stored only on this machine, in ${config.DATA_DIR}. Other copies of the server cannot read them, and a database dump does not contain them. Set S3_ENDPOINT and the other S3_ variables to use an object store.`,
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
 * Stops the server and ends the process on SIGINT or SIGTERM. Ctrl-C and systemd signal every process of a group, and npm
 * and `npm start` pass on what they get as well: the same wish comes more than once, and only the first begins anything.
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

/** Waits until no request is under way, or the time is over. */
async function untilClosed(doors: NetServer[], shutdownMs: number): Promise<void> {
  const closed = Promise.all(doors.map((door) => new Promise((resolve) => door.close(resolve))));
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, shutdownMs))]);
}
