/**
 * Migrations.
 *
 * npm run new-migration -- create_something   writes the difference to the edited supabase/schemas, with the next
 * version
 * npm run land-migrations                     freezes finished migrations before they are shared
 * node scripts/migrations.ts check            rejects edited, renamed and misordered migrations (part of npm run check)
 * node scripts/migrations.ts baseline         replaces all migrations with a baseline generated from supabase/schemas
 */

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, messageOf } from '@signalfjord/backend';
import {
  baselineHeader,
  hashMigration,
  isMigration,
  type LandedMigration,
  landedListPath,
  migrate,
  openTemporaryDatabase,
  readLanded,
  requireOrder,
} from '@signalfjord/backend/commands';
import { programVersion } from './moving.ts';
import { writeMigration } from './schema/compare-schemas.ts';
import { describeSchema } from './schema/describe-schema.ts';
import { schemaSql } from './schema/schema-sql.ts';

const MINUTE_MS = 60_000;

/** Returns the version of a new migration: the current time, or one minute after the last version if that is later. */
export function nextVersion(files: readonly string[], now: Date): string {
  const last =
    files
      .map((file) => file.slice(0, 14))
      .sort()
      .at(-1) ?? '';
  const version = formatVersion(now);
  return version > last ? version : formatVersion(new Date(parseVersion(last).getTime() + MINUTE_MS));
}

/** YYYYMMDDHHMM00 in UTC. */
function formatVersion(time: Date): string {
  return `${time.toISOString().replace(/\D/g, '').slice(0, 12)}00`;
}

/** Parses a version as a date. Overflowing hours and minutes carry over. */
function parseVersion(version: string): Date {
  const part = (start: number, end: number) => Number(version.slice(start, end));
  return new Date(Date.UTC(part(0, 4), part(4, 6) - 1, part(6, 8), part(8, 10), part(10, 12), part(12, 14)));
}

/**
 * Returns the faults of the migrations in a folder as messages.
 * @param mustHaveLanded true if unfrozen migrations are a fault, as in CI
 */
export async function findMigrationFaults(folder: string, mustHaveLanded: boolean): Promise<string[]> {
  const [files, frozen] = await Promise.all([listFiles(folder), readLanded(folder)]);
  const faults = (await Promise.all(frozen.map((migration) => findFault(folder, files, migration)))).filter(isText);
  try {
    requireOrder(files, frozen);
  } catch (error) {
    faults.push(messageOf(error));
  }
  const newFiles = files.filter((file) => !frozen.some((migration) => migration.file === file));
  if (mustHaveLanded && newFiles.length > 0) {
    faults.push(
      `${newFiles.join(' and ')} is not recorded as landed. Run npm run land-migrations and commit the result.`,
    );
  }
  return faults;
}

async function findFault(folder: string, files: readonly string[], { file, sha256 }: LandedMigration) {
  if (!files.includes(file))
    return `supabase/migrations/${file} has landed and must not be deleted, because databases have applied it.`;
  const isSame = hashMigration(await readFile(join(folder, file), 'utf8')) === sha256;
  return isSame
    ? null
    : `supabase/migrations/${file} has landed and must not be edited. Undo the edit and put the change in a new migration.`;
}

/** Adds new migrations to the list of frozen migrations. @throws Error with the faults of the folder */
export async function landMigrations(folder: string): Promise<string[]> {
  const faults = await findMigrationFaults(folder, false);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const frozen = await readLanded(folder);
  const newFiles = (await listFiles(folder)).slice(frozen.length);
  const hashed = newFiles.map(async (file) => ({
    file,
    sha256: hashMigration(await readFile(join(folder, file), 'utf8')),
  }));
  const migrations = [...frozen, ...(await Promise.all(hashed))];
  await writeFile(landedListPath(folder), migrations.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join(''));
  return newFiles;
}

async function listFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
}

function isText(fault: string | null): fault is string {
  return fault !== null;
}

async function newMigration(supabaseFolder: string, name: string | undefined): Promise<string> {
  if (!name || !/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(name)) {
    throw new Error('Name the migration with a verb and an object: npm run new-migration -- create_case_studies');
  }
  const folder = join(supabaseFolder, 'migrations');
  const sql = await withDatabases((wanted, migrated) => findDifference(supabaseFolder, wanted, migrated));
  const file = `${nextVersion(await listFiles(folder), new Date())}_${name}.sql`;
  await writeFile(join(folder, file), sql || '-- supabase/schemas changes nothing.\n', { flag: 'wx' });
  return `supabase/migrations/${file}`;
}

/**
 * Returns the SQL that is missing in the migrations.
 * @param wanted an empty database, into which supabase/schemas is loaded
 * @param migrated an empty database, which is migrated
 */
export async function findDifference(supabaseFolder: string, wanted: Database, migrated: Database): Promise<string> {
  const folder = join(supabaseFolder, 'migrations');
  const sources = await schemaSql(supabaseFolder);
  await migrate(wanted, folder, (name) => !isMigration(name));
  await wanted.script(sources);
  await migrate(migrated, folder);
  return writeMigration(migrated, await describeSchema(wanted), sources);
}

async function withDatabases<T>(use: (first: Database, second: Database) => Promise<T>): Promise<T> {
  const databases: Database[] = [];
  try {
    const [first, second] = [await openTemporaryDatabase(), await openTemporaryDatabase()];
    databases.push(first, second);
    return await use(first, second);
  } finally {
    for (const database of databases) await database.close();
  }
}

/**
 * Replaces all migrations. Up-to-date databases are marked as being at the baseline. Older databases must start this
 * version once.
 */
export async function writeBaseline(supabaseFolder: string, version: string): Promise<string> {
  const folder = join(supabaseFolder, 'migrations');
  const previousFiles = await listFiles(folder);
  const sql = await schemaSql(supabaseFolder);
  const file = `${nextVersion([], new Date())}_baseline.sql`;
  const last = previousFiles.at(-1)?.slice(0, 14) ?? '';
  for (const name of previousFiles) await rm(join(folder, name));
  await writeFile(join(folder, file), `${last ? `${baselineHeader({ last, version })}\n` : ''}${sql}`);
  await writeFile(landedListPath(folder), '');
  await landMigrations(folder);
  return `supabase/migrations/${file}`;
}

async function run(command: string | undefined, name: string | undefined): Promise<string[]> {
  const supabaseFolder = join(import.meta.dirname, '../supabase');
  const folder = join(supabaseFolder, 'migrations');
  if (command === 'new') return [await newMigration(supabaseFolder, name)];
  if (command === 'land') return landMigrations(folder);
  if (command === 'baseline') {
    const [major, minor] = (await programVersion()).split('.');
    return [await writeBaseline(supabaseFolder, `${major}.${minor}`)];
  }
  const faults = await findMigrationFaults(folder, process.env['CI'] === 'true');
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return [];
}

if (import.meta.main) {
  const [command, name] = process.argv.slice(2);
  run(command, name).then(
    (lines) => {
      for (const line of lines) console.log(line);
    },
    (error: Error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
}
