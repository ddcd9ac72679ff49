import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Database, isDiskFull } from './database.ts';
import { messageOf } from './errors.ts';
import { hashMigration, parseHeader, type ReplacedMigrations, readLanded, requireOrder } from './landed-migrations.ts';
import { OperatorError } from './operator-error.ts';

const BOOTSTRAP_FOLDER = join(import.meta.dirname, 'bootstrap');

/**
 * Statement in the first bootstrap file. It is removed from the script if the owner already has these roles, because
 * not every owner may grant them. The file itself cannot be changed.
 */
const GRANT_ROLES = "execute format('grant anon, authenticated, service_role to %I', current_user);";

const CREATE_RECORDS = `
create schema if not exists backend;
create table if not exists backend.bootstrap (name text primary key, applied_at timestamptz not null default now());
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
`;

const CREATE_HASHES =
  'create table if not exists backend.applied_files (name text primary key, sha256 text not null);\n';

/**
 * Migrates the database. First it creates the objects that a Supabase project has before its first migration (roles,
 * auth, storage), recorded in `backend.bootstrap`. Then it applies `supabase/migrations`. Like the Supabase CLI, it
 * records them in `supabase_migrations.schema_migrations`. Each file runs in its own transaction. The hash of each
 * applied file is stored, because editing it later would make old and new databases differ. If a database has applied
 * all migrations that a baseline replaces, the baseline is recorded as applied. Only one process may run it at a time:
 * see `Database.runExclusively`.
 * @param shouldApply returns whether the file with this name is applied; default: all files
 * @throws OperatorError if the operator has to act
 * @throws Error naming the file if a statement fails or two files have the same version
 */
export async function migrate(
  database: Migratable,
  migrationsFolder: string,
  shouldApply: (name: string) => boolean = () => true,
): Promise<void> {
  requireOrder(await sqlFiles(migrationsFolder), await readLanded(migrationsFolder));
  // Ignore a full disk, because an up-to-date database needs no writes. Applying a file reports the full disk.
  await database.script(`${CREATE_RECORDS}${CREATE_HASHES}`).catch((error: unknown) => {
    if (!isDiskFull(error)) throw error;
  });
  const { rows } = await database.query<AppliedFile>(`
    select name, sha256 from (
      select name from backend.bootstrap union all select version from supabase_migrations.schema_migrations
    ) applied left join backend.applied_files using (name)
  `);
  const files = await readSqlFiles(migrationsFolder);
  const baseline = files.find(({ replaces }) => replaces !== null);
  const appliedFiles = withBaseline(files, rows, ({ version }) => {
    return `This database is older than version ${version}. Start version ${version} once, then start this version again. Nothing was changed.`;
  });
  if (baseline && appliedFiles !== rows) {
    await database.script(`
      delete from supabase_migrations.schema_migrations;
      delete from backend.applied_files where name not in (select name from backend.bootstrap);
      ${baseline.record}; ${hashRecordSql(baseline.name, baseline.sha256)}`);
  }
  const applied = new Map(appliedFiles.map(({ name, sha256 }) => [name, sha256]));
  const hasRoles = await isMemberOfRoles(database);
  for (const file of files) {
    if (shouldApply(file.name)) await applyOnce(database, applied, file, hasRoles ? GRANT_ROLES : '');
  }
}

/** A database or a transaction in it. */
type Migratable = Pick<Database, 'query' | 'script'>;

export interface SqlFile {
  path: string;
  /** Key of its record: the name of a bootstrap file, or the version of a migration. */
  name: string;
  sql: string;
  sha256: string;
  /** The statement that records the file. */
  record: string;
  /** The migrations that a baseline replaces; null for other files. */
  replaces: ReplacedMigrations | null;
}

/** A file that a database has applied. */
export interface AppliedFile {
  name: string;
  /** Null if the file was applied before hashes were recorded. */
  sha256: string | null;
}

/**
 * Returns the applied files with the baseline in place of the migrations that it replaces. Does not compare
 * versions, because some of the replaced migrations have later dates than the baseline.
 * @returns the same array if the database has applied the baseline or has no migrations
 * @throws OperatorError with the given message if the last replaced migration is missing
 */
export function withBaseline(
  files: readonly SqlFile[],
  applied: AppliedFile[],
  messageFor: (replacedMigrations: ReplacedMigrations) => string,
): AppliedFile[] {
  const baseline = files.find(({ replaces }) => replaces !== null);
  const migrations = applied.filter(({ name }) => isMigration(name));
  if (!baseline?.replaces || migrations.length === 0) return applied;
  const { name, sha256, replaces } = baseline;
  if (migrations.some((migration) => migration.name === name)) return applied;
  if (!migrations.some((migration) => migration.name === replaces.last)) throw new OperatorError(messageFor(replaces));
  return [...applied.filter((file) => !isMigration(file.name)), { name, sha256 }];
}

