/** What the commands of the command line share: the server's settings, its database, and refusals in one sentence. */
import { mkdir } from 'node:fs/promises';
import { pino } from 'pino';
import { type Config, ConfigError, parseConfig } from '../backend/config.ts';
import { createBackend } from '../backend/create-backend.ts';
import type { Database } from '../backend/database/database.ts';
import { FolderLockedError } from '../backend/database/folder-lock.ts';

/** What the person did wrong, in words. */
export class Refusal extends Error {}

type Command = (database: Database, config: Config) => Promise<string>;

/**
 * Runs the command that `choose` makes of the arguments on the database that the server uses, and prints what it
 * returns. Ends with code 1 when either refuses or fails; a wrong argument does so before anything is opened.
 */
export async function runCommand(choose: () => Command): Promise<void> {
  try {
    console.log(await onDatabase(choose()));
  } catch (error) {
    console.error(explain(error) ?? error);
    process.exitCode = 1;
  }
}

async function onDatabase(command: Command): Promise<string> {
  const config = parseConfig(process.env);
  if (config.SUPABASE_URL) {
    throw new Refusal('With SUPABASE_URL, accounts and keys are in that project: use its dashboard.');
  }
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const backend = await createBackend(config, { log: pino({ level: 'silent' }) });
  try {
    return await command(backend.database, config);
  } finally {
    await backend.close();
  }
}

function explain(error: unknown): string | null {
  if (error instanceof FolderLockedError) {
    return 'The server is running on this data folder. Stop it, run this again, and start it.';
  }
  return error instanceof Refusal || error instanceof ConfigError ? error.message : null;
}
