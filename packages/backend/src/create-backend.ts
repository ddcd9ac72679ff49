import { setTimeout as wait } from 'node:timers/promises';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Application } from './application.ts';
import { createAuthService } from './auth/auth-service.ts';
import { accountCleanUpJob } from './auth/clean-up.ts';
import type { Config } from './config.ts';
import type { BackendContext, Service } from './context.ts';
import { type Caller, currentCaller, runAsCaller } from './database/caller.ts';
import { type Database, RETRY_AFTER_SECONDS } from './database/database.ts';
import { listSqlFiles, migrate } from './database/migrate.ts';
import { OperatorError } from './database/operator-error.ts';
import { createMissingObjects, setTrashBuckets } from './database/own-objects.ts';
import { getAccountId, type RequestIdentity } from './database/request-role.ts';
import { seed } from './database/seed.ts';
import { createFunctionsService } from './functions-service.ts';
import { cors } from './http/cors.ts';
import { createTokenVerifier, identifyRequest } from './http/identity.ts';
import { loadKeys, type SigningKeys } from './http/keys.ts';
import { clientAddress, trustedProxies } from './http/rate-limit.ts';
import { type Job, startJobs } from './jobs/jobs.ts';
import { MemoryBudget } from './limits/memory-budget.ts';
import { createLog } from './log.ts';
import { mailCleanUpJob } from './mail/clean-up.ts';
import { mailJob } from './mail/deliver.ts';
import { PLAIN_MAILS } from './mail/plain-mails.ts';
import { type OpenDatabase, openDatabase, withoutServer } from './open-database.ts';
import { openBackupStore } from './point-in-time/backup-store.ts';
import { uploadWal } from './point-in-time/upload-wal.ts';
import { type QueueMetrics, readQueueMetrics } from './queue-metrics.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { createRestService } from './rest/rest-service.ts';
import { SiteOrigin } from './site-origin.ts';
import type { ByteStore } from './storage/bytes/byte-store.ts';
import { openByteStore, requireByteStore } from './storage/bytes/open-byte-store.ts';
import { createStorageService, type StorageService } from './storage/storage-service.ts';

/** Milliseconds that close() waits for services to finish their work, such as a mail that is being sent. */
const SERVICES_GRACE_MS = 2_000;

/** Milliseconds that close() waits for the rest of the write-ahead log to be uploaded to BACKUP_URL. */
const WAL_GRACE_MS = 5_000;

export interface Backend {
  /**
   * Handles requests below /auth/v1, /rest/v1, /storage/v1 and /functions/v1, and to /.well-known/.../auth/v1. Other
   * paths return 404.
   * @param socketAddress address of the client's socket. X-Forwarded-For is read only from trusted proxies
   */
  fetch(request: Request, socketAddress?: string): Response | Promise<Response>;
  database: Database;
  /** Signing keys, and `secretKey`, the API key of the service role. */
  keys: SigningKeys;
  /** Origin that mails of background jobs link to. The HTTP server reports its port here. */
  origin: SiteOrigin;
  /** Memory budget for request bodies. The HTTP server also counts unread responses against it. */
  memory: MemoryBudget;
  /** True if the database was empty before this start. */
  isNew: boolean;
  /** The paths that are handled, such as /rest/v1/:table. */
  routes: readonly string[];
  /** Checks the database, the migrations and the files. The result is cached for a second. */
  readiness(): Promise<Readiness>;
  /** Counts queued work for the metrics. */
  readQueueMetrics(): Promise<QueueMetrics & { pictures: number }>;
  /** Stops jobs, running work and the built-in Postgres. */
  close(): Promise<void>;
}

export interface BackendOptions {
  /** An open database to use instead of the configured one. close() also closes it. */
  database?: Database;
  /** The configured database, if it was opened with openDatabase() while the rest of the program was loading. */
  opened?: Promise<OpenDatabase> | undefined;
  /** Default: a logger that writes JSON to standard output. */
  log?: Logger;
  /** A store for the bytes of files to use instead of the configured one. */
  bytes?: ByteStore;
}

