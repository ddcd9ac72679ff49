/**
 * The write-ahead log of the embedded Postgres, as bytes at positions (LSN) in files of 16 MB. Their layout:
 * https://www.postgresql.org/docs/18/wal-internals.html
 */
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

export const SEGMENT_BYTES = 16 * 1024 * 1024;

const PAGE_BYTES = 8192;
/** Place of the page's own position in its header. */
const PAGE_ADDRESS_OFFSET = 8;

/** Thrown when the log does not hold the bytes that were asked for any more: its file is gone, or was used again. */
export class LogGoneError extends Error {}

/** Reads a position as Postgres writes it, such as 0/17223B8, into its number of bytes. */
export function parsePosition(text: string): number {
  const [high = '', low = ''] = text.split('/');
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16);
}

export function segmentStart(position: number): number {
  return position - (position % SEGMENT_BYTES);
}

/**
 * Reads the log between two positions, of which Postgres must have written both.
 * @throws LogGoneError
 */
export async function readLog(folder: string, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(to - from);
  for (let at = from; at < to; at = segmentStart(at) + SEGMENT_BYTES) {
    const end = Math.min(to, segmentStart(at) + SEGMENT_BYTES);
    await readSegment(folder, at, bytes.subarray(at - from, end - from));
  }
  requirePages(bytes, from);
  return bytes;
}

async function readSegment(folder: string, position: number, into: Buffer): Promise<void> {
  const path = join(folder, segmentName(position));
  const file = await open(path).catch((cause) => {
    throw new LogGoneError(`${path} is gone`, { cause });
  });
  try {
    const { bytesRead } = await file.read(into, 0, into.length, position % SEGMENT_BYTES);
    if (bytesRead < into.length) throw new LogGoneError(`${path} is too short`);
  } finally {
    await file.close();
  }
}

/**
 * Each page names its own position: one of a file that Postgres has used again names another. What is left of a file when
 * Postgres begins the next one is zeros.
 */
function requirePages(bytes: Buffer, from: number): void {
  const first = Math.ceil(from / PAGE_BYTES) * PAGE_BYTES;
  for (let page = first; page + PAGE_ADDRESS_OFFSET + 8 <= from + bytes.length; page += PAGE_BYTES) {
    const address = Number(bytes.readBigUInt64LE(page - from + PAGE_ADDRESS_OFFSET));
    if (address !== page && address !== 0) throw new LogGoneError(`The page at ${page} names ${address}`);
  }
}

/**
 * Writes bytes at a position into the files of a log. What follows them in the last file is zeros, which is where
 * Postgres stops when it replays.
 */
export async function writeLog(folder: string, position: number, bytes: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let at = position; at < position + bytes.length; at = segmentStart(at) + SEGMENT_BYTES) {
    const end = Math.min(position + bytes.length, segmentStart(at) + SEGMENT_BYTES);
    const file = await open(join(folder, segmentName(at)), at % SEGMENT_BYTES === 0 ? 'w' : 'r+', 0o600);
    try {
      await file.write(bytes.subarray(at - position, end - position), 0, end - at, at % SEGMENT_BYTES);
      await file.truncate(SEGMENT_BYTES);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

/** Names the file of a position. The embedded database has one timeline: it never ends a recovery of an archive. */
function segmentName(position: number): string {
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
  return `00000001${hex(Math.floor(position / 2 ** 32))}${hex(Math.floor((position % 2 ** 32) / SEGMENT_BYTES))}`;
}
