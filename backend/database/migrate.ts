import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './database.ts';

const BOOTSTRAP_FOLDER = join(import.meta.dirname, 'bootstrap');

export class EditedMigrationError extends Error {}

/**
 * Brings the database up to date: first what a Supabase project has before its first migration (roles, auth, storage),
 * recorded in `backend.bootstrap`; then `supabase/migrations`, recorded as the Supabase CLI records them in
 * `supabase_migrations.schema_migrations`. Each file runs in a transaction of its own. What a file held when it was
 * applied is recorded by its hash: a file that was edited afterwards would leave old and new databases apart for good.
 * Only one process may do this at a time: see `Database.exclusively`.
 * @returns whether the database was new.
 * @throws EditedMigrationError, Error naming the file whose statement failed, or two files of one version
 */
export async function migrate(database: Database, migrationsFolder: string): Promise<{ isNew: boolean }> {
  await database.script(`
    create schema if not exists backend;
    create table if not exists backend.bootstrap (name text primary key, applied_at timestamptz not null default now());
    create table if not exists backend.applied_files (name text primary key, sha256 text not null);
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
  `);
  const { rows } = await database.query<{ name: string; sha256: string | null }>(`
    select name, sha256 from (
      select name from backend.bootstrap union all select version from supabase_migrations.schema_migrations
    ) applied left join backend.applied_files using (name)
  `);
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  for (const file of await sqlFiles(BOOTSTRAP_FOLDER)) {
    await applyOnce(database, applied, {
      path: join(BOOTSTRAP_FOLDER, file),
      name: file,
      record: `insert into backend.bootstrap (name) values (${literal(file)})`,
    });
  }
  let previous = '';
  for (const file of await sqlFiles(migrationsFolder)) {
    const [, version = '', name = ''] = /^(\d{14})_(\w+)\.sql$/.exec(file) ?? [];
    if (!version) throw new Error(`Migration ${file} is not named YYYYMMDDHHMMSS_verb_object.sql`);
    if (version === previous) throw new Error(`Migration ${file} has the version of the one before it`);
    previous = version;
    await applyOnce(database, applied, {
      path: join(migrationsFolder, file),
      name: version,
      record: `insert into supabase_migrations.schema_migrations (version, name) values (${literal(version)}, ${literal(name)})`,
    });
  }
  return { isNew: applied.size === 0 };
}

interface SqlFile {
  path: string;
  /** What it is recorded by. */
  name: string;
  /** The statement that records that it was applied. */
  record: string;
}

/** @param applied the hash of each applied file by its name; null for those of before hashes were kept */
async function applyOnce(
  database: Database,
  applied: ReadonlyMap<string, string | null>,
  { path, name, record }: SqlFile,
): Promise<void> {
  const sql = await readFile(path, 'utf8');
  const hash = createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
  const recordHash = `insert into backend.applied_files values (${literal(name)}, ${literal(hash)})`;
  const known = applied.get(name);
  if (known === hash) return;
  if (known) {
    throw new EditedMigrationError(
      `${path} was edited after this database had applied it: take the edit back, and change what it made in a new migration.`,
    );
  }
  if (known === null) return database.script(recordHash);
  try {
    // A script sent at once is one transaction.
    await database.script(`${sql}\n;${record};${recordHash};`);
  } catch (cause) {
    throw new Error(`${path} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

async function sqlFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
