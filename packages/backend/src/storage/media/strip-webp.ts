/** Strips metadata from WebP files (RIFF). In the extended form, the first chunk has a flag for each kind of chunk. */

const KEPT_CHUNK_TYPES = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);

const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

/** Removes metadata. @returns undefined if the file is damaged or not WebP */
export function stripWebp(file: Buffer): Buffer | undefined {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  const fileEnd = Math.min(file.length, 8 + file.readUInt32LE(4));
  const parts: Buffer[] = [];
  let offset = 12;
  while (offset + 8 <= fileEnd) {
    const size = file.readUInt32LE(offset + 4);
    const end = offset + 8 + size;
    if (end > fileEnd) return undefined;
    const type = file.toString('latin1', offset, offset + 4);
    // Chunks are padded to even lengths. The last one may have no padding.
    const chunk = file.subarray(offset, Math.min(end + (size % 2), fileEnd));
    if (type === 'VP8X') parts.push(withoutFlags(chunk));
    else if (KEPT_CHUNK_TYPES.has(type)) parts.push(chunk);
    offset = end + (size % 2);
  }
  if (parts.length === 0) return undefined;
  const body = Buffer.concat(parts);
  const head = Buffer.from(file.subarray(0, 12));
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

function withoutFlags(chunk: Buffer): Buffer {
  const copy = Buffer.from(chunk);
  copy.writeUInt8(copy.readUInt8(8) & ~(HAS_EXIF | HAS_XMP), 8);
  return copy;
}
