/**
 * Migrations that landed, in supabase/landed-migrations.sha256: a line for each, as sha256sum writes them, in their order.
 * Databases have applied them, so none may change, and a later one must sort behind them all: otherwise a new database
 * would apply it in the middle, an old one at the end, and the two would differ for good.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from './refusal.ts';

export interface LandedMigration {
  file: string;
  sha256: string;
}

export function landedListOf(migrationsFolder: string): string {
  return join(migrationsFolder, '../landed-migrations.sha256');
}

/** Reads the list, in its order; empty where there is none. */
export async function readLanded(migrationsFolder: string): Promise<LandedMigration[]> {
  const list = await readFile(landedListOf(migrationsFolder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return [...list.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm)].map(([, sha256 = '', file = '']) => ({ file, sha256 }));
}

/**
 * @param files the names of all migrations
 * @throws Refusal for one that did not land and sorts before one that did
 */
export function requireOrder(files: readonly string[], landed: readonly LandedMigration[]): void {
  const last = landed.at(-1)?.file ?? '';
  const known = new Set(landed.map(({ file }) => file));
  const early = files.find((file) => file < last && !known.has(file));
  if (early === undefined) return;
  throw new Refusal(
    `supabase/migrations/${early} sorts before ${last}, which databases have applied: name it by the number that npm run new-migration gives.`,
  );
}

/** Returns the SHA-256 of a migration, as hexadecimal digits; line ends do not count. */
export function hashOfMigration(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}
