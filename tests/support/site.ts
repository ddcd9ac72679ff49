import { type ChildProcess, spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseConfig } from '../../packages/backend/src/config.ts';
import type { SqlValue } from '../../packages/backend/src/database/database.ts';
import { openExistingDatabase } from '../../packages/backend/src/open-database.ts';
import { SERVER_ENVIRONMENT, SERVER_OPTIONS } from '../../scripts/server-process.mjs';
import { copyFolder } from './copy-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

const SECRET_KEY_FILE = 'secret-key';

/** The real server, running as a separate process on a free port. */
export interface SiteProcess {
  /** Origin, without a trailing slash. */
  url: string;
  dataFolder: string;
  /** Returns the output on stdout and stderr so far, as JSON lines. */
  output(): string;
  process: ChildProcess;
  /** Sends a signal (default SIGTERM) and waits until the process has ended. The data folder remains. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts server/main.ts on a free port and waits until it responds. Only PATH and HOME are inherited from the tests'
 * environment.
 * @param root folder of another, built version of the project
 * @param entry file to run, such as site-process.ts to allow program options
 * @throws Error with the output of the process if it ends
 */
export async function startSite(
  dataFolder: string,
  environment: Record<string, string> = {},
  {
    nodeOptions = [],
    root = ROOT,
    entry = 'server/main.ts',
  }: { nodeOptions?: readonly string[]; root?: string; entry?: string } = {},
): Promise<SiteProcess> {
  const child = spawn(process.execPath, [...SERVER_OPTIONS, ...nodeOptions, entry], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...SERVER_ENVIRONMENT,
      NODE_ENV: 'production',
      ...siteEnvironment(dataFolder, environment),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      output += chunk.toString();
      const origin = /Signalfjord is running at (https?:\/\/[\w.[\]:-]+:\d+)/.exec(output)?.[1];
      if (origin) resolve(origin);
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.once('exit', (code) => reject(new Error(`The server ended with code ${code}:\n${output}`)));
  });
  return {
    url,
    dataFolder,
    output: () => output,
    process: child,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
    },
  };
}

/** Returns the settings of a test site. By default it has a free port, an open gate and no rate limits. */
export function siteEnvironment(dataFolder: string, environment: Record<string, string>): Record<string, string> {
  return { PORT: '0', DATA_DIR: dataFolder, PREVIEW_GATE: 'off', RATE_LIMITS: 'off', ...environment };
}

/**
 * Starts a server once in an empty folder to create the database, and saves the secret key next to it. Creating a
 * database is slow, and copying one is fast.
 */
export async function prepareTemplate(
  folder: string,
  environment: Record<string, string>,
): Promise<{ secretKey: string }> {
  const site = await startSite(folder, environment);
  await site.stop();
  const secretKey = await readSecretKey(folder);
  await writeFile(join(folder, SECRET_KEY_FILE), secretKey);
  return { secretKey };
}

/** Environment variable with the folder for templates. The process that starts the others deletes the folder. */
export const TEMPLATES_VARIABLE = 'SIGNALFJORD_TEMPLATES';

/** Name of the subfolder with the database of a first start that was killed after its migrations. */
export const INTERRUPTED_START = 'begun';

/** Copies the database in `INTERRUPTED_START` to a data folder if the test run has prepared it, because migrating takes seconds. */
export async function prepareInterruptedStart(folder: string): Promise<void> {
  const source = join(process.env[TEMPLATES_VARIABLE] ?? '', INTERRUPTED_START);
  if (await access(source).then(...YES_OR_NO)) await copyFolder(source, join(folder, 'postgres'));
}

/** Template folders that this process has prepared or found, by STARTER_CONTENT. */
const preparedFolders = new Map<string, Promise<string>>();

/**
 * Creates a data folder in the state after a server's first start, and returns its secret API key. The first call per
 * variant takes as long as a server start, and later calls copy its result.
 */
export async function newDataFolder(starterContent: 'on' | 'off'): Promise<{ folder: string; secretKey: string }> {
  let template = preparedFolders.get(starterContent);
  if (!template) {
    template = templatesFolder().then((parent) => prepareOnce(parent, starterContent));
    preparedFolders.set(starterContent, template);
  }
  return copyTemplate(await template);
}

async function templatesFolder(): Promise<string> {
  return process.env[TEMPLATES_VARIABLE] ?? mkdtemp(join(tmpdir(), 'signalfjord-templates-'));
}

/** Prepares a data folder unless another process of the run has done so or is doing so. @returns its path */
async function prepareOnce(parent: string, starterContent: 'on' | 'off'): Promise<string> {
  const folder = join(parent, `site-${starterContent}`);
  const isPrepared = () => access(folder).then(...YES_OR_NO);
  while (!(await isPrepared())) {
    const unfinished = `${folder}-begun`;
    if (!(await mkdir(unfinished, 0o700).then(...YES_OR_NO))) {
      await wait(50);
      continue;
    }
    try {
      if (await isPrepared()) continue;
      await prepareInterruptedStart(unfinished);
      await prepareTemplate(unfinished, { STARTER_CONTENT: starterContent });
      await rename(unfinished, folder);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
  return folder;
}

const YES_OR_NO = [() => true, () => false] as const;

/** Copies a prepared data folder. @returns the copy and its secret API key */
export async function copyTemplate(template: string): Promise<{ folder: string; secretKey: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-site-'));
  await copyFolder(template, folder);
  return { folder, secretKey: await readFile(join(template, SECRET_KEY_FILE), 'utf8') };
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Reads the secret API key of a data folder. */
export async function readSecretKey(dataFolder: string): Promise<string> {
  const rows = await queryFolder<{ value: string }>(
    dataFolder,
    `select value from backend.secrets where name = 'secret_key'`,
  );
  return rows[0]?.value ?? '';
}

/** Kills the database server of a site with the built-in database. */
export async function killDatabase({ dataFolder }: SiteProcess): Promise<void> {
  const file = await readFile(join(dataFolder, 'postgres/postmaster.pid'), 'utf8');
  process.kill(Number.parseInt(file, 10), 'SIGKILL');
}

/** Kills a site and its database server at the same time. */
export async function killWithDatabase(site: SiteProcess): Promise<void> {
  // A suspended site cannot restart its database.
  site.process.kill('SIGSTOP');
  await killDatabase(site);
  await site.stop('SIGKILL');
}

/** Runs a statement on the database of a data folder, with or without a running server. */
export async function queryFolder<Row>(
  dataFolder: string,
  text: string,
  values: readonly SqlValue[] = [],
): Promise<Row[]> {
  const { database, close } = await openFolder(dataFolder);
  try {
    return (await database.query<Row>(text, values)).rows;
  } finally {
    await close();
  }
}

/** Opens the database of a data folder as a command does. */
export function openFolder(dataFolder: string) {
  return openExistingDatabase(parseConfig({ DATA_DIR: dataFolder }));
}
