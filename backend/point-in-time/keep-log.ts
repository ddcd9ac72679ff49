/**
 * Keeps the log of the embedded database in a second place while the server runs, so that any moment of the last days can
 * be brought back (docs/moving.md).
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { messageOf } from '../database/errors.ts';
import type { ByteStore } from '../storage/bytes/byte-store.ts';
import type { BackupStore } from './backup-store.ts';
import {
  type Base,
  type Chain,
  endOf,
  newChainId,
  newestChain,
  pieceName,
  readPiece,
  removeOldChains,
  timeOf,
} from './chains.ts';
import { copyBase } from './copy-base.ts';
import { FileCopies } from './copy-files.ts';
import { LogGoneError, parsePosition, readLog, SEGMENT_BYTES } from './wal.ts';

/** Milliseconds between two looks: what a disk that is lost takes with it, and how exactly a moment can be named. */
const LOOK_EVERY_MS = 1_000;

/** Milliseconds after a failure until the store is tried again. */
const TRY_AGAIN_MS = 10_000;

const DAY_MS = 24 * 60 * 60 * 1000;
/** A new copy of the folder is made so often, and moments of the last days are kept. */
const COPY_EVERY_MS = DAY_MS;
const KEEP_MS = 7 * DAY_MS;

interface KeptLog {
  database: Database;
  /** DATA_DIR. */
  dataFolder: string;
  store: BackupStore;
  /** Null when files are in an object store, which keeps its own earlier versions. */
  bytes: ByteStore | null;
  log: Logger;
}

/** The chain that is written. */
interface OpenChain {
  id: string;
  base: Base;
  position: number;
  copiedAt: number;
}

/** Begins to keep the log, and goes on until `stop`, which stores what was written until then. */
export function keepLog(parts: KeptLog): { stop(): Promise<void> } {
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
  readonly #parts: KeptLog;
  readonly #folder: string;
  readonly #staging: string;
  #files: FileCopies | null = null;
  #chain: OpenChain | null = null;
  #hasLooked = false;
  #copying: Promise<boolean> | null = null;
  #copyFrom = 0;
  readonly #failing = new Set<string>();

  constructor(parts: KeptLog) {
    this.#parts = parts;
    this.#folder = join(parts.dataFolder, 'postgres');
    this.#staging = join(parts.dataFolder, 'backup');
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isDone = await this.#tryTo('be kept', () => this.#look());
      await wait(isDone ? LOOK_EVERY_MS : TRY_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await this.#tryTo('be kept', () => this.#storeLog());
    await this.#copying;
    await rm(this.#staging, { recursive: true, force: true });
  }

  /** Tells of a failure once, and of its end. @param what can or cannot happen to the database's log */
  async #tryTo(what: 'be kept' | 'begin anew', work: () => Promise<void>): Promise<boolean> {
    const { log } = this.#parts;
    try {
      await work();
      if (this.#failing.delete(what)) log.info(`The log of the database can ${what} at BACKUP_URL again.`);
      return true;
    } catch (error) {
      if (error instanceof LogGoneError) this.#chain = null;
      if (!this.#failing.has(what)) {
        const sentence = `The log of the database cannot ${what} at BACKUP_URL (${messageOf(error)}); it is tried again.`;
        log.error({ err: error }, sentence);
      }
      this.#failing.add(what);
      return false;
    }
  }

  async #look(): Promise<void> {
    if (!this.#hasLooked) this.#chain = await this.#findChain();
    this.#hasLooked = true;
    const isDue = !this.#chain || Date.now() - this.#chain.copiedAt > COPY_EVERY_MS;
    // The log of the chain before goes on meanwhile.
    if (isDue && Date.now() >= this.#copyFrom) {
      this.#copying ??= this.#tryTo('begin anew', () => this.#beginChain()).finally(() => {
        this.#copying = null;
        this.#copyFrom = Date.now() + TRY_AGAIN_MS;
      });
    }
    await this.#storeLog();
  }

  /** Finds the chain of the server before, where its last bytes are those that this database has there. */
  async #findChain(): Promise<OpenChain | null> {
    const { store, database } = this.#parts;
    const chain = await newestChain(store, new Date());
    const { rows } = await database.query<{ system: string }>(
      'select system_identifier::text as system from pg_control_system()',
    );
    if (!chain || chain.base.system !== rows[0]?.system || !(await this.#isContinued(chain))) return null;
    const { base } = chain;
    return { id: chain.id, base, position: endOf(chain), copiedAt: chain.begun };
  }

  async #isContinued(chain: Chain): Promise<boolean> {
    const last = chain.pieces.at(-1);
    const { position } = await this.#now();
    if (position < endOf(chain)) return false;
    if (!last) return true;
    const stored = await readPiece(this.#parts.store, last);
    const here = await readLog(this.#logFolder(), last.from, last.to).catch(() => null);
    return here?.equals(stored) ?? false;
  }

  /** Copies the folder, goes on from there, and removes what is older than anybody may ask for. */
  async #beginChain(): Promise<void> {
    const { store, database } = this.#parts;
    const id = newChainId();
    const base = await copyBase({ database, folder: this.#folder, staging: join(this.#staging, 'base') }, store, id);
    this.#chain = { id, base, position: base.from, copiedAt: timeOf(id) };
    await removeOldChains(store, Date.now() - KEEP_MS);
    await this.#files?.removeUnnamed(database, KEEP_MS + COPY_EVERY_MS);
  }

  /** Stores what was written since the last time, after the files that it names. */
  async #storeLog(): Promise<void> {
    const { store, database, bytes } = this.#parts;
    const chain = this.#chain;
    if (!chain) return;
    const { position, at } = await this.#now();
    if (position === chain.position) return;
    if (bytes) {
      this.#files ??= await FileCopies.open(bytes, store, join(this.#staging, 'files'));
      await this.#files.copyNew(database);
    }
    while (chain.position < position) {
      const to = Math.min(position, chain.position + SEGMENT_BYTES);
      const log = await readLog(this.#logFolder(), chain.position, to);
      const name = pieceName(chain.id, { from: chain.position, to, at });
      await store.write(name, await promisify(gzip)(log));
      chain.position = to;
    }
  }

  /** Returns up to where the log is written, and the time: what was committed later is not in it. */
  async #now(): Promise<{ position: number; at: Date }> {
    const { rows } = await this.#parts.database.query<{ position: string; at: string }>(
      `select pg_current_wal_flush_lsn()::text as position, (extract(epoch from clock_timestamp()) * 1000)::bigint::text as at`,
    );
    const [now] = rows;
    if (!now) throw new Error('Postgres did not say how far it has written');
    return { position: parsePosition(now.position), at: new Date(Number(now.at)) };
  }

  #logFolder(): string {
    return join(this.#folder, 'pg_wal');
  }
}
