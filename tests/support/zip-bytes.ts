/** ZIP files built byte by byte (APPNOTE 6.3.10), so that tests can create files that no library writes. */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { openPromise } from 'yauzl';

/** Fields of an entry's header. */
export interface Header {
  name: string | Buffer;
  flags: number;
  method: number;
  crc32: number;
  /** Compressed size in bytes. */
  packed: number;
  /** Uncompressed size in bytes. */
  size: number;
  extra: Buffer;
}

export interface RawEntry extends Header {
  bytes: Buffer;
  /** Fields that differ in the local file header. */
  local: Partial<Header>;
  /** Unix mode and DOS attributes, as four bytes. */
  attributes: number;
  /** Offset of the local header in the central directory. Defaults to the true one. */
  offset?: number;
}

/** Fields that differ in the end of central directory record. */
export interface End {
  disk: number;
  count: number;
  start: number;
  comment: Buffer;
}

const UTF8 = 0x0800;

/** Caches compressed contents, because most forged archives change only one of many entries. */
const deflateCache = new WeakMap<Buffer, Buffer>();

function deflateCached(content: Buffer): Buffer {
  const bytes = deflateCache.get(content) ?? deflateRawSync(content);
  deflateCache.set(content, bytes);
  return bytes;
}

/** Creates an entry with this content, compressed unless `changes.method` says otherwise. */
export function createEntry(name: string | Buffer, content: Buffer, changes: Partial<RawEntry> = {}): RawEntry {
  const method = changes.method ?? 8;
  const bytes = changes.bytes ?? (method === 8 ? deflateCached(content) : content);
  return {
    name,
    flags: UTF8,
    crc32: crc32(content),
    packed: bytes.length,
    size: content.length,
    extra: Buffer.alloc(0),
    local: {},
    attributes: 0o100600 * 0x10000,
    ...changes,
    method,
    bytes,
  };
}

/** Creates a complete ZIP file from these entries, with the central directory and the end record. */
export function createZip(entries: readonly RawEntry[], end: Partial<End> = {}): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const header = localHeader({ ...entry, ...entry.local });
    list.push(directoryHeader(entry, entry.offset ?? offset));
    parts.push(header, entry.bytes);
    offset += header.length + entry.bytes.length;
  }
  const directory = Buffer.concat(list);
  const comment = end.comment ?? Buffer.alloc(0);
  const endRecord = Buffer.alloc(22);
  endRecord.writeUInt32LE(0x06054b50, 0);
  endRecord.writeUInt16LE(end.disk ?? 0, 4);
  endRecord.writeUInt16LE(end.count ?? entries.length, 8);
  endRecord.writeUInt16LE(end.count ?? entries.length, 10);
  endRecord.writeUInt32LE(directory.length, 12);
  endRecord.writeUInt32LE(end.start ?? offset, 16);
  endRecord.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, directory, endRecord, comment]);
}

function localHeader(header: Header): Buffer {
  const name = Buffer.from(header.name);
  const bytes = Buffer.alloc(30);
  bytes.writeUInt32LE(0x04034b50, 0);
  bytes.writeUInt16LE(20, 4);
  writeCommon(bytes, 6, header);
  bytes.writeUInt16LE(name.length, 26);
  bytes.writeUInt16LE(header.extra.length, 28);
  return Buffer.concat([bytes, name, header.extra]);
}

function directoryHeader(header: RawEntry, offset: number): Buffer {
  const name = Buffer.from(header.name);
  const bytes = Buffer.alloc(46);
  bytes.writeUInt32LE(0x02014b50, 0);
  bytes.writeUInt16LE(0x031e, 4);
  bytes.writeUInt16LE(20, 6);
  writeCommon(bytes, 8, header);
  bytes.writeUInt16LE(name.length, 28);
  bytes.writeUInt16LE(header.extra.length, 30);
  bytes.writeUInt32LE(header.attributes, 38);
  bytes.writeUInt32LE(offset, 42);
  return Buffer.concat([bytes, name, header.extra]);
}

/** Writes the fields that both headers have in the same order. */
function writeCommon(bytes: Buffer, offset: number, header: Header): void {
  bytes.writeUInt16LE(header.flags, offset);
  bytes.writeUInt16LE(header.method, offset + 2);
  bytes.writeUInt32LE(header.crc32, offset + 8);
  bytes.writeUInt32LE(header.packed, offset + 12);
  bytes.writeUInt32LE(header.size, offset + 16);
}

/** Returns an extra field with this header ID. */
export function extraField(kind: number, data: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt16LE(kind, 0);
  header.writeUInt16LE(data.length, 2);
  return Buffer.concat([header, data]);
}

/** Reads the contents of a ZIP file, keyed by name, in the order of the file. */
export async function unzip(path: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  const contents = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    contents.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  zip.close();
  return contents;
}

/**
 * Returns the position of each entry's bytes and of the central directory, for a file written by createZip or by an
 * export.
 */
export async function readLayout(
  path: string,
): Promise<{ data: Map<string, [start: number, end: number]>; list: number }> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  const data = new Map<string, [number, number]>();
  for await (const entry of zip.eachEntry()) {
    const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    data.set(entry.fileName, [start, start + entry.compressedSize]);
  }
  zip.close();
  return { data, list: (await readFile(path)).lastIndexOf(Buffer.from('PK\u0005\u0006')) };
}
