/**
 * The address of the built-in server: a socket in its data folder, which only the owner of the folder can enter. On
 * Windows, where Node cannot open Unix sockets, the server listens on loopback with a random port and password.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { lchown, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { platform } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../database/errors.ts';
import type { Account } from './account.ts';

export type Transport = 'socket' | 'loopback';

export const DEFAULT_TRANSPORT: Transport = platform() === 'win32' ? 'loopback' : 'socket';

export const SUPERUSER = 'postgres';

const LOOPBACK = '127.0.0.1';

/** File in the data folder of a server that listens on loopback. */
const PASSWORD_FILE = 'superuser-password';

/** Index of the line with the port in postmaster.pid. */
const PORT_LINE = 3;

/**
 * Password of a new server on loopback. It is first written outside the data folder, which must be empty for initdb.
 */
export class NewPassword {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** @param folder future data folder. The file is written next to it */
  static async create(folder: string, account: Account | null): Promise<NewPassword> {
    const file = `${folder}.password`;
    await writeFile(file, randomBytes(24).toString('hex'), { mode: 0o600 });
    if (account) await lchown(file, account.uid, account.gid);
    return new NewPassword(file);
  }

  get initdbOptions(): string[] {
    return ['--auth=scram-sha-256', `--pwfile=${this.#file}`];
  }

  moveInto(folder: string): Promise<void> {
    return rename(this.#file, join(folder, PASSWORD_FILE));
  }
}

/** Returns whether the server of an existing data folder uses a socket or loopback. */
export async function detectTransport(folder: string): Promise<Transport> {
  return (await readPassword(folder)) === null ? 'socket' : 'loopback';
}

/** Returns the address settings for one start. @param socketFolder the data folder's path as Postgres sees it */
export async function addressSettings(transport: Transport, socketFolder: string): Promise<Record<string, string>> {
  if (transport === 'socket') return { listen_addresses: '', unix_socket_directories: socketFolder };
  return { listen_addresses: LOOPBACK, port: String(await freePort()), unix_socket_directories: '' };
}

/**
 * Returns the URL of the server that is running on a data folder. @throws Error if no server is running there on
 * loopback
 */
export async function serverUrl(folder: string): Promise<string> {
  const password = await readPassword(folder);
  if (password === null) return `postgres://${SUPERUSER}@localhost/postgres?host=${encodeURIComponent(folder)}`;
  const port = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[PORT_LINE];
  return `postgres://${SUPERUSER}:${password}@${LOOPBACK}:${port}/postgres`;
}

async function readPassword(folder: string): Promise<string | null> {
  return readFile(join(folder, PASSWORD_FILE), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, LOOPBACK);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port found');
  return address.port;
}
