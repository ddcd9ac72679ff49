/** WAL archiving of the built-in server: Postgres copies each finished segment into a folder. */
import { lchown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.ts';

/** Name within the data folder, which is the only folder that the account of Postgres can always access. */
const FOLDER = 'archive';

/** Seconds until a segment with changes is archived, full or not. */
const TIMEOUT_S = 30;

/** `basic_archive` of Postgres copies to a temporary name, and never overwrites a file with different content. */
export const ARCHIVING = {
  archive_mode: 'on',
  archive_library: 'basic_archive',
  'basic_archive.archive_directory': FOLDER,
  archive_timeout: `${TIMEOUT_S}s`,
};

/** Returns the archive folder below a data folder. */
export function archiveFolder(folder: string): string {
  return join(folder, FOLDER);
}

/** Creates the folder for the account of Postgres if it is missing. */
export async function createArchive(folder: string, account: Account | null): Promise<void> {
  await mkdir(archiveFolder(folder), { recursive: true, mode: 0o700 });
  if (account) await lchown(archiveFolder(folder), account.uid, account.gid);
}
