/** Shared by export and import: migration folder, program version and messages. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Queryable } from '@signalfjord/backend';
import type { ArchiveSummary } from '@signalfjord/backend/commands';

const ROOT = join(import.meta.dirname, '..');

export const MIGRATIONS_FOLDER = join(ROOT, 'supabase/migrations');

/** Lists the content tables. An import needs all of them to be empty. */
export async function listContentTables(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select format('public.%I', table_name) as name from private.content_kinds`,
  );
  return rows.map(({ name }) => name);
}

export async function programVersion(): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return version;
}

export function formatSummary({ tables, rows, files, bytes }: ArchiveSummary): string {
  const number = (count: number) => count.toLocaleString('en-US');
  return `${number(tables)} tables with ${number(rows)} rows, and ${number(files)} files of ${number(bytes)} bytes`;
}
