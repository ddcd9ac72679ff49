import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** Thrown when the folder of the embedded database does not open; `cause` is what PGlite said of it. */
export class DatabaseFolderError extends Error {
  constructor(folder: string, options: { cause: unknown }) {
    super(`The database in ${folder} cannot be opened`, options);
  }
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
