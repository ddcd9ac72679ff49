/** Shared by the command-line tools: settings, database and error output. */
import { type Config, type Database, OperatorError, parseConfig } from '@signalfjord/backend';
import { openExistingDatabase } from '@signalfjord/backend/commands';
import { SITE_OPTIONS } from '../server/options.ts';
import { explainStartError } from '../server/start-error.ts';

type Command = (database: Database, config: Config) => Promise<string>;

/**
 * Runs a command on the database of the server, through the server if it is running, and prints the result. The
 * database name is printed to stderr first. Exits with code 1 on failure. Invalid arguments fail before the database is
 * opened.
 */
export async function runCommand(choose: () => Command | Promise<Command>): Promise<void> {
  await report(async () => {
    const command = await choose();
    return (config) => onDatabase(command, config);
  });
}

/** Runs the function that `choose` returns, and prints its result or the message of an OperatorError. */
export async function report(choose: () => Promise<(config: Config) => Promise<string>>): Promise<void> {
  let config: Config | null = null;
  try {
    const work = await choose();
    config = parseConfig(process.env, SITE_OPTIONS);
    console.log(await work(config));
  } catch (error) {
    console.error((await explainStartError(error, config)) ?? error);
    process.exitCode = 1;
  }
}

async function onDatabase(command: Command, config: Config): Promise<string> {
  if (config.SUPABASE_URL) {
    throw new OperatorError('With SUPABASE_URL, accounts and keys are in that project: use its dashboard.');
  }
  const { database, name, close } = await openExistingDatabase(config);
  console.error(`${name}:`);
  try {
    return await command(database, config);
  } finally {
    await close();
  }
}
