/**
 * Parts that the commands of the command line share: the server's settings, its database, and refusals in one sentence.
 */
import { type Config, type Database, parseConfig, Refusal } from '@signalfjord/backend';
import { openExistingDatabase } from '@signalfjord/backend/commands';
import { SITE_OPTIONS } from '../server/options.ts';
import { explainStartError } from '../server/start-error.ts';

type Command = (database: Database, config: Config) => Promise<string>;

/**
 * Runs the command that `choose` makes of the arguments on the database that the server uses, through that server when
 * it is running, and prints what it returns; which database that is goes to stderr first. Nothing but the database is
 * opened. Ends with code 1 when either refuses or fails; a wrong argument does so before anything is opened.
 */
export async function runCommand(choose: () => Command | Promise<Command>): Promise<void> {
  await report(async () => {
    const command = await choose();
    return (config) => onDatabase(command, config);
  });
}

/** Prints what the work that `choose` makes of the arguments returns, or in one sentence why it refuses. */
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
    throw new Refusal('With SUPABASE_URL, accounts and keys are in that project: use its dashboard.');
  }
  const { database, name, close } = await openExistingDatabase(config);
  console.error(`${name}:`);
  try {
    return await command(database, config);
  } finally {
    await close();
  }
}
