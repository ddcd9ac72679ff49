/** Stores base backups of the built-in database as ZIP files. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { errorCode } from '../database/errors.ts';
import type { BackupStore } from './backup-store.ts';
import { type Base, baseNames } from './chains.ts';
import { copyWhileRunning, listToCopy } from './copy-folder.ts';

/** Fast compression, because it runs alongside the server. */
const COMPRESSION_LEVEL = 1;

/**
 * Stores a base backup for a new chain.
 * @param folder data folder of the running built-in server
 * @param staging folder for the copy until it is stored
 */
export async function copyBase(
  { folder, staging }: { folder: string; staging: string },
  store: BackupStore,
  id: string,
): Promise<Base> {
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true, mode: 0o700 });
  const zip = join(staging, 'base.zip');
  try {
    const base = await copyWhileRunning(folder, () => zipFolder(folder, zip));
    await store.write(baseNames(id).zip, { path: zip });
    return base;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function zipFolder(folder: string, path: string): Promise<void> {
  const zip = new ZipFile();
  const output = pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }));
  const failure = new Promise<never>((_, reject) => zip.on('error', reject));
  for (const { name, path: source, isFolder } of await listToCopy(folder)) {
    if (isFolder) zip.addEmptyDirectory(name);
    else {
      zip.addReadStreamLazy(name, { compressionLevel: COMPRESSION_LEVEL }, (callback) => {
        openToRead(source).then(
          (stream) => callback(null, stream),
          (error) => callback(error, Readable.from([])),
        );
      });
    }
  }
  zip.end();
  await Promise.race([output, failure]);
}

/** Opens a file. If Postgres has deleted it, reads it as empty. The WAL replay deletes it again. */
async function openToRead(path: string): Promise<Readable> {
  try {
    const file = await open(path);
    return createReadStream('', { fd: file, highWaterMark: 256 * 1024 });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Readable.from([]);
    throw error;
  }
}
