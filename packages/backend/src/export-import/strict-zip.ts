/**
 * A strict reader for untrusted ZIP files. A ZIP file contains the metadata of each entry twice: in the central
 * directory, and before the bytes of the entry. If the two copies differ, programs see different files, so
 * both must agree. Names must be unique, entries must not overlap, and the compression ratio is limited.
 */
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { OperatorError } from '../database/operator-error.ts';
import { damagedArchive } from './damaged-archive.ts';

/** Supported flags: sizes after the bytes, UTF-8 names, and the compression level. */
const KNOWN_FLAGS = 0x080e;
const SIZES_FOLLOW = 0x0008;

const STORED = 0;
const DEFLATED = 8;

/** Placeholders for a size that is stored elsewhere. */
const PLACEHOLDERS = [0, 0xffffffff];

/** Maximum size of an entry's data descriptor in ZIP64. */
const DESCRIPTOR_BYTES = 24;
/** Maximum size of the end of the file in ZIP64. */
const END_BYTES = 56 + 20 + 22;

/** Maximum compression ratio. Table rows compress ten- to thirtyfold, and zeros a thousandfold. */
const MAX_RATIO = 200;
/** Smaller entries are exempt from MAX_RATIO. */
const SMALL_BYTES = 1_000_000;

export interface StrictZip {
  /** Entries by name. */
  entries: ReadonlyMap<string, Entry>;
  /** Returns the bytes of an entry. The stream fails at its end if the CRC-32 is wrong. */
  read(entry: Entry): Promise<Readable>;
  close(): void;
}

/**
 * @param isKnown whether an entry with this name is allowed
 * @throws OperatorError
 */
export async function openStrictZip(path: string, isKnown: (name: string) => boolean): Promise<StrictZip> {
  const options = { autoClose: false, lazyEntries: true, strictFileNames: true };
  const zip = await openPromise(path, options).catch((error: NodeJS.ErrnoException) => {
    if (error.code) throw new OperatorError(`${path} cannot be read: ${error.message}.`);
    throw damagedArchive(path, 'it is truncated or not a ZIP archive', error);
  });
  try {
    const entries = new Map<string, Entry>();
    const listedEntries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName;
      if (!isKnown(name))
        throw damagedArchive(path, `it contains the unexpected file ${JSON.stringify(name.slice(0, 100))}`);
      // An export writes a file twice if two rows refer to it.
      const { crc32: sum = entry.crc32, uncompressedSize: size = entry.uncompressedSize } = entries.get(name) ?? {};
      if (sum !== entry.crc32 || size !== entry.uncompressedSize) {
        throw damagedArchive(path, `it contains ${name} twice, with different content`);
      }
      entries.set(name, entry);
      listedEntries.push(entry);
    }
    await validateEntries(path, zip, listedEntries);
    return { entries, read: (entry) => readChecked(zip, entry), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error instanceof OperatorError ? error : damagedArchive(path, 'its central directory is unreadable', error);
  }
}

/** @throws OperatorError */
async function validateEntries(path: string, zip: ZipFile, entries: Entry[]): Promise<void> {
  let end = 0;
  let unusedBytes = zip.fileSize - END_BYTES;
  for (const entry of entries.sort((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)) {
    const { fileName: name, generalPurposeBitFlag: flags, compressionMethod: method } = entry;
    if ((flags & ~KNOWN_FLAGS) !== 0 || (method !== STORED && method !== DEFLATED)) {
      throw damagedArchive(path, `${name} is encrypted or uses an unsupported compression method`);
    }
    if (entry.uncompressedSize > Math.max(SMALL_BYTES, entry.compressedSize * MAX_RATIO)) {
      throw damagedArchive(path, `${name} would expand to more than ${MAX_RATIO} times its size`);
    }
    const local = await zip.readLocalFileHeaderPromise(entry, { minimal: false });
    const isEqual = (value: number, expected: number) =>
      value === expected || ((flags & SIZES_FOLLOW) !== 0 && PLACEHOLDERS.includes(value));
    if (
      !local.fileName.equals(entry.fileNameRaw) ||
      local.generalPurposeBitFlag !== flags ||
      local.compressionMethod !== method ||
      !isEqual(local.crc32, entry.crc32) ||
      !isEqual(local.compressedSize, entry.compressedSize) ||
      !isEqual(local.uncompressedSize, entry.uncompressedSize)
    ) {
      throw damagedArchive(path, `its central directory does not match the header of ${name}`);
    }
    if (entry.relativeOffsetOfLocalHeader < end) throw damagedArchive(path, `${name} overlaps another file`);
    end = local.fileDataStart + entry.compressedSize;
    const headerBytes = 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    unusedBytes -= end - entry.relativeOffsetOfLocalHeader + headerBytes + DESCRIPTOR_BYTES;
  }
  if (unusedBytes > 0) throw damagedArchive(path, 'it contains bytes outside its files');
}

async function readChecked(zip: ZipFile, entry: Entry): Promise<Readable> {
  const source = await zip.openReadStreamPromise(entry);
  return source.compose<Readable>(async function* (chunks: AsyncIterable<Buffer>) {
    let checksum = 0;
    for await (const chunk of chunks) {
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
    if (checksum !== entry.crc32) throw new Error('The checksum differs');
  });
}
