import { join } from 'node:path';
import { type Config, type Database, errorCode, messageOf, type Queryable } from '@signalfjord/backend';
import {
  migrate,
  openExistingDatabase,
  openTemporaryDatabase,
  readQueueMetrics,
  readSqlFiles,
} from '@signalfjord/backend/commands';
import { readAccessRules } from './access-rules.ts';
import { clockFinding } from './clock.ts';
import { type Finding, failure, ok, reasonOf, warning } from './finding.ts';

const MIGRATIONS = join(import.meta.dirname, '../../supabase/migrations');
const OLDEST_VERSION = 14;
/** Version of the built-in server. */
const BUILT_IN_VERSION = 18;
const MAX_LINES = 20;
const STANDBY_ADVICE = 'promote it, or set DATABASE_URL to the primary.';
const DISK_FULL = /53100|No space left/;
const DISK_FULL_ADVICE = 'free disk space, and restart Postgres if it has stopped';
const LATE_MAIL_S = 900;
const READ_ONLY_ADVICE =
  'free disk space if that was the cause, then run alter database ... reset default_transaction_read_only;';

/** Checks the configured database. All writes are rolled back. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  if (config.SUPABASE_URL) return [];
  let connection: Awaited<ReturnType<typeof openExistingDatabase>>;
  try {
    connection = await openExistingDatabase(config);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const message = `${reasonOf(cause).replace(/\.?$/, '.')} The database was not checked${adviceFor(cause)}.`;
    return [failure('Database', message)];
  }
  const { database, name, close } = connection;
  try {
    return await examine(database, name, config);
  } catch (error) {
    return [
      failure(
        'Database',
        `${name} could not be read (${reasonOf(error)}). Grant its user the privileges in docs/scaling.md.`,
      ),
    ];
  } finally {
    await close();
  }
}

/** Returns how to fix a connection error, starting with a colon, or '' if the error is self-explanatory. */
function adviceFor(error: unknown): string {
  if (DISK_FULL.test(`${errorCode(error)} ${messageOf(error)}`)) return `: ${DISK_FULL_ADVICE}`;
  switch (errorCode(error)) {
    case 'ECONNREFUSED':
    case 'ETIMEDOUT':
    case '57P03':
      return ': check that Postgres is running, its log, and the firewall';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return ': check the host in DATABASE_URL and the DNS settings of this machine';
    default:
      return '';
  }
}

export async function examine(
  database: Database,
  name: string,
  config: Pick<Config, 'DATABASE_URL'>,
): Promise<Finding[]> {
  const before = Date.now();
  const { rows } = await database.query<{ version: number; now: Date; is_standby: boolean; is_read_only: boolean }>(`
    select current_setting('server_version_num')::integer / 10000 as version, clock_timestamp() as now,
      pg_is_in_recovery() as is_standby, current_setting('default_transaction_read_only') = 'on' as is_read_only`);
  const after = Date.now();
  const { version = 0, now = new Date(), is_standby: isStandby, is_read_only: isReadOnly } = rows[0] ?? {};
  const findings = [
    version < OLDEST_VERSION
      ? failure('Database', `${name} is Postgres ${version}. Upgrade to ${OLDEST_VERSION} or newer.`)
      : ok('Database', `${name} is reachable (Postgres ${version}).`),
    await checkRights(database),
    await checkMigrations(database),
    ...(await checkRules(database, version)),
    ...(await checkQueues(database)),
    ...(await checkJobs(database)),
  ];
  if (config.DATABASE_URL) {
    findings.push(...(await checkServerDisk(database)));
    findings.push(clockFinding('the database', now, before, after));
    if (isStandby) findings.push(failure('Writes', `${name} is a standby: ${STANDBY_ADVICE}`));
    else if (isReadOnly) findings.push(failure('Writes', `${name} is read-only: ${READ_ONLY_ADVICE}`));
  }
  return findings;
}

/** Finds emails and releases that are overdue, for example because the server is stopped. */
async function checkQueues(database: Database): Promise<Finding[]> {
  const { rows } = await database.query<{ name: string }>(
    `select name from public.releases where published_at is null and publish_at < now() - interval '1 minute' order by publish_at`,
  );
  const overdue = rows.map(({ name }) => `“${name}”`).join(', ');
  const findings = overdue
    ? [failure('Releases', `${overdue} is due but not published. Start the server, which publishes it.`)]
    : [];
  const { mails, oldestMailSeconds, failedMails } = await readQueueMetrics(database);
  if (oldestMailSeconds > LATE_MAIL_S) {
    const minutes = Math.round(oldestMailSeconds / 60);
    findings.push(
      failure(
        'Queues',
        `${mails === 1 ? '1 email is' : `${mails} emails are`} queued, the oldest for ${minutes} minutes. Check that the server is running, and see Mail.`,
      ),
    );
  }
  if (failedMails > 0) {
    const count = failedMails === 1 ? '1 email' : `${failedMails} emails`;
    findings.push(warning('Queues', `${count} could not be sent. See the admin home page.`));
  }
  return findings.length > 0 ? findings : [ok('Queues', 'no email or release is overdue.')];
}