/** Returns whether a file is a migration, not a bootstrap file. */
export function isMigration(name: string): boolean {
  return /^\d{14}$/.test(name);
}

/**
 * Reads the bootstrap files and migrations in order.
 * @throws Error naming a migration with an invalid name or a duplicate version
 */
export async function readSqlFiles(migrationsFolder: string): Promise<SqlFile[]> {
  const bootstrap = (await sqlFiles(BOOTSTRAP_FOLDER)).map((file) => {
    const record = `insert into backend.bootstrap (name) values (${quoteLiteral(file)})`;
    return readSqlFile(join(BOOTSTRAP_FOLDER, file), file, record);
  });
  const migrations = (await listMigrations(migrationsFolder)).map(({ file, version, name }) => {
    const record = `insert into supabase_migrations.schema_migrations (version, name) values (${quoteLiteral(version)}, ${quoteLiteral(name)})`;
    return readSqlFile(join(migrationsFolder, file), version, record);
  });
  return Promise.all([...bootstrap, ...migrations]);
}

/** Lists the recorded names of the files without reading them. */
export async function listSqlFiles(migrationsFolder: string): Promise<string[]> {
  const migrations = await listMigrations(migrationsFolder);
  return [...(await sqlFiles(BOOTSTRAP_FOLDER)), ...migrations.map(({ version }) => version)];
}

async function listMigrations(folder: string): Promise<{ file: string; version: string; name: string }[]> {
  let previous = '';
  return (await sqlFiles(folder)).map((file) => {
    const [, version = '', name = ''] = /^(\d{14})_(\w+)\.sql$/.exec(file) ?? [];
    if (!version) throw new Error(`Migration ${file} is not named YYYYMMDDHHMMSS_verb_object.sql`);
    if (version === previous) throw new Error(`Migration ${file} has the same version as the previous one`);
    previous = version;
    return { file, version, name };
  });
}

async function readSqlFile(path: string, name: string, record: string): Promise<SqlFile> {
  const sql = await readFile(path, 'utf8');
  return { path, name, sql, sha256: hashMigration(sql), record, replaces: parseHeader(sql) };
}

/**
 * Builds a script that recreates the applied files and their records.
 * @param applied recorded hash by file name; null if it was not recorded
 */
export function migrationScript(files: readonly SqlFile[], applied: ReadonlyMap<string, string | null>): string {
  const scripts = files.flatMap(({ path, name, sql, record }) => {
    const hash = applied.get(name);
    if (hash === undefined) return [];
    return [`-- ${basename(path)}\n${sql}\n;${record};${hash === null ? '' : hashRecordSql(name, hash)}\n`];
  });
  const hasHashes = [...applied.values()].some((hash) => hash !== null);
  return [CREATE_RECORDS, hasHashes ? CREATE_HASHES : '', ...scripts].join('\n');
}

function hashRecordSql(name: string, sha256: string): string {
  return `insert into backend.applied_files values (${quoteLiteral(name)}, ${quoteLiteral(sha256)});`;
}

/** Returns whether the owner is already a member of the request roles, so the grant can be skipped. */
async function isMemberOfRoles(database: Migratable): Promise<boolean> {
  const { rows } = await database.query<{ n: number }>(`
    select count(distinct roleid)::integer as n from pg_auth_members where member = current_user::regrole
      and roleid in (select oid from pg_roles where rolname in ('anon', 'authenticated', 'service_role'))
  `);
  return rows[0]?.n === 3;
}

/**
 * @param applied recorded hash by file name; null if it was not recorded
 * @param skippedStatement a statement to remove from the file before it runs
 */
async function applyOnce(
  database: Migratable,
  applied: ReadonlyMap<string, string | null>,
  { path, name, sql, sha256, record }: SqlFile,
  skippedStatement: string,
): Promise<void> {
  const recordHash = hashRecordSql(name, sha256);
  const recordedHash = applied.get(name);
  if (recordedHash === sha256) return;
  if (recordedHash) {
    throw new OperatorError(
      `${path} was edited after this database had applied it. Undo the edit and put the change in a new migration.`,
    );
  }
  if (recordedHash === null) return database.script(recordHash);
  try {
    // A script runs in one transaction. The notification makes other processes reload the schema.
    await database.script(
      `${sql.replace(skippedStatement, '')}\n;${record};${recordHash};notify pgrst, 'reload schema'`,
    );
  } catch (cause) {
    throw new Error(`${path} failed: ${messageOf(cause)}`, { cause });
  }
}

async function sqlFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
}

function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
