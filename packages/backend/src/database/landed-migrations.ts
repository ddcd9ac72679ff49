/**
 * Frozen migrations, listed in supabase/landed-migrations.sha256 in the format of sha256sum. Databases have applied
 * these migrations. If one is edited, or a new one sorts before them, old and new databases get different schemas.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from './operator-error.ts';

export interface LandedMigration {
  file: string;
  sha256: string;
}

export function landedListPath(migrationsFolder: string): string {
  return join(migrationsFolder, '../landed-migrations.sha256');
}

/** Reads the list in order. It is empty if the file is missing. */
export async function readLanded(migrationsFolder: string): Promise<LandedMigration[]> {
  const list = await readFile(landedListPath(migrationsFolder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return [...list.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm)].map(([, sha256 = '', file = '']) => ({ file, sha256 }));
}

/**
 * @param files the names of all migrations
 * @throws OperatorError if a new migration sorts before a frozen one
 */
export function requireOrder(files: readonly string[], landed: readonly LandedMigration[]): void {
  const last = landed.at(-1)?.file ?? '';
  const frozen = new Set(landed.map(({ file }) => file));
  const misplaced = files.find((file) => file < last && !frozen.has(file));
  if (misplaced === undefined) return;
  throw new OperatorError(
    `supabase/migrations/${misplaced} sorts before ${last}, which databases have already applied. Give it the version number that npm run new-migration generates.`,
  );
}

/** The migrations before a baseline. */
export interface ReplacedMigrations {
  /** Version of the last migration. */
  last: string;
  /** Version of the program that contains all of them. */
  version: string;
}

/** Returns the first line of a baseline. */
export function baselineHeader({ last, version }: ReplacedMigrations): string {
  return `-- Replaces the migrations up to ${last}, the last of version ${version}.`;
}

/** Parses the first line of a baseline. Returns null for other files. */
export function parseHeader(sql: string): ReplacedMigrations | null {
  const [, last, version] = /^-- Replaces the migrations up to (\d{14}), the last of version (\S+)\.$/m.exec(sql) ?? [];
  return last && version ? { last, version } : null;
}

/** Returns the SHA-256 of a migration in hexadecimal, ignoring line endings. */
export function hashMigration(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}
