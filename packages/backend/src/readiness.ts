/**
 * Checks whether the database, the migrations and the files are available. Anyone can call it, so the result is cached
 * for a second, concurrent requests share one check, and the response contains no details.
 */
import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from './config.ts';
import { type Database, isUnreachable } from './database/database.ts';
import { freeBytes, MIN_FREE_BYTES } from './database/disk-space.ts';
import { PUBLISHABLE_KEY } from './http/keys.ts';
import type { ByteStore } from './storage/bytes/byte-store.ts';

/** Status of each part by name: 'ok', or a fixed description of the problem. */
export type Readiness = Record<string, string>;

const DEADLINE_MS = 2_000;
const CACHE_MS = 1_000;
/** Maximum time to wait for a hanging check. Connections to a network that drops packets hang much longer. */
const TIMEOUT_MS = 15_000;

export interface ReadinessInput {
  config: Config;
  database: Database;
  bytes: ByteStore;
  /** Files that the database must have applied: see listSqlFiles(). */
  migrations: readonly string[];
}

/** @returns a function that checks the database, the migrations and the files */
export function createReadiness({ config, database, bytes, migrations }: ReadinessInput): () => Promise<Readiness> {
  const isOwnServer = config.DATABASE_URL !== undefined;
  const schema = withDeadline({ database: NO_RESPONSE, migrations: 'not known' }, () =>
    checkSchema(database, { expected: migrations, isOwnServer }),
  );
  const files = withDeadline({ files: NO_RESPONSE }, async () => ({ files: await checkFiles(config, bytes) }));
  return cacheForOneSecond(async () => {
    const [schemaStatus, filesStatus] = await Promise.all([schema(), files()]);
    return { ...schemaStatus, ...filesStatus };
  });
}

/**
 * Creates the check for a Supabase project: whether it responds to a request for a path that the key can read.
 */
export function createProjectReadiness({ SUPABASE_URL = '', SUPABASE_PUBLISHABLE_KEY }: Config, path: string) {
  const apikey = SUPABASE_PUBLISHABLE_KEY ?? PUBLISHABLE_KEY;
  return cacheForOneSecond(
    withDeadline({ project: NO_RESPONSE }, async () => {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      const response = await fetch(`${SUPABASE_URL}${path}`, { headers: { apikey }, signal }).catch(() => null);
      await response?.body?.cancel();
      return { project: response?.ok ? 'ok' : response ? `responded with ${response.status}` : 'cannot be reached' };
    }),
  );
}

const NO_RESPONSE = 'no response within 2 seconds';

async function checkSchema(
  database: Database,
  { expected, isOwnServer }: { expected: readonly string[]; isOwnServer: boolean },
): Promise<Readiness> {
  try {
    const { rows } = await database.query<{ applied: string[]; is_writable: boolean }>(`
      select array(select name from backend.bootstrap union all select version from supabase_migrations.schema_migrations) as applied,
        not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as is_writable`);
    const { applied = [], is_writable: isWritable } = rows[0] ?? {};
    const missing = expected.filter((name) => !applied.includes(name)).length;
    return {
      // The built-in database is read-only while its disk is full, which `files` reports.
      database: isWritable || !isOwnServer ? 'ok' : 'read-only (a standby, or set to read-only)',
      migrations: missing === 0 ? 'ok' : `${missing} not applied`,
    };
  } catch (error) {
    return { database: isUnreachable(error) ? 'cannot be reached' : 'rejects queries', migrations: 'not known' };
  }
}

async function checkFiles({ DATA_DIR, S3_ENDPOINT }: Config, bytes: ByteStore): Promise<string> {
  try {
    // Uploads are staged in DATA_DIR even if files are stored in a bucket.
    await mkdir(DATA_DIR, { recursive: true, mode: 0o700 });
    await access(DATA_DIR, constants.R_OK | constants.W_OK | constants.X_OK);
    if ((await freeBytes(DATA_DIR)) < MIN_FREE_BYTES) return 'the disk is full';
  } catch {
    return 'DATA_DIR is not writable';
  }
  return bytes.isAvailable().then(
    (isWritable) =>
      isWritable ? 'ok' : S3_ENDPOINT ? 'the object store rejects requests' : 'the folder of the files cannot be used',
    () => 'the object store cannot be reached',
  );
}

/** Resolves to `timeoutResult` if `work` takes too long. Does not start `work` again while it is running. */
function withDeadline(timeoutResult: Readiness, work: () => Promise<Readiness>): () => Promise<Readiness> {
  let startedAt = 0;
  let pending: Promise<Readiness> | null = null;
  return () => {
    if (!pending || performance.now() - startedAt > TIMEOUT_MS) {
      startedAt = performance.now();
      const check = work().finally(() => {
        if (pending === check) pending = null;
      });
      pending = check;
    }
    const timer = new AbortController();
    const timeout = wait(DEADLINE_MS, timeoutResult, { ref: false, signal: timer.signal }).catch(() => timeoutResult);
    return Promise.race([pending, timeout]).finally(() => timer.abort());
  };
}

/** Shares one result among concurrent callers, and for a second afterwards. */
export function cacheForOneSecond<T>(work: () => Promise<T>): () => Promise<T> {
  let cached: { at: number; result: Promise<T> } | null = null;
  return () => {
    if (cached && performance.now() - cached.at < CACHE_MS) return cached.result;
    const entry = { at: Number.POSITIVE_INFINITY, result: work() };
    // The result expires a second after it is available, so that no further check runs while one is pending.
    entry.result.then(
      () => {
        entry.at = performance.now();
      },
      () => {
        if (cached === entry) cached = null;
      },
    );
    cached = entry;
    return entry.result;
  };
}
