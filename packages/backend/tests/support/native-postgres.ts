/** A separate Postgres server for a test, on a loopback port. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accountFor } from '../../src/postgres/account.ts';
import { findBinaries } from '../../src/postgres/binaries.ts';
import { type PostgresProcess, startPostgres } from '../../src/postgres/postgres-process.ts';

export interface NativePostgres {
  /** URL of the database `postgres`, as the superuser. */
  url: string;
  /** Data folder. The path that the server itself reports can only be opened by its process. */
  data: string;
  /** Shuts the server down as for a restart, and keeps its data. */
  halt(): Promise<void>;
  /** Starts the server again, at the same address. */
  resume(): Promise<void>;
  /** Starts a standby of this server. This server is restarted after its data is copied. */
  startStandby(): Promise<Standby>;
  /** Stops the server, and deletes its data. */
  stop(): Promise<void>;
}

export interface Standby {
  url: string;
  stop(): Promise<void>;
}

interface NativeOptions {
  /** Folder that will contain the data. */
  parent?: string;
  /** True if commits are flushed to the WAL, as in production. */
  keepsCommits?: boolean;
}

/**
 * Starts an empty server on a free loopback port. The server is not durable, and its data is deleted when it is
 * stopped.
 */
export async function startNativePostgres(
  superuser = 'postgres',
  { parent = tmpdir(), keepsCommits = false }: NativeOptions = {},
): Promise<NativePostgres> {
  const folder = await mkdtemp(join(parent, 'signalfjord-postgres-'));
  const account = await accountFor(folder);
  const { initdb, postgres, pgCtl } = await findBinaries(account);
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  if (account) for (const path of [folder, data]) await chown(path, account.uid, account.gid);
  const options = ['-D', data, `--username=${superuser}`, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await promisify(execFile)(initdb, options, { ...account, cwd: folder });
  const port = await freePort();
  const urlFor = (serverPort: number) => `postgres://${superuser}@127.0.0.1:${serverPort}/postgres`;
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: keepsCommits ? 'on' : 'off',
    max_connections: '200',
  };
  const start = (dataFolder = data, serverPort = port, extra: Record<string, string> = {}) =>
    startPostgres(dataFolder, { postgres, pgCtl, account, settings: { ...settings, port: `${serverPort}`, ...extra } });
  let server: PostgresProcess = await start();
  const halt = () => server.stop();
  return {
    url: urlFor(port),
    data,
    halt,
    async resume() {
      server = await start();
    },
    async startStandby() {
      const copy = join(folder, 'standby');
      await halt();
      // Runs as the account, so that the copied files belong to it.
      await promisify(execFile)('cp', ['-a', data, copy], { ...account });
      await promisify(execFile)('touch', [join(copy, 'standby.signal')], { ...account });
      server = await start();
      const standbyPort = await freePort();
      const standby = await start(copy, standbyPort, {
        primary_conninfo: `host=127.0.0.1 port=${port} user=${superuser}`,
      });
      return { url: urlFor(standbyPort), stop: () => standby.stop() };
    },
    async stop() {
      await halt();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port found');
  return address.port;
}