/**
 * Opens the database (DATABASE_URL, or the built-in server in DATA_DIR), applies the migrations of the application, and
 * starts the services.
 * @throws OperatorError for settings that cannot be used, FolderLockedError, DatabaseFolderError, Error naming a failed
 * migration
 */
export async function createBackend(
  config: Config,
  application: Application,
  options: BackendOptions = {},
): Promise<Backend> {
  const log = options.log ?? createLog();
  if (config.CAPTCHA_PROVIDER && !application.verifyCaptcha) {
    throw new OperatorError('CAPTCHA_PROVIDER is set, but this application does not implement verifyCaptcha.');
  }
  const source = options.database ? withoutServer(options.database) : await (options.opened ?? openDatabase(config));
  const { database } = source;
  source.onStatusChange?.((message) => log.warn(message));
  try {
    // Do not start if the configured bucket cannot be used.
    if (!options.database) await requireByteStore(config);
    const { isNew, keys } = await database.runExclusively(() => prepareDatabase(database, config, application));
    await keys.watch((error) => log.error(error, 'The signing keys could not be reloaded'));
    const verifier = createTokenVerifier(keys, config.JWT_SECRET);
    const memory = new MemoryBudget();
    const context: BackendContext = {
      config,
      database,
      keys,
      log,
      memory,
      verifyCaptcha:
        application.verifyCaptcha ??
        (() => Promise.reject(new Error('This application does not implement verifyCaptcha'))),
      readSenderName: () => (application.mails ?? PLAIN_MAILS).readSenderName(database),
      identify: async (request) => setCallerAccount(await identifyRequest(request, keys, verifier)),
    };
    const auth = createAuthService(context);
    const bytes = options.bytes ?? openByteStore(config);
    const storage = createStorageService(context, bytes, application.storage ?? {});
    const rest = await createRestService(context);
    const functions = await createFunctionsService(context, application, (request) => rest.fetch(request, ''));
    const services = composeServices({ auth, rest, storage, functions }, { isQueuedByCaller: config.RATE_LIMITS });
    const origin = new SiteOrigin(config);
    const jobs = await startJobs(database, log, listJobs(context, application, origin, storage));
    const walUpload = options.database ? null : startUpload({ config, database, bytes, log });
    const proxies = trustedProxies(config.TRUSTED_PROXIES);
    const closeServices = async () => {
      await auth.close();
      await jobs.stop();
      await storage.close();
      await functions.close();
      await rest.close();
    };
    return {
      fetch: (request, socketAddress) =>
        services.fetch(request, { address: clientAddress(request.headers, socketAddress, proxies) }),
      database,
      keys,
      origin,
      memory,
      isNew,
      routes: [auth, rest, storage, functions].flatMap(({ routes }) => routes),
      readiness: createReadiness({
        config,
        database,
        bytes,
        migrations: await listSqlFiles(application.migrationsFolder),
      }),
      readQueueMetrics: async () => ({ ...(await readQueueMetrics(database)), pictures: storage.countPictures() }),
      async close() {
        // A service may wait for a statement of up to a minute, which closing the database cancels.
        await Promise.race([closeServices(), wait(SERVICES_GRACE_MS, undefined, { ref: false })]);
        // Uploads the last changes.
        await Promise.race([walUpload?.stop(), wait(WAL_GRACE_MS, undefined, { ref: false })]);
        await source.close();
      },
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Lists the jobs of the backend and of its application. */
function listJobs(
  { config, database, log, readSenderName }: BackendContext,
  { mails = PLAIN_MAILS, jobs }: Application,
  origin: SiteOrigin,
  storage: StorageService,
): Job[] {
  const render = mails.createRenderer(database, (request) => storage.fetch(request, ''));
  return [
    mailJob(database, { config, log, origin }, { render, readSenderName }),
    mailCleanUpJob(database, config),
    accountCleanUpJob(database),
    storage.sweepJob,
    ...(jobs?.({ config, database, log, origin }) ?? []),
  ];
}

function startUpload({ config, ...rest }: Pick<BackendContext, 'config' | 'database' | 'log'> & { bytes: ByteStore }) {
  if (!config.BACKUP_URL) return null;
  return uploadWal({
    ...rest,
    dataFolder: config.DATA_DIR,
    store: openBackupStore(config.BACKUP_URL),
    bytes: config.S3_BUCKET ? null : rest.bytes,
  });
}

/**
 * Migrates the database, fills a new one with starter content and loads the keys. The marker of a new database is
 * dropped after the content is stored, so that an interrupted first start can resume.
 */
async function prepareDatabase(database: Database, config: Config, application: Application) {
  const { migrationsFolder, seedFile, storage } = application;
  await database.script(`do $$ begin
    if to_regclass('backend.bootstrap') is null then
      create schema if not exists backend;
      create table if not exists backend.first_start ();
    end if;
  end $$`);
  await migrate(database, migrationsFolder);
  await createMissingObjects(database);
  await setTrashBuckets(database, storage?.mediaLibrary ? [storage.mediaLibrary.bucket] : []);
  const { rows } = await database.query<{ is_new: boolean }>(
    `select to_regclass('backend.first_start') is not null as is_new`,
  );
  const isNew = rows[0]?.is_new === true;
  if (isNew) {
    // Seeding is idempotent.
    if (config.STARTER_CONTENT && seedFile) await seed(database, seedFile);
    await database.script('drop table backend.first_start');
  }
  return { isNew, keys: await loadKeys(database, config.AUTH_SIGNING_ALGORITHM) };
}

/** @param isQueuedByCaller true to queue database work by caller. Otherwise all work counts as background work */
function composeServices(
  services: Record<'auth' | 'rest' | 'storage' | 'functions', Service>,
  { isQueuedByCaller }: { isQueuedByCaller: boolean },
) {
  const app = new Hono<{ Bindings: { address: string } }>();
  const dispatch = (lane: Caller['lane'], service: Service, request: Request, address: string) => {
    const handle = () => service.fetch(request, address);
    if (!isQueuedByCaller) return handle();
    // Only this process sends requests without an address, to render pages.
    return runAsCaller({ lane: address === '' ? 'pages' : lane, address, account: null }, handle);
  };
  app.use('*', cors);
  app.use('*', async (hono, next) => {
    await next();
    if (hono.res.status === 503 && !hono.res.headers.has('retry-after'))
      hono.header('retry-after', String(RETRY_AFTER_SECONDS));
  });
  for (const [name, service] of Object.entries(services)) {
    const lane = service === services.auth ? 'sign-in' : 'requests';
    app.all(`/${name}/v1/*`, ({ req, env }) => dispatch(lane, service, req.raw, env.address));
  }
  // Some clients append the issuer's path to the well-known path (RFC 8414, section 3.1).
  app.get('/.well-known/:document/auth/v1', ({ req, env }) => {
    const address = new URL(`/auth/v1/.well-known/${req.param('document')}`, req.url);
    return dispatch('sign-in', services.auth, new Request(address, req.raw), env.address);
  });
  const availablePaths = Object.keys(services).map((name) => `/${name}/v1`);
  app.notFound((context) => {
    const message = `${context.req.path} is not available. Available paths: ${availablePaths.join(', ')}.`;
    return context.json({ code: 'not_offered', message }, 404);
  });
  return app;
}

/** Sets the account of the current caller. */
function setCallerAccount(identity: RequestIdentity): RequestIdentity {
  const caller = currentCaller();
  if (caller) caller.account = getAccountId(identity);
  return identity;
}
