import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPgliteDatabase } from '../../backend/database/pglite-database.ts';
import { SERVER_ENVIRONMENT, SERVER_OPTIONS } from '../../scripts/server-process.mjs';

const ROOT = join(import.meta.dirname, '../..');

/** The real server, running as a process of its own on a free port. */
export interface SiteProcess {
  /** Origin, without a trailing slash. */
  url: string;
  dataFolder: string;
  /** What it has written to stdout and stderr so far: JSON lines. */
  output(): string;
  process: ChildProcess;
  /** Ends it (SIGTERM by default) and waits until it is gone. The data folder stays. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts server/main.ts on a free port and waits until it answers. Nothing is inherited from the environment of the
 * tests but PATH and HOME.
 * @throws Error with the output of the process when it ends instead
 */
export async function startSite(dataFolder: string, environment: Record<string, string> = {}): Promise<SiteProcess> {
  const child = spawn(process.execPath, [...SERVER_OPTIONS, 'server/main.ts'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...SERVER_ENVIRONMENT,
      NODE_ENV: 'production',
      PORT: '0',
      DATA_DIR: dataFolder,
      PREVIEW_GATE: 'off',
      RATE_LIMITS: 'off',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /Signalfjord is at (https?:\/\/[\w.[\]:-]+:\d+)/.exec(output)?.[1];
      if (address) resolve(address);
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
      await gone;
    },
  };
}

/** A fresh copy of a data folder that global setup prepared, with or without the starter content. */
export async function copyTemplate(template: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-site-'));
  await cp(template, folder, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  return folder;
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** The secret API key of a data folder whose server has stopped. */
export async function readSecretKey(dataFolder: string): Promise<string> {
  const database = await openPgliteDatabase({ folder: join(dataFolder, 'postgres') });
  const { rows } = await database.query<{ value: string }>(
    `select value from backend.secrets where name = 'secret_key'`,
  );
  await database.close();
  return rows[0]?.value ?? '';
}
