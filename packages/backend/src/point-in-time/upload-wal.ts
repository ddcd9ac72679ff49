/**
 * Uploads base backups and archived WAL of the built-in database to the backup store while the server runs. With them,
 * the database can be restored to any time of the last days (docs/backups.md).
 */
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { messageOf } from '../database/errors.ts';
import type { ByteStore } from '../storage/bytes/byte-store.ts';
import { ArchivedSegments } from './archived-segments.ts';
import type { BackupStore } from './backup-store.ts';
import { baseNames, chainTime, newChainId, newestChain, nextSegment, removeOldChains, segmentName } from './chains.ts';
import { copyBase } from './copy-base.ts';
import { FileCopies } from './copy-files.ts';
import { segmentNumber } from './segments.ts';

/** Milliseconds between checks for finished segments. */
const CHECK_INTERVAL_MS = 1_000;

/** Milliseconds until a retry after a failure. */
const RETRY_MS = 10_000;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Interval of base backups. */
const BASE_INTERVAL_MS = DAY_MS;
/** Retention period of backups. */
const RETENTION_MS = 7 * DAY_MS;

/** Maximum bytes of WAL kept on disk while the store is unavailable. If there are more, a new chain starts. */
const MAX_WAL_BYTES = 512 * 1024 * 1024;

interface WalUploadOptions {
  database: Database;
  /** DATA_DIR. */
  dataFolder: string;
  store: BackupStore;
  /** Null if files are in an object store, which has its own versioning. */
  bytes: ByteStore | null;
  log: Logger;
}

/** The current chain. */
interface OpenChain {
  id: string;
  /** Number of the next segment. */
  next: number;
  copiedAt: number;
}

/** Uploads the write-ahead log continuously. `stop` uploads the rest. */
export function uploadWal(options: WalUploadOptions): { stop(): Promise<void> } {
  const uploader = new WalUploader(options);
  const controller = new AbortController();
  const done = uploader.run(controller.signal);
  return {
    async stop() {
      controller.abort();
      await done;
    },
  };
}

class WalUploader {
  readonly #options: WalUploadOptions;
  readonly #folder: string;
  readonly #staging: string;
  readonly #segments: ArchivedSegments;
  #files: FileCopies | null = null;
  #chain: OpenChain | null = null;
  #hasFoundChain = false;
  #nextAttemptAt = 0;
  readonly #failing = new Set<string>();

  constructor(options: WalUploadOptions) {
    this.#options = options;
    this.#folder = join(options.dataFolder, 'postgres');
    this.#staging = join(options.dataFolder, 'backup');
    this.#segments = new ArchivedSegments(this.#folder);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isDone = await this.#tryTo('saving the log', () => this.#upload());
      await wait(isDone ? CHECK_INTERVAL_MS : RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await this.#tryTo('saving the log', () => this.#uploadRest());
    await rm(this.#staging, { recursive: true, force: true });
  }

  /** Logs the first failure, and the recovery. @param action name of the work in log messages */
  async #tryTo(action: 'saving the log' | 'new base backup', work: () => Promise<void>): Promise<boolean> {
    const { log } = this.#options;
    try {
      await work();
      if (this.#failing.delete(action)) log.info(`Backups to BACKUP_URL work again (${action}).`);
      return true;
    } catch (error) {
      if (!this.#failing.has(action)) {
        const message = `The backup to BACKUP_URL failed (${action}: ${messageOf(error)}) and will be retried.`;
        log.error({ err: error }, message);
      }
      this.#failing.add(action);
      return false;
    }
  }

  async #upload(): Promise<void> {
    if ((await this.#segments.size()) > MAX_WAL_BYTES) await this.#abandonChain('is too large to keep on this disk');
    if (!this.#hasFoundChain) this.#chain = await this.#findChain();
    this.#hasFoundChain = true;
    const isDue = !this.#chain || Date.now() - this.#chain.copiedAt > BASE_INTERVAL_MS;
    if (isDue && Date.now() >= this.#nextAttemptAt) {
      const isCopied = await this.#tryTo('new base backup', () => this.#beginChain());
      this.#nextAttemptAt = isCopied ? 0 : Date.now() + RETRY_MS;
    }
    await this.#uploadSegments();
  }

  /** Finds the chain of the previous server, if this database's WAL continues it. */
  async #findChain(): Promise<OpenChain | null> {
    const { store, database } = this.#options;
    const id = await this.#segments.readChain();
    const chain = id === null ? null : await newestChain(store, new Date());
    if (chain?.id !== id || !chain) return null;
    const { rows } = await database.query<{ system: string; segment: string }>(
      `select system_identifier::text as system, pg_walfile_name(pg_current_wal_insert_lsn()) as segment
       from pg_control_system()`,
    );
    const next = nextSegment(chain);
    const isContinued = rows.some(
      ({ system, segment }) => system === chain.base.system && segmentNumber(segment) >= next,
    );
    // The data folder may have been restored from an older copy, whose WAL has diverged.
    return isContinued && !chain.hasGap ? { id: chain.id, next, copiedAt: chain.startedAt } : null;
  }

  /** Deletes archived segments. The next base backup starts a new chain. */
  async #abandonChain(reason: string): Promise<void> {
    if (this.#chain)
      this.#options.log.warn(`The write-ahead log ${reason}. A new base backup to BACKUP_URL will be created.`);
    this.#chain = null;
    this.#hasFoundChain = true;
    await this.#segments.clear();
  }

  /** Creates a base backup, starts a chain with it, and deletes expired chains and file copies. */
  async #beginChain(): Promise<void> {
    const { store, database } = this.#options;
    const id = newChainId();
    const base = await copyBase({ folder: this.#folder, staging: join(this.#staging, 'base') }, store, id);
    const next = segmentNumber(base.first);
    // The new backup can be restored only to times after its end, so the old chain also gets the WAL up to that time.
    await this.#uploadSegments(next);
    await store.write(baseNames(id).json, Buffer.from(JSON.stringify(base)));
    await this.#segments.writeChain(id);
    this.#chain = { id, next, copiedAt: chainTime(id) };
    await removeOldChains(store, Date.now() - RETENTION_MS);
    await this.#files?.removeOrphans(database, RETENTION_MS + BASE_INTERVAL_MS);
  }

  /**
   * Uploads finished segments, after the files that their rows refer to.
   * @param firstKept number of the first segment to keep for the next chain
   */
  async #uploadSegments(firstKept = Number.POSITIVE_INFINITY): Promise<void> {
    const { store } = this.#options;
    const segments = await this.#segments.list();
    const chain = this.#chain;
    if (!chain || segments.length === 0) return;
    await this.#copyFiles();
    for (const { name, segment } of segments) {
      const number = segmentNumber(segment);
      if (number > chain.next) return this.#abandonChain('has a gap');
      if (number === chain.next) {
        await store.write(segmentName(chain.id, basename(name)), { path: name });
        chain.next++;
      }
      if (number < firstKept) await rm(name);
    }
  }

  async #copyFiles(): Promise<void> {
    const { store, database, bytes } = this.#options;
    if (!bytes) return;
    this.#files ??= await FileCopies.open(bytes, store, join(this.#staging, 'files'));
    await this.#files.copyNew(database);
  }

  /** Finishes the current segment, and uploads it. */
  async #uploadRest(): Promise<void> {
    if (!this.#chain) return;
    await this.#options.database.query('select pg_switch_wal()');
    await this.#segments.waitUntilArchived();
    await this.#uploadSegments();
  }
}
