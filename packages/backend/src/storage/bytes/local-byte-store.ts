/** Stores bytes as files in 256 subfolders of a folder. */
import { constants, createReadStream } from 'node:fs';
import { access, copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../../database/errors.ts';
import { noSuchKey } from '../storage-error.ts';
import { type ByteStore, isByteKey } from './byte-store.ts';

export function openLocalByteStore(folder: string): ByteStore {
  // A key from a row that another program wrote could be a path outside the folder.
  const filePath = (key: string) => {
    if (!isByteKey(key)) throw noSuchKey();
    return join(folder, key.slice(0, 2), key);
  };

  return {
    async put(key, file) {
      const path = filePath(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(file.path, path);
      await sync(dirname(path));
    },

    async copy(from, to) {
      const path = filePath(to);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await copyFile(filePath(from), path, constants.COPYFILE_FICLONE).catch(rethrowMissing);
      await sync(path);
      await sync(dirname(path));
    },

    async read(key, range) {
      const file = await open(filePath(key)).catch(rethrowMissing);
      return createReadStream('', { fd: file, ...range, highWaterMark: 256 * 1024 });
    },

    async remove(keys) {
      await Promise.all(keys.filter(isByteKey).map((key) => rm(filePath(key), { force: true })));
    },

    async isAvailable() {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Syncs a path. A new file survives a power failure only if it and its folder are synced. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

function rethrowMissing(error: unknown): never {
  throw errorCode(error) === 'ENOENT' ? noSuchKey(error) : error;
}
