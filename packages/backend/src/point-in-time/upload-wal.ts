/**
 * Uploads base backups and archived WAL of the built-in database to the backup store while the server runs, so that any
 * time of the last days can be restored (docs/backups.md).
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
import { baseNames, newChainId, newestChain, nextSegment, pieceName, removeOldChains, timeOf } from './chains.ts';
import { copyBase } from './copy-base.ts';
import { FileCopies } from './copy-files.ts';
import { segmentNumber } from './segments.ts';

/** Milliseconds between checks for finished segments. */
const CHECK_INTERVAL_MS = 1_000;

/** Milliseconds until a retry after a failure. */
const RETRY_MS = 10_000;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Interval of base backups, and retention. */
const COPY_EVERY_MS = DAY_MS;
const KEEP_MS = 7 * DAY_MS;

/** Maximum bytes of WAL kept on disk while the store is unavailable. Beyond that, a new chain starts. */
const MAX_WAITING_BYTES = 512 * 1024 * 1024;

interface WalUpload {
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
  /** Number of the segment after it. */
  next: number;
  copiedAt: number;
}

/** Uploads the write-ahead log until `stop`, which uploads the rest. */
export function uploadWal(parts: WalUpload): { stop(): Promise<void> } {
  const keeper = new LogKeeper(parts);
  const stopping = new AbortController();
  const done = keeper.run(stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

class LogKeeper {
  readonly #parts: WalUpload;
  readonly #folder: string;
  readonly #staging: string;
  readonly #waiting: ArchivedSegments;
  #files: FileCopies | null = null;
  #chain: OpenChain | null = null;
  #hasLooked = false;
  #copyFrom = 0;
  readonly #failing = new Set<string>();

  constructor(parts: WalUpload) {
    this.#parts = parts;
    this.#folder = join(parts.dataFolder, 'postgres');
    this.#staging = join(parts.dataFolder, 'backup');
    this.#waiting = new ArchivedSegments(this.#folder);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isDone = await this.#tryTo('saving the log', () => this.#look());
      await wait(isDone ? CHECK_INTERVAL_MS : RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await this.#tryTo('saving the log', () => this.#storeEnd());
    await rm(this.#staging, { recursive: true, force: true });
  }

  /** Logs a failure once, and its recovery. @param what name of the failing work in log messages */
  async #tryTo(what: 'saving the log' | 'new base backup', work: () => Promise<void>): Promise<boolean> {
    const { log } = this.#parts;
    try {
      await work();
      if (this.#failing.delete(what)) log.info(`Backups to BACKUP_URL work again (${what}).`);
      return true;
    } catch (error) {
      if (!this.#failing.has(what)) {
        const sentence = `The backup to BACKUP_URL failed (${what}: ${messageOf(error)}) and will be retried.`;
        log.error({ err: error }, sentence);
      }
      this.#failing.add(what);
      return false;
    }
  }

  async #look(): Promise<void> {
    if ((await this.#waiting.size()) > MAX_WAITING_BYTES) await this.#abandonChain('is too large to keep on this disk');
    if (!this.#hasLooked) this.#chain = await this.#findChain();
    this.#hasLooked = true;
    const isDue = !this.#chain || Date.now() - this.#chain.copiedAt > COPY_EVERY_MS;
    if (isDue && Date.now() >= this.#copyFrom) {
      const isCopied = await this.#tryTo('new base backup', () => this.#beginChain());
      this.#copyFrom = isCopied ? 0 : Date.now() + RETRY_MS;
    }
    await this.#storeLog();
  }

  /** Finds the chain of the previous server, if this database's WAL continues it. */
  async #findChain(): Promise<OpenChain | null> {
    const { store, database } = this.#parts;
    const id = await this.#waiting.readChain();
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
    return isContinued && !chain.hasGap ? { id: chain.id, next, copiedAt: chain.begun } : null;
  }

  /** Deletes archived segments. The next base backup starts a new chain. */
  async #abandonChain(reason: string): Promise<void> {
    if (this.#chain)
      this.#parts.log.warn(`The log of the database ${reason}. A new base backup to BACKUP_URL will be made.`);
    this.#chain = null;
    this.#hasLooked = true;
    await this.#waiting.clear();
  }

  /** Makes a base backup, starts a chain with it, and deletes expired chains and file copies. */
  async #beginChain(): Promise<void> {
    const { store, database } = this.#parts;
    const id = newChainId();
    const base = await copyBase({ folder: this.#folder, staging: join(this.#staging, 'base') }, store, id);
    const next = segmentNumber(base.first);
    // Times between the start and the end of the backup need the old chain, which gets the WAL until then as well.
    await this.#storeLog(next);
    await store.write(baseNames(id).json, Buffer.from(JSON.stringify(base)));
    await this.#waiting.writeChain(id);
    this.#chain = { id, next, copiedAt: timeOf(id) };
    await removeOldChains(store, Date.now() - KEEP_MS);
    await this.#files?.removeUnnamed(database, KEEP_MS + COPY_EVERY_MS);
  }

  /**
   * Uploads finished segments, after the files that their rows name.
   * @param keptFrom number of the first segment to keep for the next chain
   */
  async #storeLog(keptFrom = Number.POSITIVE_INFINITY): Promise<void> {
    const { store } = this.#parts;
    const pieces = await this.#waiting.pieces();
    const chain = this.#chain;
    if (!chain || pieces.length === 0) return;
    await this.#copyFiles();
    for (const { name, segment } of pieces) {
      const number = segmentNumber(segment);
      if (number > chain.next) return this.#abandonChain('has a gap');
      if (number === chain.next) {
        await store.write(pieceName(chain.id, basename(name)), { path: name });
        chain.next++;
      }
      if (number < keptFrom) await rm(name);
    }
  }

  async #copyFiles(): Promise<void> {
    const { store, database, bytes } = this.#parts;
    if (!bytes) return;
    this.#files ??= await FileCopies.open(bytes, store, join(this.#staging, 'files'));
    await this.#files.copyNew(database);
  }

  /** Finishes the current segment, and uploads it. */
  async #storeEnd(): Promise<void> {
    if (!this.#chain) return;
    await this.#parts.database.query('select pg_switch_wal()');
    await this.#waiting.waitUntilArchived();
    await this.#storeLog();
  }
}
