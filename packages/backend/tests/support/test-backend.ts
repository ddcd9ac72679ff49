import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerType, serve } from '@hono/node-server';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { pino } from 'pino';
import type { Application } from '../../src/application.ts';
import { type Config, parseConfig } from '../../src/config.ts';
import { type Backend, type BackendOptions, createBackend } from '../../src/create-backend.ts';
import type { Database } from '../../src/database/database.ts';
import { DiskGuard } from '../../src/database/disk-guard.ts';
import { DiskSpace, type DiskSpaceOptions } from '../../src/database/disk-space.ts';
import { PUBLISHABLE_KEY } from '../../src/http/keys.ts';
import type { ByteStore } from '../../src/storage/bytes/byte-store.ts';
import { openTestDatabase } from './test-database.ts';

export interface TestBackend {
  backend: Backend;
  /** Origin of a real HTTP server on loopback. */
  url: string;
  /** DATA_DIR of the backend, with the mail outbox. */
  dataFolder: string;
  /** Supabase client without a session. */
  visitor: SupabaseClient;
  /** Supabase client with the secret key. */
  service: SupabaseClient;
  close(): Promise<void>;
}

interface Overrides {
  bytes?: ByteStore | undefined;
  disk?: DiskSpaceOptions | undefined;
}

/** Starts a backend on a fresh database. Default application: the example's migration. */
export function startTestBackend(
  environment: Record<string, string> = {},
  application: Partial<Application> = {},
): Promise<TestBackend> {
  const fullApplication = { migrationsFolder: join(import.meta.dirname, '../../example/migrations'), ...application };
  const create = (config: Config, options: BackendOptions) => createBackend(config, fullApplication, options);
  return serveTestBackend(environment, openTestDatabase, create);
}

/**
 * Creates a database with `open` and a backend with `create`, and serves it over HTTP.
 * @param environment settings and program options
 */
export async function serveTestBackend(
  environment: Record<string, string>,
  open: () => Promise<Database>,
  create: (config: Config, options: BackendOptions) => Promise<Backend>,
  { bytes, disk }: Overrides = {},
): Promise<TestBackend> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-test-'));
  const baseDatabase = await open();
  const database = disk ? new DiskGuard(baseDatabase, new DiskSpace(folder, disk)) : baseDatabase;
  const config = parseConfig({ DATA_DIR: folder, RATE_LIMITS: 'off', ...environment }, environment);
  const backend = await create(config, { database, log: pino({ level: 'silent' }), ...(bytes ? { bytes } : {}) });
  const server = serve({
    fetch: (request, env) => backend.fetch(request, env.incoming.socket.remoteAddress),
    port: 0,
    hostname: '127.0.0.1',
    // A busy machine could delay a request until the server closes its idle connection, so the test would fail.
    serverOptions: { keepAliveTimeout: 600_000 },
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The test server has no port');
  const url = `http://127.0.0.1:${address.port}`;
  return {
    backend,
    url,
    dataFolder: folder,
    visitor: connect(url, PUBLISHABLE_KEY),
    service: connect(url, backend.keys.secretKey),
    async close() {
      await closeServer(server);
      await backend.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Closes the server. close() only closes connections that are idle when it is called. Connections that become idle later
 * would stay open for keepAliveTimeout, and those with an unread response even longer.
 */
async function closeServer(server: ServerType): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  if (!('closeIdleConnections' in server)) return void (await closed);
  const idleTimer = setInterval(() => server.closeIdleConnections(), 50);
  const endTimer = setTimeout(() => server.closeAllConnections(), 5000);
  await closed;
  clearInterval(idleTimer);
  clearTimeout(endTimer);
}

export function connect(url: string, key: string, token?: string): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    ...(token ? { global: { headers: { authorization: `Bearer ${token}` } } } : {}),
  });
}
