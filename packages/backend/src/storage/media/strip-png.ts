/** Strips metadata from PNG files: a signature, then chunks. Each chunk has a length, type, data and checksum. */

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Chunks with pixels, colours, physical size and animation frames. All others are removed. */
const KEPT_CHUNK_TYPES = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sRGB sBIT bKGD pHYs hIST sPLT cICP mDCV cLLI acTL fcTL fdAT'.split(' '),
);

/** Removes metadata. @returns undefined if the file is damaged or not a PNG */
export function stripPng(file: Buffer): Buffer | undefined {
  if (!file.subarray(0, 8).equals(SIGNATURE)) return undefined;
  const parts: Buffer[] = [SIGNATURE];
  let offset = 8;
  while (offset + 12 <= file.length) {
    const end = offset + 12 + file.readUInt32BE(offset);
    if (end > file.length) return undefined;
    const type = file.toString('latin1', offset + 4, offset + 8);
    if (KEPT_CHUNK_TYPES.has(type)) parts.push(file.subarray(offset, end));
    if (type === 'IEND') return Buffer.concat(parts);
    offset = end;
  }
  return undefined;
}
