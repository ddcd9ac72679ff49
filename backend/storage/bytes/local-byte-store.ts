/** Bytes as files of one folder, spread over 256 sub-folders. */
import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { noSuchKey } from '../storage-error.ts';
import type { ByteStore } from './byte-store.ts';

export function openLocalByteStore(folder: string): ByteStore {
  const pathOf = (key: string) => join(folder, key.slice(0, 2), key);

  return {
    async put(key, file) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(file.path, path);
      await syncFolder(dirname(path));
    },

    async copy(from, to) {
      const path = pathOf(to);
      const temporary = `${path}.part`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        await copyFile(pathOf(from), temporary, constants.COPYFILE_FICLONE);
        await syncFile(temporary);
        await rename(temporary, path);
        await syncFolder(dirname(path));
      } catch (error) {
        await rm(temporary, { force: true });
        throw isMissing(error) ? noSuchKey(error) : error;
      }
    },

    async read(key, range) {
      const handle = await open(pathOf(key)).catch((error: unknown) => {
        throw isMissing(error) ? noSuchKey(error) : error;
      });
      return createReadStream('', { fd: handle, ...range, highWaterMark: 256 * 1024 });
    },

    async remove(keys) {
      await Promise.all(keys.map((key) => rm(pathOf(key), { force: true })));
    },

    async *list() {
      for (const shard of await readdir(folder).catch(() => [])) {
        for (const key of await readdir(join(folder, shard))) {
          const found = await stat(join(folder, shard, key)).catch(() => undefined);
          if (found?.isFile()) yield { key, writtenAt: found.mtime };
        }
      }
    },
  };
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.sync().finally(() => handle.close());
}

/** A rename survives a power cut only once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
