/**
 * Free space on the disk of the built-in database. Postgres stops if it cannot create the next file of its write-ahead
 * log, so writes are rejected before that.
 */
import { statfs } from 'node:fs/promises';

const MB = 1024 * 1024;

/** Minimum free space. It is enough for a large statement, and for other programs until the next check. */
export const MIN_FREE_BYTES = 48 * MB;

/** Cache time. A check takes 0.1 ms, and thousands of statements can arrive per second. */
const CACHE_MS = 100;

/** Returns the free bytes on the disk of a folder. @throws NodeJS.ErrnoException */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export interface DiskSpaceOptions {
  /** Returns the free bytes on the disk of a folder. Default: from the file system. */
  readFree?: (folder: string) => Promise<number>;
}

export class DiskSpace {
  readonly #folder: string;
  readonly #readFree: (folder: string) => Promise<number>;
  #cache: { time: number; isEnough: Promise<boolean> } | null = null;
  #wasEnough = true;
  #report: (message: string) => void = () => undefined;

  /** @param folder an existing folder */
  constructor(folder: string, { readFree = freeBytes }: DiskSpaceOptions = {}) {
    this.#folder = folder;
    this.#readFree = readFree;
  }

  /** Calls `report` with a message when the disk becomes full, and when there is space again. */
  onChange(report: (message: string) => void): void {
    this.#report = report;
    if (!this.#wasEnough) report(FULL);
  }

  /** Returns whether the database may write. The result is up to 100 ms old. */
  isEnough(): Promise<boolean> {
    const now = performance.now();
    if (!this.#cache || now - this.#cache.time > CACHE_MS) this.#cache = { time: now, isEnough: this.#check() };
    return this.#cache.isEnough;
  }

  async #check(): Promise<boolean> {
    // A disk whose free space is unknown does not count as full.
    const free = await this.#readFree(this.#folder).catch(() => Number.POSITIVE_INFINITY);
    const isEnough = free >= MIN_FREE_BYTES;
    if (isEnough !== this.#wasEnough) {
      this.#wasEnough = isEnough;
      this.#report(isEnough ? NOT_FULL : FULL);
    }
    return isEnough;
  }
}

const FULL = `The disk of the data folder is nearly full, so the database rejects writes. Free at least ${MIN_FREE_BYTES / MB} MB.`;
const NOT_FULL = 'The disk of the data folder has enough space again. The database accepts writes.';
