/** One run of the Postgres program on a data folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { platform } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { pathFor } from './data-folder.ts';
import { stopWithPgCtl } from './orphaned-server.ts';

/** Timeout of a fast shutdown in milliseconds. The server is then killed, and recovers at the next start. */
const SHUTDOWN_MS = 8_000;

/** Characters of the log that are kept to explain a failed start. */
const MAX_LOG_CHARACTERS = 4_000;

export interface PostgresOptions extends Pick<Binaries, 'postgres' | 'pgCtl'> {
  account: Account | null;
  settings: Record<string, string>;
  /** Called with each log line once Postgres accepts connections. */
  onLog?: (line: string) => void;
}

export interface PostgresProcess {
  pid: number;
  /** Resolves with a reason when the process has ended. */
  ended: Promise<string>;
  /** Ends all sessions, and stops the server (fast shutdown). */
  stop(): Promise<void>;
}

/** Thrown if Postgres ends before it accepts connections. The message is the reason from its log. */
export class PostgresStartError extends Error {}

/**
 * Starts Postgres in a data folder, and resolves when it accepts connections. It has its own process group, so that
 * Ctrl+C in a terminal reaches only the site, which then stops Postgres.
 * @throws PostgresStartError
 */
export async function startPostgres(
  folder: string,
  { postgres, pgCtl, account, settings, onLog }: PostgresOptions,
): Promise<PostgresProcess> {
  const options = ['-D', pathFor(folder, account)];
  for (const [name, value] of Object.entries(settings)) options.push('-c', `${name}=${value}`);
  const [program = postgres, ...prefix] = await commandLine(postgres);
  const child = spawn(program, [...prefix, ...options], {
    ...account,
    cwd: folder,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], LC_MESSAGES: 'C' },
  });
  const exit = waitForExit(child);
  await waitUntilReady(child, exit, onLog);
  return { pid: child.pid ?? 0, ended: exit, stop: () => stop(child, exit, () => stopWithPgCtl(folder, pgCtl)) };
}

/** Returns the command. On Linux with setpriv, it shuts Postgres down when this process ends. */
async function commandLine(postgres: string): Promise<string[]> {
  if (platform() !== 'linux') return [postgres];
  for (const setpriv of ['/usr/bin/setpriv', '/bin/setpriv']) {
    const exists = await access(setpriv).then(
      () => true,
      () => false,
    );
    if (exists) return [setpriv, '--pdeathsig', 'INT', postgres];
  }
  return [postgres];
}

function waitForExit(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  });
}

function waitUntilReady(child: ChildProcess, ended: Promise<string>, onLog?: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    let isReady = false;
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      if (isReady) {
        for (const line of chunk.trimEnd().split('\n')) onLog?.(line);
        return;
      }
      log = (log + chunk).slice(-MAX_LOG_CHARACTERS);
      isReady = /database system is ready to accept (read-only )?connections/.test(log);
      if (isReady) resolve();
    });
    // The log is complete when its pipe is closed.
    const closed = child.stderr ? once(child.stderr, 'close') : Promise.resolve();
    void Promise.all([ended, closed]).then(([reason]) => reject(new PostgresStartError(lastError(log) ?? reason)));
  });
}

/** Returns the last error message of a log. */
function lastError(log: string): string | undefined {
  const messages = [...log.matchAll(/(?:FATAL|PANIC|postgres: error): +(.+)/g)].map(([, message]) => message);
  return messages.at(-1);
}

async function stop(child: ChildProcess, ended: Promise<string>, stopOnWindows: () => Promise<void>): Promise<void> {
  if (platform() === 'win32') await stopOnWindows();
  else child.kill('SIGINT');
  const timeout = new AbortController();
  await Promise.race([
    ended,
    wait(SHUTDOWN_MS, undefined, { signal: timeout.signal }).then(
      () => child.kill('SIGQUIT'),
      () => undefined,
    ),
  ]);
  timeout.abort();
  await ended;
}
