/** WebP: a RIFF file. In the extended form, its first chunk has a flag for each kind of further chunk. */

const NEEDED = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);

const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

/** @returns undefined if it is damaged */
export function stripWebp(file: Buffer): Buffer | undefined {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  const fileEnd = Math.min(file.length, 8 + file.readUInt32LE(4));
  const parts: Buffer[] = [];
  let place = 12;
  while (place + 8 <= fileEnd) {
    const size = file.readUInt32LE(place + 4);
    const end = place + 8 + size;
    if (end > fileEnd) return undefined;
    const type = file.toString('latin1', place, place + 4);
    // Chunks are padded to even lengths. The last one may have no padding.
    const chunk = file.subarray(place, Math.min(end + (size % 2), fileEnd));
    if (type === 'VP8X') parts.push(withoutFlags(chunk));
    else if (NEEDED.has(type)) parts.push(chunk);
    place = end + (size % 2);
  }
  if (parts.length === 0) return undefined;
  const body = Buffer.concat(parts);
  const head = Buffer.from(file.subarray(0, 12));
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

function withoutFlags(chunk: Buffer): Buffer {
  const changed = Buffer.from(chunk);
  changed.writeUInt8(changed.readUInt8(8) & ~(HAS_EXIF | HAS_XMP), 8);
  return changed;
}
