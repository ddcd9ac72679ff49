/**
 * Creates ZIP files in the browser, so that they work with every deployment. Entries are uncompressed, names are UTF-8,
 * and the limit is 4 GB. See APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16.
 */

export interface ZipEntry {
  /** Path with slashes. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** Version 2.0 supports folders in names. */
const VERSION = 20;
const NAMES_IN_UTF8 = 0x0800;

/** Creates a ZIP file. All entries get the time `now`. */
export function storedZip(entries: readonly ZipEntry[], now: Date): Uint8Array<ArrayBuffer>[] {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const encoded = new TextEncoder().encode(name);
    const common = [
      ...[u16(VERSION), u16(NAMES_IN_UTF8), u16(0), u16(dosTime(now)), u16(dosDate(now)), u32(crc32(bytes))],
      ...[u32(bytes.length), u32(bytes.length), u16(encoded.length), u16(0)],
    ].flat();
    const header = Uint8Array.from([...u32(LOCAL), ...common, ...encoded]);
    parts.push(header, bytes);
    // No comment, first disk, no system attributes.
    const position = [...u16(0), ...u16(0), ...u16(0), ...u32(0), ...u32(offset)];
    directory.push(Uint8Array.from([...u32(CENTRAL), ...u16(VERSION), ...common, ...position, ...encoded]));
    offset += header.length + bytes.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = u16(entries.length);
  const end = [...u32(END), ...u16(0), ...u16(0), ...count, ...count, ...u32(size), ...u32(offset), ...u16(0)];
  return [...parts, ...directory, Uint8Array.from(end)];
}

const u16 = (value: number) => [value & 0xff, (value >>> 8) & 0xff];
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)];

/** Time in MS-DOS format. */
function dosTime(date: Date): number {
  return (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
}

function dosDate(date: Date): number {
  return ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
}

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ (TABLE[(value ^ byte) & 0xff] ?? 0);
  return (value ^ 0xffffffff) >>> 0;
}
