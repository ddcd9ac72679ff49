/**
 * Parts that export and import share: the folder of the migrations, the version of this program, and their messages.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Moved } from '@signalfjord/backend/commands';

const ROOT = join(import.meta.dirname, '..');

export const MIGRATIONS_FOLDER = join(ROOT, 'supabase/migrations');

export async function programVersion(): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return version;
}

export function movedInWords({ tables, rows, files, bytes }: Moved): string {
  const number = (count: number) => count.toLocaleString('en-US');
  return `${number(tables)} tables with ${number(rows)} rows, and ${number(files)} files of ${number(bytes)} bytes`;
}
