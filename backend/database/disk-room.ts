/**
 * The room on the disk of the embedded database. Postgres cannot go on without room for the next file of its write-ahead
 * log, nor open a folder again, so it stops writing while there is some left, and a ballast lies beside it that is given
 * up to open (docs/decisions/embedded-database.md).
 */
import { randomBytes } from 'node:crypto';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseError, DISK_FULL } from './database.ts';

const MB = 1024 * 1024;

/** Postgres makes its log in files of this size. */
const SEGMENT_BYTES = 16 * MB;

/** Two files of the log, and what one large statement or another program takes before the next look. */
export const ROOM_TO_WRITE_BYTES = 3 * SEGMENT_BYTES;

/** Recovery writes a checkpoint, which may begin the next file of the log, and reading may begin one more. */
const ROOM_TO_OPEN_BYTES = 2 * SEGMENT_BYTES;

export const BALLAST_BYTES = ROOM_TO_OPEN_BYTES;

/** Looking takes a tenth of a millisecond, and statements come by the thousand. */
const REMEMBERED_MS = 100;

/** The refusal of what would write while there is too little room. */
export class DiskFullError extends DatabaseError {
  constructor(options: { cause?: unknown } = {}) {
    super({
      code: '53100',
      message: DISK_FULL,
      hint: 'Whoever runs the server makes room on the disk of its data folder; then writing goes on by itself.',
      ...options,
    });
  }
}

/** Returns the path of the ballast in DATA_DIR. */
export function ballastIn(dataFolder: string): string {
  return join(dataFolder, 'ballast');
}

/**
 * Reads the bytes that are free for the database: what the ballast still lacks is not.
 * @throws NodeJS.ErrnoException when the folder cannot be looked at
 */
export async function readRoom(
  folder: string,
  ballast: string | undefined,
  readFree: (folder: string) => Promise<number> = freeBytes,
): Promise<number> {
  return (await readFree(folder)) - (ballast === undefined ? 0 : BALLAST_BYTES - (await sizeOf(ballast)));
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function sizeOf(file: string): Promise<number> {
  return Math.min(
    BALLAST_BYTES,
    await stat(file).then(
      ({ size }) => size,
      () => 0,
    ),
  );
}

export interface DiskRoomOptions {
  /** Path of the ballast, on the same disk; none is kept unless given. */
  ballast?: string;
  /** Bytes that are free on the disk of a folder; as the file system says unless given. */
  readFree?: (folder: string) => Promise<number>;
}

export class DiskRoom {
  readonly #folder: string;
  readonly #ballast: string | undefined;
  readonly #readFree: ((folder: string) => Promise<number>) | undefined;
  #look: { at: number; isEnough: Promise<boolean> } | null = null;
  #wasEnough = true;
  #filling: Promise<void> | null = null;
  #isClosed = false;
  #tell: (sentence: string) => void = () => undefined;

  /** @param folder of the database; it exists */
  constructor(folder: string, { ballast, readFree }: DiskRoomOptions = {}) {
    this.#folder = folder;
    this.#ballast = ballast;
    this.#readFree = readFree;
  }

  /** Tells in a sentence each time that the room ends, and that there is some again. */
  onChange(tell: (sentence: string) => void): void {
    this.#tell = tell;
    if (!this.#wasEnough) tell(ENDED);
  }

  /** Tells whether the database may write; as it was up to 100 ms ago. */
  isEnough(): Promise<boolean> {
    const now = performance.now();
    if (!this.#look || now - this.#look.at > REMEMBERED_MS) this.#look = { at: now, isEnough: this.#lookAgain() };
    return this.#look.isEnough;
  }

  /** Tells whether the database may write after so many bytes more, which its log and a table may take in one go. */
  async isEnoughAfter(bytes: number): Promise<boolean> {
    return (await this.#room()) >= ROOM_TO_WRITE_BYTES + bytes;
  }

  /** Gives the ballast up when there is too little room to open the database without it. */
  async makeRoomToOpen(): Promise<void> {
    await this.#filling;
    this.#look = null;
    const free = await this.#free().catch(() => Number.POSITIVE_INFINITY);
    if (this.#ballast !== undefined && free < ROOM_TO_OPEN_BYTES) await rm(this.#ballast, { force: true });
  }

  /** Resolves when nothing is written any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#look?.isEnough;
    await this.#filling;
  }

  #free(): Promise<number> {
    return (this.#readFree ?? freeBytes)(this.#folder);
  }

  /** A disk that does not say how much is free is not held to be full. */
  #room(): Promise<number> {
    return readRoom(this.#folder, this.#ballast, this.#readFree).catch(() => Number.POSITIVE_INFINITY);
  }

  async #lookAgain(): Promise<boolean> {
    const isEnough = (await this.#room()) >= ROOM_TO_WRITE_BYTES;
    if (isEnough !== this.#wasEnough) {
      this.#wasEnough = isEnough;
      this.#tell(isEnough ? AGAIN : ENDED);
    }
    if (isEnough) {
      this.#filling ??= this.#fillBallast().finally(() => {
        this.#filling = null;
      });
    }
    return isEnough;
  }

  /** Writes what is missing of the ballast. Its bytes are random, because a file system may keep zeros as nothing. */
  async #fillBallast(): Promise<void> {
    const ballast = this.#ballast;
    if (ballast === undefined) return;
    let missing = BALLAST_BYTES - (await sizeOf(ballast));
    if (missing <= 0) return;
    const file = await open(ballast, 'a', 0o600).catch(() => null);
    try {
      for (; file && missing > 0 && !this.#isClosed; missing -= MB)
        await file.write(randomBytes(Math.min(MB, missing)));
      await file?.sync();
    } catch {
      // The disk has filled up meanwhile; what is missing is written when there is room.
    } finally {
      await file?.close();
    }
  }
}

const ENDED = `The disk of the data folder is nearly full: the database writes nothing until there is room. Make at least ${ROOM_TO_WRITE_BYTES / MB} MB free.`;
const AGAIN = 'The disk of the data folder has room again: the database writes.';
