import { access, chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Thrown when the folder of the embedded database does not open; `cause` is what PGlite said of it. */
export class DatabaseFolderError extends Error {
  constructor(folder: string, options: { cause: unknown }) {
    super(`The database in ${folder} cannot be opened`, options);
  }
}

/**
 * Makes the folder if there is none, and closes it to every other user of the machine. PGlite makes files that
 * everybody may read, the keys of the service among them, and the folder may have been made open to others.
 * @throws NodeJS.ErrnoException EPERM when it belongs to somebody else
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}

/** @throws Error when a file is missing without which PGlite would put an empty database over the one that is there */
export async function requireWholeFolder(folder: string): Promise<void> {
  if ((await exists(join(folder, 'global/pg_control'))) && !(await exists(join(folder, 'PG_VERSION')))) {
    throw new Error('PG_VERSION is missing');
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
