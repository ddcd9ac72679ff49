import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';
import { type Logger, pino } from 'pino';
import { type AuthRoutes, authRoutes } from './auth/routes.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { lockFolder } from './database/folder-lock.ts';
import { migrate } from './database/migrate.ts';
import { openPgliteDatabase } from './database/pglite-database.ts';
import { openPostgresDatabase } from './database/postgres-database.ts';
import type { RequestIdentity } from './database/request-role.ts';
import { seed } from './database/seed.ts';
import { createFunctionsService, type FunctionsService } from './functions/functions-service.ts';
import { cors } from './http/cors.ts';
import { createTokenVerifier, identifyRequest } from './http/identity.ts';
import { loadKeys, type SigningKeys } from './http/keys.ts';
import { startMailDelivery } from './mail/deliver.ts';
import { createRestService, type RestService } from './rest/rest-service.ts';
import type { ByteStore } from './storage/bytes/byte-store.ts';
import { createStorageService, type StorageService } from './storage/storage-service.ts';

const MIGRATIONS_FOLDER = join(import.meta.dirname, '../supabase/migrations');
const SEED_FILE = join(import.meta.dirname, '../supabase/seed.sql');

/** What every service of the backend is given. */
export interface BackendContext {
  config: Config;
  database: Database;
  keys: SigningKeys;
  log: Logger;
  /** Role and claims of a request. @throws ApiError 401 */
  identify(request: Request): Promise<RequestIdentity>;
}

export interface Connection {
  address?: string | undefined;
}

export interface Backend {
  /**
   * Answers everything below /auth/v1, /rest/v1, /storage/v1 and /functions/v1. `address` is the socket's other end, for
   * limits per address; X-Forwarded-For is read where it may be believed.
   */
  fetch(request: Request, connection?: Connection): Response | Promise<Response>;
  database: Database;
  keys: SigningKeys;
  /** True on the first start of an empty database. */
  isNew: boolean;
  close(): Promise<void>;
}

/**
 * Opens the database (DATABASE_URL, or PGlite in DATA_DIR under a lock), migrates it and composes the services.
 * A database that is already open can be handed in; the caller then keeps its ownership of the folder.
 * @throws FolderLockedError, Error naming the migration that failed
 */
export async function createBackend(
  config: Config,
  options: { database?: Database; log?: Logger; bytes?: ByteStore } = {},
): Promise<Backend> {
  const log = options.log ?? pino();
  const { database, release } = options.database
    ? { database: options.database, release: async () => undefined }
    : await openDatabase(config);
  try {
    const { isNew } = await migrate(database, MIGRATIONS_FOLDER);
    if (isNew && config.STARTER_CONTENT && !config.DATABASE_URL) await seed(database, SEED_FILE);
    const keys = await loadKeys(database);
    const verifier = createTokenVerifier(keys, config.JWT_SECRET);
    const context: BackendContext = {
      config,
      database,
      keys,
      log,
      identify: (request) => identifyRequest(request, keys, verifier),
    };
    const auth = authRoutes(context);
    const storage = createStorageService(context, options.bytes);
    const rest = await createRestService(context);
    const functions = await createFunctionsService(context, rest.fetch);
    const services = composeServices(auth.app, rest, storage, functions);
    const mails = await startMailDelivery(database, config, log);
    return {
      fetch: (request, connection) => services.fetch(request, connection),
      database,
      keys,
      isNew,
      async close() {
        await auth.close();
        await mails.stop();
        await storage.settle();
        await functions.close();
        await database.close();
        await release();
      },
    };
  } catch (error) {
    await database.close();
    await release();
    throw error;
  }
}

function composeServices(
  auth: AuthRoutes['app'],
  rest: RestService,
  storage: StorageService,
  functions: FunctionsService,
): Hono<{ Bindings: Connection }> {
  const services = new Hono<{ Bindings: Connection }>();
  services.use('*', cors);
  services.route('/auth/v1', auth);
  services.all('/rest/v1/*', (call) => rest.fetch(call.req.raw));
  services.all('/storage/v1/*', (call) => storage.fetch(call.req.raw));
  services.all('/functions/v1/*', (call) => functions.fetch(call.req.raw, call.env));
  return services;
}

async function openDatabase(config: Config): Promise<{ database: Database; release: () => Promise<void> }> {
  if (config.DATABASE_URL)
    return { database: openPostgresDatabase(config.DATABASE_URL), release: async () => undefined };
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const release = await lockFolder(config.DATA_DIR);
  try {
    return { database: await openPgliteDatabase({ folder: join(config.DATA_DIR, 'postgres') }), release };
  } catch (error) {
    await release();
    throw error;
  }
}
