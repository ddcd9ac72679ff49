/** The data folder of the built-in Postgres server: checks before a start, and creation. */
import { execFile } from 'node:child_process';
import { chmod, lchown, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../database/errors.ts';
import { OperatorError } from '../database/operator-error.ts';
import { type Account, changeFolderOwner, requireOwnFolder } from './account.ts';
import type { Binaries } from './binaries.ts';
import { DEFAULT_TRANSPORT, NewPassword, SUPERUSER, type Transport } from './server-address.ts';

/** Major version of the bundled Postgres, as in PG_VERSION. */
const POSTGRES_VERSION = '18';

/** Size of a WAL segment. */
export const WAL_SEGMENT_BYTES = 4 * 1024 * 1024;

/** Maximum length of a Unix socket path in bytes, without the terminating zero. */
const MAX_SOCKET_PATH = platform() === 'linux' ? 107 : 103;

const SOCKET_NAME = '.s.PGSQL.5432';

/** Thrown if the data folder cannot be opened. `cause` is the error reported by Postgres. */
export class DatabaseFolderError extends Error {
  constructor(folder: string, options: { cause: unknown }) {
    super(`The database in ${folder} cannot be opened`, options);
  }
}

/**
 * Checks a data folder without changing it.
 * @returns whether it contains a database
 * @throws OperatorError, DatabaseFolderError
 */
export async function checkFolder(folder: string): Promise<boolean> {
  requireShortPath(folder);
  const stats = await stat(folder).catch(nullIfMissing);
  if (!stats) return false;
  requireOwnFolder(folder, stats);
  if ((await readdir(folder)).length === 0) return false;
  const version = (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(nullIfMissing))?.trim();
  if (version === undefined) throw new DatabaseFolderError(folder, { cause: new Error('PG_VERSION is missing') });
  if (version !== POSTGRES_VERSION) {
    throw new OperatorError(
      `${folder} contains data of Postgres ${version}, but this version needs Postgres ${POSTGRES_VERSION}. Run \`npm run export\` with the version that wrote it, and \`npm run import\` with this version and another DATA_DIR.`,
    );
  }
  await requireNativeData(folder);
  return true;
}

function requireShortPath(folder: string): void {
  if (DEFAULT_TRANSPORT !== 'socket') return;
  const length = Buffer.byteLength(join(folder, SOCKET_NAME));
  if (length <= MAX_SOCKET_PATH) return;
  throw new OperatorError(
    `The path of DATA_DIR is ${length - MAX_SOCKET_PATH} bytes too long for the Unix socket of the database. Set DATA_DIR to a shorter path.`,
  );
}

/**
 * Rejects data of version 0.1, whose Postgres was built for 32 bits and so does not pass float8 by value. In pg_control,
 * that flag follows the float format marker and eight 32-bit numbers.
 */
async function requireNativeData(folder: string): Promise<void> {
  const control = await readFile(join(folder, 'global/pg_control')).catch((cause: unknown) => {
    throw new DatabaseFolderError(folder, { cause });
  });
  const marker = Buffer.alloc(8);
  marker.writeDoubleLE(1_234_567);
  const position = control.indexOf(marker);
  const isByValue = position < 0 ? undefined : control[position + marker.length + 8 * 4];
  if (isByValue === undefined) throw new DatabaseFolderError(folder, { cause: new Error('pg_control is unreadable') });
  if (isByValue === 1) return;
  throw new OperatorError(
    `${folder} contains a database of version 0.1, which this version cannot open. Run \`npm run export -- site.zip\` with the last 0.1, then \`npm run import -- site.zip\` with this version and another DATA_DIR.`,
  );
}

/** Restricts a data folder to its owner, and makes the account the owner. Postgres requires both. */
export async function prepareFolder(folder: string, account: Account | null): Promise<void> {
  await chmod(folder, 0o700);
  if (account) await changeFolderOwner(folder, account);
}

interface NewDatabase {
  account: Account | null;
  isDurable: boolean;
  transport: Transport;
}

/**
 * Creates the database. It is created in a neighbouring folder and renamed at the end, so that an interrupted start
 * leaves no partial database.
 * @throws DatabaseFolderError with the error of initdb, OperatorError for an unknown account
 */
export async function createDatabase(
  folder: string,
  { initdb, account, isDurable, transport }: Pick<Binaries, 'initdb'> & NewDatabase,
): Promise<void> {
  const partialFolder = `${folder}.new`;
  await rm(partialFolder, { recursive: true, force: true });
  await mkdir(partialFolder, { recursive: true, mode: 0o700 });
  if (account) await lchown(partialFolder, account.uid, account.gid);
  try {
    const password = transport === 'loopback' ? await NewPassword.create(folder, account) : null;
    const options = [
      ...initdbOptions(pathFor(partialFolder, account)),
      // Connections need no password, because only the owner and root can enter the folder of the socket.
      ...(password?.initdbOptions ?? ['--auth=trust']),
      ...(isDurable ? [] : ['--no-sync']),
    ];
    await promisify(execFile)(initdb, options, { ...account, cwd: partialFolder });
    await password?.moveInto(partialFolder);
    // An empty folder may already exist, such as a mounted volume.
    await rm(folder, { recursive: true, force: true });
    await rename(partialFolder, folder);
  } catch (error) {
    await rm(partialFolder, { recursive: true, force: true });
    throw initdbFailure(folder, error);
  }
}

/** Locales that recognise all Unicode letters, by platform. */
const LETTER_LOCALES = new Map<string, string>([
  ['linux', 'C.UTF-8'],
  ['darwin', 'UTF-8'],
]);

function initdbOptions(data: string): string[] {
  return [
    `--pgdata=${data}`,
    `--username=${SUPERUSER}`,
    '--encoding=UTF8',
    // Sorts by code point and recognises all Unicode letters, identically on every system.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // The full-text search parser uses the letters of the operating system.
    `--lc-ctype=${LETTER_LOCALES.get(platform()) ?? 'C'}`,
    '--data-checksums',
    // Small segments, because disk usage and backups matter more than the number of files.
    `--wal-segsize=${WAL_SEGMENT_BYTES / 1024 / 1024}`,
  ];
}

function initdbFailure(folder: string, error: unknown): Error {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const unknownUser = /could not look up effective user ID (\d+)/.exec(output)?.[1];
  if (unknownUser) {
    return new OperatorError(
      `Postgres cannot run as uid ${unknownUser}, which has no account on this system. Use a uid with an account, or set DATABASE_URL to your own Postgres server.`,
    );
  }
  const reason = /^(?:initdb: error: |.*(?:FATAL|PANIC|ERROR): +)(.+)$/m.exec(output)?.[1];
  return new DatabaseFolderError(folder, { cause: new Error(reason ?? String(error), { cause: error }) });
}

/**
 * Returns the path of the data folder for Postgres, which is also its working directory. Another account may not be
 * allowed to enter the parent folders, such as /root, but can follow the link in /proc.
 */
export function pathFor(folder: string, account: Account | null): string {
  return account && platform() === 'linux' ? '/proc/self/cwd' : folder;
}

function nullIfMissing(error: unknown): null {
  if (errorCode(error) !== 'ENOENT') throw error;
  return null;
}
