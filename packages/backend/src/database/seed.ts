import { readFile } from 'node:fs/promises';
import type { Database } from './database.ts';
import { messageOf } from './errors.ts';

/**
 * Inserts the starter content in one transaction.
 * @throws Error naming the file if a statement fails
 */
export async function seed(database: Database, file: string): Promise<void> {
  try {
    // A script is one transaction.
    await database.script(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${file} failed: ${messageOf(cause)}`, { cause });
  }
}