/** Finds periodic jobs whose last run failed. */
async function checkJobs(database: Queryable): Promise<Finding[]> {
  const { rows: tables } = await database.query(`select where to_regclass('private.jobs') is not null`);
  // If the table is missing because of a pending migration, checkMigrations() reports it.
  if (tables.length === 0) return [];
  const { rows } = await database.query<{ name: string; last_error: string }>(
    'select name, last_error from private.jobs where last_error is not null order by name',
  );
  return rows.map(({ name, last_error: error }) =>
    failure('Jobs', `“${name}” failed (${error}). The server tries it again within an hour.`),
  );
}

/** Writes 2 MB to a temporary table. */
async function checkServerDisk(database: Database): Promise<Finding[]> {
  try {
    await database.transaction((tx) =>
      tx.query(`create temporary table disk_check on commit drop as
        select repeat(md5(n::text), 32) as filler from generate_series(1, 2000) as n`),
    );
    return [ok('Database disk', 'a test table of 2 MB could be written.')];
  } catch (error) {
    if (DISK_FULL.test(`${errorCode(error)} ${messageOf(error)}`)) {
      return [failure('Database disk', `the disk of Postgres is full (${reasonOf(error)}): ${DISK_FULL_ADVICE}.`)];
    }
    // A standby and a read-only database are reported separately.
    return [];
  }
}

async function checkRights(database: Queryable): Promise<Finding> {
  const { rows } = await database.query<{ user: string; missing: string[]; may_create: boolean }>(`
    select current_user::text as user, has_database_privilege(current_database(), 'CREATE') as may_create,
      array(select role from unnest(array['anon', 'authenticated', 'service_role']) as role
        where not exists (select from pg_roles where rolname = role and pg_has_role(current_user, oid, 'MEMBER'))) as missing`);
  const { user = '', missing = [], may_create: mayCreate } = rows[0] ?? {};
  if (missing.length > 0) {
    return failure(
      'Rights',
      `${user} is not a member of ${missing.join(' and ')}. As a superuser, run: grant ${missing.join(', ')} to ${user};`,
    );
  }
  if (!mayCreate) {
    return failure('Rights', `${user} cannot create schemas, which upgrades need. Grant it create on the database.`);
  }
  return ok('Rights', `${user} has the required privileges.`);
}

async function checkMigrations(database: Queryable): Promise<Finding> {
  const { rows } = await database.query<{ name: string; sha256: string | null }>(`
    select name, sha256 from (
      select name from backend.bootstrap union all select version from supabase_migrations.schema_migrations
    ) applied left join backend.applied_files using (name)`);
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  const files = await readSqlFiles(MIGRATIONS);
  const missing = files.filter(({ name }) => !applied.has(name));
  const edited = files.filter(({ name, sha256 }) => {
    const appliedHash = applied.get(name);
    return appliedHash && appliedHash !== sha256;
  });
  if (edited.length > 0) {
    const names = edited.map(({ path }) => path).join(', ');
    return failure(
      'Migrations',
      `${names} was edited after it was applied, so the server does not start. Undo the edit.`,
    );
  }
  if (missing.length > 0) {
    const count = missing.length === 1 ? '1 migration is' : `${missing.length} migrations are`;
    return failure('Migrations', `${count} not applied. Start this version of the server to apply them.`);
  }
  const unknownCount = applied.size - files.length;
  if (unknownCount > 0) return warning('Migrations', `the database has ${unknownCount} migrations of a newer version.`);
  return ok('Migrations', `all ${files.length} are applied and unchanged.`);
}

let expectedRulesRead: Promise<Record<'full' | 'short', Set<string>>> | undefined;

/** Reads the rules of a fresh temporary database with all migrations. */
function expectedRules() {
  expectedRulesRead ??= (async () => {
    const database = await openTemporaryDatabase();
    try {
      await migrate(database, MIGRATIONS);
      return { full: await readAccessRules(database, true), short: await readAccessRules(database, false) };
    } finally {
      await database.close();
    }
  })();
  return expectedRulesRead;
}

/** Compares the access rules of the database with those of the migrations. */
async function checkRules(database: Queryable, version: number): Promise<Finding[]> {
  const withExpressions = version === BUILT_IN_VERSION;
  const expected = (await expectedRules())[withExpressions ? 'full' : 'short'];
  const actual = await readAccessRules(database, withExpressions);
  const missing = [...expected].filter((line) => !actual.has(line));
  const extra = [...actual].filter((line) => !expected.has(line));
  const isBucket = (line: string) => line.startsWith('bucket ');
  const findings = [
    ...missing.map((line) => failure('Policies', `missing in the database: ${line}`)),
    ...extra.filter((line) => !isBucket(line)).map((line) => failure('Policies', `not made by a migration: ${line}`)),
  ];
  const buckets = extra.filter(isBucket).map((line) => warning('Policies', `${line}, not made by a migration.`));
  if (findings.length === 0) {
    const message = withExpressions
      ? ''
      : `. Policy conditions were not compared, because Postgres ${version} formats them differently`;
    return [ok('Policies', `${expected.size} rules match the migrations${message}.`), ...buckets];
  }
  const hiddenCount = findings.length - MAX_LINES;
  return [
    ...findings.slice(0, MAX_LINES),
    ...(hiddenCount > 0 ? [failure('Policies', `${hiddenCount} more differences.`)] : []),
    failure('Policies', 'undo the manual changes, or add them to a migration.'),
    ...buckets,
  ];
}
