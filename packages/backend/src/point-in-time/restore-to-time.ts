/** Restores the database and files at a given time from the backups at BACKUP_URL. */
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { messageOf } from '../database/errors.ts';
import { lockFolder } from '../database/folder-lock.ts';
import { OperatorError } from '../database/operator-error.ts';
import { openPostgresDatabase } from '../database/postgres-database.ts';
import { archiveFolder } from '../postgres/archive.ts';
import { type BuiltInServer, startBuiltInServer } from '../postgres/built-in-server.ts';
import { DatabaseFolderError, WAL_SEGMENT_BYTES } from '../postgres/data-folder.ts';
import { type ByteStore, hasBytes } from '../storage/bytes/byte-store.ts';
import { discardStagedFile, stageFile } from '../storage/bytes/staged-file.ts';
import type { BackupStore } from './backup-store.ts';
import {
  baseNames,
  type Chain,
  earliestTime,
  FILES,
  newestChain,
  readSegment,
  type StoredSegment,
  segmentsUntil,
} from './chains.ts';
import { listCopies } from './copy-files.ts';
import { segmentNumber } from './segments.ts';

/** Folders that Postgres requires, and whose content is not in a base backup. */
const LOG_FOLDERS = ['pg_wal/archive_status', 'pg_wal/summaries'];

/** An unused WAL page. */
const UNUSED_PAGE = Buffer.alloc(8192);

/** Postgres error if the WAL has no commit after the requested time. */
const IS_AFTER_LAST_CHANGE = /recovery ended before configured recovery target was reached/;

/** Recovers on the timeline of the backup, and accepts connections only afterwards. */
const RECOVERY = {
  restore_command: platform() === 'win32' ? 'copy "archive\\%f" "%p"' : 'cp "archive/%f" "%p"',
  recovery_target_timeline: 'current',
  recovery_target_action: 'promote',
  hot_standby: 'off',
};

export interface RestoreResult {
  /** Time of the last restored change. Never later than the requested time. */
  at: Date;
  /** Folder of the previous database; null if there was no database. */
  previousFolder: string | null;
  /** Number of restored files that were missing. */
  fileCount: number;
}

interface Deployment {
  /** DATA_DIR. */
  dataFolder: string;
  /** Null if files are in an object store. */
  bytes: ByteStore | null;
}

/**
 * Restores the database to its state at a given time, and adds missing files. The folder of the previous database is
 * renamed. Nothing is changed until the restored database has opened.
 * @throws OperatorError, FolderLockedError if a server is running on the folder
 */
export async function restoreToTime(
  store: BackupStore,
  { dataFolder, bytes }: Deployment,
  moment: Date,
): Promise<RestoreResult> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const release = await lockFolder(dataFolder);
  const staging = join(dataFolder, 'restoring');
  try {
    await rm(staging, { recursive: true, force: true });
    const folder = join(staging, 'postgres');
    const { chain, log } = await fetchBackup(store, staging, folder, moment);
    const replayedTo = (await replayLog({ dataFolder, folder }, moment, log)) ?? new Date(chain.base.since);
    const fileCount = bytes ? await addMissingFiles(store, bytes, staging) : 0;
    return { at: replayedTo, previousFolder: await replaceFolder(folder, dataFolder), fileCount };
  } finally {
    await rm(staging, { recursive: true, force: true });
    await release();
  }
}

/** Extracts the base backup and its WAL into `folder`. @throws OperatorError */
async function fetchBackup(
  store: BackupStore,
  staging: string,
  folder: string,
  moment: Date,
): Promise<{ chain: Chain; log: FetchedLog }> {
  try {
    const chain = await findChain(store, moment);
    const log = new FetchedLog(store, chain, folder);
    await log.fetchUntil(moment);
    await unpackBase(store, chain, staging, folder);
    return { chain, log };
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError(`BACKUP_URL cannot be read (${messageOf(cause)}). Nothing was changed.`, { cause });
  }
}

async function findChain(store: BackupStore, moment: Date): Promise<Chain> {
  let latest = moment;
  for (;;) {
    const chain = await newestChain(store, latest);
    if (!chain) {
      const beginning = await findEarliestTime(store);
      throw new OperatorError(
        beginning
          ? `No backup exists for ${moment.toISOString()}. The earliest time that can be restored is ${beginning.toISOString()}.`
          : 'BACKUP_URL contains no backup of a database.',
      );
    }
    const beginning = earliestTime(chain);
    if (beginning && beginning <= moment) return chain;
    latest = new Date(chain.startedAt - 1);
  }
}

