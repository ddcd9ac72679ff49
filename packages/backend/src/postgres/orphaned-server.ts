/** A Postgres server whose parent process ended without stopping it. */
import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const POLL_INTERVAL_MS = 20;

/** Timeout of a fast shutdown in milliseconds. The server is then killed, and recovers at the next start. */
const SHUTDOWN_MS = 10_000;

/**
 * Stops a server that is still running on a data folder, and waits until it has ended. The caller holds the lock of the
 * folder, so no other process owns the server.
 */
export async function stopOrphanedServer(folder: string, pgCtl: string): Promise<void> {
  if (platform() === 'win32') return stopWithPgCtl(folder, pgCtl);
  const file = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(file, 10);
  // After a crash, the file can contain the id of an unrelated process.
  if (!(pid > 0) || !(await isServerProcess(pid, folder))) return;
  process.kill(pid, 'SIGINT');
  const deadline = performance.now() + SHUTDOWN_MS;
  let isForced = false;
  while (isAlive(pid)) {
    if (!isForced && performance.now() > deadline) {
      isForced = true;
      process.kill(pid, 'SIGQUIT');
    }
    await wait(POLL_INTERVAL_MS);
  }
}

/** Stops the server with pg_ctl, because a signal would kill it on Windows. Does nothing if no server is running. */
export async function stopWithPgCtl(folder: string, pgCtl: string): Promise<void> {
  const options = ['stop', '-D', folder, '-m', 'fast', '-t', String(SHUTDOWN_MS / 1000)];
  await promisify(execFile)(pgCtl, options).catch(() => undefined);
}

async function isServerProcess(pid: number, folder: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (platform() === 'linux') {
    const workingFolder = await realpath(`/proc/${pid}/cwd`).catch(() => null);
    return workingFolder === (await realpath(folder));
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.includes(`-D ${folder}`);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
