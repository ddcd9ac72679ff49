import { readFile } from 'node:fs/promises';
import type { Database } from './database.ts';
import { messageOf } from './errors.ts';

/**
 * Writes the starter content, all of it or nothing.
 * @throws Error naming the file when a statement fails
 */
export async function seed(database: Database, file: string): Promise<void> {
  try {
    // A script sent at once is one transaction.
    await database.script(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${file} failed: ${messageOf(cause)}`, { cause });
  }
}