async function findEarliestTime(store: BackupStore): Promise<Date | null> {
  let earliest: Date | null = null;
  for (let latest = new Date(); ; ) {
    const chain = await newestChain(store, latest);
    if (!chain) return earliest;
    earliest = earliestTime(chain) ?? earliest;
    latest = new Date(chain.startedAt - 1);
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
  await writeFile(join(folder, 'recovery.signal'), '', { mode: 0o600 });
}

/**
 * WAL segments for replay. They are written as sparse files, because most of a short segment is trailing zeros, which
 * then use no disk space.
 */
class FetchedLog {
  readonly #store: BackupStore;
  readonly #chain: Chain;
  readonly #folder: string;
  #count = 0;

  constructor(store: BackupStore, chain: Chain, folder: string) {
    this.#store = store;
    this.#chain = chain;
    this.#folder = archiveFolder(folder);
  }

  /** Name of the last fetched segment. */
  get last(): string {
    return this.#chain.segments[this.#count - 1]?.segment ?? this.#chain.base.first;
  }

  /** Writes the segments up to the first one archived after the requested time. @throws OperatorError */
  async fetchUntil(moment: Date): Promise<void> {
    const segments = segmentsUntil(this.#chain, moment);
    const last = segments.at(-1);
    if (last && last.at <= moment) this.#requireEnd();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const segment of segments) await this.#write(segment);
  }

  /** Writes the next segment. @returns false at the end of the WAL @throws OperatorError */
  async fetchNext(): Promise<boolean> {
    const segment = this.#chain.segments[this.#count];
    if (segment) await this.#write(segment);
    else this.#requireEnd();
    return segment !== undefined;
  }

  #requireEnd(): void {
    const { hasGap, segments } = this.#chain;
    if (!hasGap) return;
    throw new OperatorError(
      `Part of the write-ahead log after ${segments.at(-1)?.at.toISOString()} is missing at BACKUP_URL. Choose an earlier time. Nothing was changed.`,
    );
  }

  async #write(segment: StoredSegment): Promise<void> {
    const bytes = await readSegment(this.#store, segment).catch((cause: unknown) => {
      throw new OperatorError(`${segment.name} is damaged or unreadable (${messageOf(cause)}). Nothing was changed.`, {
        cause,
      });
    });
    const file = await open(join(this.#folder, segment.segment), 'w', 0o600);
    try {
      await file.writeFile(trimZeros(bytes));
      await file.truncate(bytes.length);
      // The folder belongs to the Postgres account if root has already started Postgres.
      const { uid, gid } = await stat(this.#folder);
      await file.chown(uid, gid);
    } finally {
      await file.close();
    }
    this.#count++;
  }
}

/** Returns the pages of a segment up to the last used one. */
function trimZeros(segment: Buffer): Buffer {
  let end = segment.length;
  while (end > 0 && segment.subarray(Math.max(0, end - UNUSED_PAGE.length), end).equals(UNUSED_PAGE))
    end -= UNUSED_PAGE.length;
  return segment.subarray(0, end);
}

/**
 * Starts Postgres to replay the WAL up to the requested time.
 * @returns the commit time of the last replayed transaction; null if no transaction was replayed
 * @throws OperatorError if the database does not open, or does not contain a site
 */
async function replayLog(
  { dataFolder, folder }: { dataFolder: string; folder: string },
  moment: Date,
  log: FetchedLog,
): Promise<Date | null> {
  const start = (target: Record<string, string>) =>
    startBuiltInServer({ dataFolder, folder, poolSize: 2, settings: { ...RECOVERY, ...target } });
  // Postgres does not accept time zone names on its command line, not even Z.
  const target = { recovery_target_time: moment.toISOString().replace('Z', '+00') };
  let requiredSegment = 0;
  const startAt = async (): Promise<BuiltInServer> => {
    try {
      return await start(target);
    } catch (error) {
      const reason = error instanceof DatabaseFolderError ? messageOf(error.cause) : '';
      if (!IS_AFTER_LAST_CHANGE.test(reason)) throw error;
      // A segment is archived after the next one was started, so the next one can also contain changes from before the
      // requested time.
      if (await log.fetchNext()) return startAt();
      requiredSegment = segmentNumber(log.last);
      return start({});
    }
  };
  const server = await startAt().catch((cause: unknown) => {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError('The database from BACKUP_URL cannot be opened. Nothing was changed.', { cause });
  });
  const database = openPostgresDatabase(server.url, 1);
  try {
    const { rows } = await database.query<{ is_site: boolean; replayed: string; at: string | null }>(
      `select to_regclass('supabase_migrations.schema_migrations') is not null as is_site,
         (pg_last_wal_replay_lsn() - '0/0')::text as replayed,
         floor(extract(epoch from pg_last_xact_replay_timestamp()) * 1000)::bigint::text as at`,
    );
    const [row] = rows;
    if (Number(row?.replayed) < requiredSegment * WAL_SEGMENT_BYTES) {
      throw new OperatorError(
        'Part of the write-ahead log at BACKUP_URL is damaged. Choose an earlier time. Nothing was changed.',
      );
    }
    if (!row?.is_site)
      throw new OperatorError('The database did not contain a site at that time. Nothing was changed.');
    return row.at === null ? null : new Date(Number(row.at));
  } finally {
    await database.close();
    await server.stop();
    await rm(archiveFolder(folder), { recursive: true, force: true });
  }
}

async function addMissingFiles(store: BackupStore, bytes: ByteStore, staging: string): Promise<number> {
  let count = 0;
  for (const version of await listCopies(store)) {
    if (await hasBytes(bytes, version)) continue;
    const source = await store.read(FILES + version);
    const staged = await stageFile(join(staging, 'files'), source, Number.POSITIVE_INFINITY);
    await bytes.put(version, staged).finally(() => discardStagedFile(staged));
    count++;
  }
  return count;
}

async function replaceFolder(folder: string, dataFolder: string): Promise<string | null> {
  const target = join(dataFolder, 'postgres');
  const previous = join(dataFolder, `postgres-before-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  const existed = await rename(target, previous).then(
    () => true,
    () => false,
  );
  await rename(folder, target);
  return existed ? previous : null;
}
