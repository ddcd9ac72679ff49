import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './database.ts';

const BOOTSTRAP_FOLDER = join(import.meta.dirname, 'bootstrap');

/** Any number, the same in every copy of the process, so that only one of them migrates at a time. */
const MIGRATION_LOCK = 7_462_201;

/**
 * Brings the database up to date: first what a Supabase project has before its first migration (roles, auth, storage),
 * recorded in `backend.bootstrap`; then `supabase/migrations`, recorded as the Supabase CLI records them in
 * `supabase_migrations.schema_migrations`. Each file runs in a transaction of its own.
 * @returns whether the database was new.
 * @throws Error naming the file whose statement failed, or two files of one version
 */
export async function migrate(database: Database, migrationsFolder: string): Promise<{ isNew: boolean }> {
  await database.script(`
    create schema if not exists backend;
    create table if not exists backend.bootstrap (name text primary key, applied_at timestamptz not null default now());
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
  `);
  const isNew = (await database.query('select from backend.bootstrap limit 1')).rowCount === 0;
  for (const file of await sqlFiles(BOOTSTRAP_FOLDER)) {
    await applyOnce(database, join(BOOTSTRAP_FOLDER, file), {
      isDone: { text: 'select from backend.bootstrap where name = $1', values: [file] },
      record: `insert into backend.bootstrap (name) values (${literal(file)})`,
    });
  }
  let previous = '';
  for (const file of await sqlFiles(migrationsFolder)) {
    const [, version = '', name = ''] = /^(\d{14})_(\w+)\.sql$/.exec(file) ?? [];
    if (!version) throw new Error(`Migration ${file} is not named YYYYMMDDHHMMSS_verb_object.sql`);
    if (version === previous) throw new Error(`Migration ${file} has the version of the one before it`);
    previous = version;
    await applyOnce(database, join(migrationsFolder, file), {
      isDone: { text: 'select from supabase_migrations.schema_migrations where version = $1', values: [version] },
      record: `insert into supabase_migrations.schema_migrations (version, name) values (${literal(version)}, ${literal(name)})`,
    });
  }
  return { isNew };
}

async function applyOnce(
  database: Database,
  path: string,
  { isDone, record }: { isDone: { text: string; values: string[] }; record: string },
): Promise<void> {
  if ((await database.query(isDone.text, isDone.values)).rowCount > 0) return;
  const sql = await readFile(path, 'utf8');
  try {
    // A script sent at once is one transaction. A second process waits for the lock, then fails on what exists already.
    await database.script(`select pg_advisory_xact_lock(${MIGRATION_LOCK});\n${sql}\n;${record};`);
  } catch (cause) {
    if ((await database.query(isDone.text, isDone.values)).rowCount > 0) return;
    throw new Error(`${path} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

async function sqlFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
