/**
 * The order of migrations.
 *
 *   npm run new-migration -- create_something   makes an empty migration with the next free number
 *   npm run land-migrations                     writes down those that are finished, before they are shared
 *   node scripts/migrations.ts check            refuses what databases could not follow; part of npm run check
 */

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@signalfjord/backend';
import {
  hashOfMigration,
  type LandedMigration,
  landedListOf,
  readLanded,
  requireOrder,
} from '@signalfjord/backend/commands';

const MINUTE_MS = 60_000;

/** Returns the number of a new migration: the time, or a minute behind the last one if that is later. */
export function nextVersion(files: readonly string[], now: Date): string {
  const last =
    files
      .map((file) => file.slice(0, 14))
      .sort()
      .at(-1) ?? '';
  const version = asVersion(now);
  return version > last ? version : asVersion(new Date(asDate(last).getTime() + MINUTE_MS));
}

/** YYYYMMDDHHMM00 in UTC. */
function asVersion(time: Date): string {
  return `${time.toISOString().replace(/\D/g, '').slice(0, 12)}00`;
}

/** Reads a number as a date: its hours and minutes need not be those of a clock, and what is over counts on. */
function asDate(version: string): Date {
  const part = (start: number, end: number) => Number(version.slice(start, end));
  return new Date(Date.UTC(part(0, 4), part(4, 6) - 1, part(6, 8), part(8, 10), part(10, 12), part(12, 14)));
}

/**
 * Lists the faults of the migrations in a folder, in sentences.
 * @param mustHaveLanded true when a migration that is not in the list is a fault, as it is once it is shared
 */
export async function faultsOfMigrations(folder: string, mustHaveLanded: boolean): Promise<string[]> {
  const [files, landed] = await Promise.all([listFiles(folder), readLanded(folder)]);
  const faults = (await Promise.all(landed.map((migration) => faultOf(folder, files, migration)))).filter(isText);
  try {
    requireOrder(files, landed);
  } catch (error) {
    faults.push(messageOf(error));
  }
  const open = files.filter((file) => !landed.some((migration) => migration.file === file));
  if (mustHaveLanded && open.length > 0) {
    faults.push(`${open.join(' and ')} did not land: run npm run land-migrations, and commit what it writes.`);
  }
  return faults;
}

async function faultOf(folder: string, files: readonly string[], { file, sha256 }: LandedMigration) {
  if (!files.includes(file)) return `supabase/migrations/${file} landed and is gone: databases have applied it.`;
  const isSame = hashOfMigration(await readFile(join(folder, file), 'utf8')) === sha256;
  return isSame
    ? null
    : `supabase/migrations/${file} landed and was edited: take the edit back, and change what it made in a new migration.`;
}

/** Adds those that are not in the list to its end. @throws Error with the faults that there are before */
export async function landMigrations(folder: string): Promise<string[]> {
  const faults = await faultsOfMigrations(folder, false);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const landed = await readLanded(folder);
  const added = (await listFiles(folder)).slice(landed.length);
  const hashed = added.map(async (file) => ({
    file,
    sha256: hashOfMigration(await readFile(join(folder, file), 'utf8')),
  }));
  const all = [...landed, ...(await Promise.all(hashed))];
  await writeFile(landedListOf(folder), all.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join(''));
  return added;
}

async function listFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
}

function isText(fault: string | null): fault is string {
  return fault !== null;
}

async function newMigration(folder: string, name: string | undefined): Promise<string> {
  if (!name || !/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(name)) {
    throw new Error('Name the migration by a verb and its object: npm run new-migration -- create_case_studies');
  }
  const file = `${nextVersion(await listFiles(folder), new Date())}_${name}.sql`;
  await writeFile(join(folder, file), '', { flag: 'wx' });
  return `supabase/migrations/${file}`;
}

async function run(command: string | undefined, name: string | undefined): Promise<string[]> {
  const folder = join(import.meta.dirname, '../supabase/migrations');
  if (command === 'new') return [await newMigration(folder, name)];
  if (command === 'land') return landMigrations(folder);
  const faults = await faultsOfMigrations(folder, process.env['CI'] === 'true');
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
