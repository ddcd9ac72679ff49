/** Strips metadata from GIF files: a header, then pictures and extensions with blocks of at most 255 bytes, then 3B. */

const EXTENSION = 0x21;
const PICTURE = 0x2c;
const TRAILER = 0x3b;

/** Kept extensions: frame delays, text overlays, loop count and colour profile. Comments and XMP are removed. */
const GRAPHIC_CONTROL = 0xf9;
const PLAIN_TEXT = 0x01;
const APPLICATION = 0xff;
const KEPT_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

/** Removes metadata. @returns undefined if the file is damaged or not a GIF */
export function stripGif(file: Buffer): Buffer | undefined {
  if (!/^GIF8[79]a$/.test(file.toString('latin1', 0, 6)) || file.length < 13) return undefined;
  let offset = 13 + colourTableBytes(file[10] ?? 0);
  const parts: Buffer[] = [file.subarray(0, offset)];
  while (offset < file.length) {
    const kind = file[offset];
    if (kind === TRAILER) return Buffer.concat([...parts, file.subarray(offset, offset + 1)]);
    const blocks = kind === EXTENSION ? offset + 2 : kind === PICTURE ? endOfPictureHead(file, offset) : undefined;
    const end = blocks === undefined ? undefined : endOfBlocks(file, blocks);
    if (end === undefined) return undefined;
    if (kind === PICTURE || isKept(file, offset)) parts.push(file.subarray(offset, end));
    offset = end;
  }
  return undefined;
}

function isKept(file: Buffer, offset: number): boolean {
  const label = file[offset + 1];
  if (label === APPLICATION) return KEPT_APPLICATIONS.has(file.toString('latin1', offset + 3, offset + 14));
  return label === GRAPHIC_CONTROL || label === PLAIN_TEXT;
}

/** Returns the offset after ten bytes, an optional colour table, and the code size. */
function endOfPictureHead(file: Buffer, offset: number): number {
  return offset + 10 + colourTableBytes(file[offset + 9] ?? 0) + 1;
}

function colourTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

function endOfBlocks(file: Buffer, from: number): number | undefined {
  let offset = from;
  while (offset < file.length) {
    const size = file[offset] ?? 0;
    offset += 1 + size;
    if (size === 0) return offset;
  }
  return undefined;
}
