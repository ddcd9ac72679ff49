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
 * Returns the account for a server whose data is below `dataFolder`, or null for the account of this process. If this
 * process runs as root, returns the owner of the folder, or the unprivileged uid 65534 if root owns it.
 * @param dataFolder an existing folder
 */
export async function accountFor(dataFolder: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = await stat(dataFolder);
  return uid === 0 ? UNPRIVILEGED : { uid, gid };
}

/** Makes the account the owner of a folder and its content, unless it already owns the folder. */
export async function changeFolderOwner(folder: string, account: Account): Promise<void> {
  if ((await stat(folder)).uid === account.uid) return;
  for (const name of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, name), account.uid, account.gid);
  }
  // Change the folder last, so that an interrupted run is repeated at the next start.
  await lchown(folder, account.uid, account.gid);
}

/** @throws OperatorError if an existing folder does not belong to the account of this process */
export function requireOwnFolder(folder: string, { uid }: Stats): void {
  const processUid = process.getuid?.();
  if (processUid === undefined || processUid === 0 || uid === processUid) return;
  throw new OperatorError(
    `The folder ${folder} belongs to another user (uid ${uid}). Start the server as that user, or change the owner of the folder to uid ${processUid}.`,
  );
}
