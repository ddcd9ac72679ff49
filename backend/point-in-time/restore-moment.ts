/** Brings back the database and the files of a moment from what a server kept in a second place. */
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { lockFolder } from '../database/folder-lock.ts';
import { openPostgresDatabase } from '../database/postgres-database.ts';
import { Refusal } from '../database/refusal.ts';
import { startBuiltInServer } from '../postgres/built-in-server.ts';
import { type ByteStore, hasBytes } from '../storage/bytes/byte-store.ts';
import { discardStagedFile, stageFile } from '../storage/bytes/staged-file.ts';
import type { BackupStore } from './backup-store.ts';
import { baseNames, beginningOf, type Chain, FILES, newestChain, piecesUntil, readPiece } from './chains.ts';
import { listCopies } from './copy-files.ts';
import { LOG_FOLDERS } from './copy-folder.ts';
import { writeLog } from './wal.ts';

export interface Restored {
  /** Moment up to which everything is there; at most as late as was asked for. */
  at: Date;
  /** Folder of the database that was there before; null where there was none. */
  before: string | null;
  /** Files whose bytes were not there any more. */
  files: number;
}

interface Home {
  /** DATA_DIR. */
  dataFolder: string;
  /** Null when files are in an object store. */
  bytes: ByteStore | null;
}

/**
 * Puts the database of a moment in the place of the one that is there, which is kept beside it, and adds the files that
 * are missing. Nothing is changed before the database has opened.
 * @throws Refusal, FolderLockedError while a server runs on the folder
 */
export async function restoreMoment(store: BackupStore, { dataFolder, bytes }: Home, moment: Date): Promise<Restored> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const release = await lockFolder(dataFolder);
  const staging = join(dataFolder, 'restoring');
  try {
    await rm(staging, { recursive: true, force: true });
    const chain = await findChain(store, moment);
    const folder = join(staging, 'postgres');
    await unpackBase(store, chain, staging, folder);
    const at = await replayLog(store, chain, folder, moment);
    await requireSite(folder);
    const files = bytes ? await addMissingFiles(store, bytes, staging) : 0;
    return { at, before: await putInPlace(folder, dataFolder), files };
  } finally {
    await rm(staging, { recursive: true, force: true });
    await release();
  }
}

async function findChain(store: BackupStore, moment: Date): Promise<Chain> {
  let latest = moment;
  for (;;) {
    const chain = await newestChain(store, latest);
    if (!chain) {
      const beginning = await findBeginning(store);
      throw new Refusal(
        beginning
          ? `Nothing of ${moment.toISOString()} is kept: the first moment that can be brought back is ${beginning.toISOString()}.`
          : 'BACKUP_URL holds no copy of a database.',
      );
    }
    const beginning = beginningOf(chain);
    if (beginning && beginning <= moment) return chain;
    latest = new Date(chain.begun - 1);
  }
}

async function findBeginning(store: BackupStore): Promise<Date | null> {
  let first: Date | null = null;
  for (let latest = new Date(); ; ) {
    const chain = await newestChain(store, latest);
    if (!chain) return first;
    first = beginningOf(chain) ?? first;
    latest = new Date(chain.begun - 1);
  }
}

async function unpackBase(store: BackupStore, { id, base }: Chain, staging: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(staging, 'base.zip');
  await pipeline(await store.read(baseNames(id).zip), createWriteStream(path, { mode: 0o600 }));
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true, strictFileNames: true });
  try {
    for await (const entry of zip.eachEntry()) {
      const target = join(folder, entry.fileName);
      if (entry.fileName.endsWith('/')) await mkdir(target, { recursive: true, mode: 0o700 });
      else {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target, { mode: 0o600 }));
      }
    }
  } finally {
    zip.close();
  }
  for (const name of LOG_FOLDERS) await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'backup_label'), base.label, { mode: 0o600 });
}

/** Writes the log up to the moment; Postgres replays it when it opens the folder. @returns the moment that it ends at */
async function replayLog(store: BackupStore, chain: Chain, folder: string, moment: Date): Promise<Date> {
  const pieces = piecesUntil(chain, moment);
  for (const piece of pieces) await writeLog(join(folder, 'pg_wal'), piece.from, await readPiece(store, piece));
  const last = pieces.at(-1);
  if (!last) throw new Refusal('The log of the database is missing.');
  return last.at;
}

/** @throws Refusal when the database does not open, or holds no site */
async function requireSite(folder: string): Promise<void> {
  const options = { dataFolder: dirname(folder), folder, poolSize: 2 };
  const server = await startBuiltInServer(options).catch((cause: unknown) => {
    throw new Refusal('What is kept at BACKUP_URL cannot be opened. Nothing was changed.', { cause });
  });
  const database = openPostgresDatabase(server.url, 1);
  try {
    const { rows } = await database.query<{ is_site: boolean }>(
      `select to_regclass('supabase_migrations.schema_migrations') is not null as is_site`,
    );
    if (!rows[0]?.is_site) throw new Refusal('At that moment the database held nothing of the site yet.');
  } finally {
    await database.close();
    await server.stop();
  }
}

async function addMissingFiles(store: BackupStore, bytes: ByteStore, staging: string): Promise<number> {
  let added = 0;
  for (const version of await listCopies(store)) {
    if (await hasBytes(bytes, version)) continue;
    const source = await store.read(FILES + version);
    const staged = await stageFile(join(staging, 'files'), source, Number.POSITIVE_INFINITY);
    await bytes.put(version, staged).finally(() => discardStagedFile(staged));
    added++;
  }
  return added;
}

async function putInPlace(folder: string, dataFolder: string): Promise<string | null> {
  const place = join(dataFolder, 'postgres');
  const before = join(dataFolder, `postgres-before-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  const wasThere = await rename(place, before).then(
    () => true,
    () => false,
  );
  await rename(folder, place);
  return wasThere ? before : null;
}
