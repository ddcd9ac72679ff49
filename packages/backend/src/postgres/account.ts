/** The operating system account that runs Postgres, because Postgres refuses to run as root. */
import type { Stats } from 'node:fs';
import { lchown, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../database/operator-error.ts';

export interface Account {
  uid: number;
  gid: number;
}

/** The unprivileged account of every Unix. */
const UNPRIVILEGED: Account = { uid: 65_534, gid: 65_534 };

/**
 * Returns the account for a server whose data is below this folder, or null for the account of this process. If this
 * process runs as root, it is the owner of the folder, or the unprivileged uid 65534 if that is root.
 * @param dataFolder exists
 */
export async function accountFor(dataFolder: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = await stat(dataFolder);
  return uid === 0 ? UNPRIVILEGED : { uid, gid };
}

/** Changes the owner of a folder and its content to the account, unless it owns the folder already. */
export async function changeFolderOwner(folder: string, account: Account): Promise<void> {
  if ((await stat(folder)).uid === account.uid) return;
  for (const name of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, name), account.uid, account.gid);
  }
  // Last, so that an interrupted run is repeated at the next start.
  await lchown(folder, account.uid, account.gid);
}

/** @throws OperatorError if an existing folder belongs to another account than that of this process */
export function requireOwnFolder(folder: string, { uid }: Stats): void {
  const own = process.getuid?.();
  if (own === undefined || own === 0 || uid === own) return;
  throw new OperatorError(
    `The folder ${folder} belongs to another user (uid ${uid}). Start the server as that user, or change the owner of the folder to uid ${own}.`,
  );
}
