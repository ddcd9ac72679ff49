/** Copies the folder of the embedded database while it is written to, as pg_basebackup copies that of a server. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Database } from '../database/database.ts';
import { errorCode } from '../database/errors.ts';
import type { BackupStore } from './backup-store.ts';
import { type Base, baseNames } from './chains.ts';
import { parsePosition, segmentStart } from './wal.ts';

/** Speed before size: it runs beside the server. */
const COMPRESSION_LEVEL = 1;

/** Folders whose content belongs to the running process, or is what the pieces of the log hold. */
const LEFT_OUT = /^(pg_wal|base\/pgsql_tmp|pg_stat_tmp|pg_dynshmem|pg_notify|pg_snapshots)\/|^postmaster\.pid$/;

export interface Copied {
  database: Database;
  /** Folder of the embedded database. */
  folder: string;
  /** Folder for the copy until it is stored. */
  staging: string;
}

/**
 * Stores a copy of the folder as a chain of its own. Postgres writes whole pages to its log meanwhile, so that pages that
 * were read half-way are put right when the log is replayed.
 */
export async function copyBase({ database, folder, staging }: Copied, store: BackupStore, id: string): Promise<Base> {
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true, mode: 0o700 });
  const zip = join(staging, 'base.zip');
  try {
    const started = await database.query<{ position: string; system: string }>(
      `select pg_backup_start('point in time', true)::text as position,
         (select system_identifier::text from pg_control_system()) as system`,
    );
    const isWritten = await zipFolder(folder, zip).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const ended = await database.query<{ position: string; label: string }>(
      'select lsn::text as position, labelfile as label from pg_backup_stop(false)',
    );
    if (isWritten) throw isWritten.error;
    const [start] = started.rows;
    const [end] = ended.rows;
    if (!start || !end) throw new Error('Postgres did not say where the copy begins and ends');
    const base: Base = {
      from: segmentStart(parsePosition(start.position)),
      whole: parsePosition(end.position),
      label: end.label,
      system: start.system,
    };
    const names = baseNames(id);
    await store.write(names.zip, { path: zip });
    await store.write(names.json, Buffer.from(JSON.stringify(base)));
    return base;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function zipFolder(folder: string, path: string): Promise<void> {
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }));
  const failed = new Promise<never>((_, reject) => zip.on('error', reject));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name);
    const name = relative(folder, source).replaceAll(sep, '/');
    if (LEFT_OUT.test(name)) continue;
    // Postgres does not make folders that it expects.
    if (entry.isDirectory()) zip.addEmptyDirectory(name);
    else {
      zip.addReadStreamLazy(name, { compressionLevel: COMPRESSION_LEVEL }, (hand) => {
        openToRead(source).then(
          (stream) => hand(null, stream),
          (error) => hand(error, Readable.from([])),
        );
      });
    }
  }
  zip.end();
  await Promise.race([written, failed]);
}

/** Opens a file; one that Postgres has removed meanwhile reads as empty, and the log knows that it went. */
async function openToRead(path: string): Promise<Readable> {
  try {
    const file = await open(path);
    return createReadStream('', { fd: file, highWaterMark: 256 * 1024 });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Readable.from([]);
    throw error;
  }
}
