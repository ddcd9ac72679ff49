/** PNG: a signature, then chunks of length, type, data and checksum. */

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Pixels, colours, physical size, and frames of an animation. */
const NEEDED = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sRGB sBIT bKGD pHYs hIST sPLT cICP mDCV cLLI acTL fcTL fdAT'.split(' '),
);

/** @returns undefined if it is damaged */
export function stripPng(file: Buffer): Buffer | undefined {
  if (!file.subarray(0, 8).equals(SIGNATURE)) return undefined;
  const parts: Buffer[] = [SIGNATURE];
  let place = 8;
  while (place + 12 <= file.length) {
    const end = place + 12 + file.readUInt32BE(place);
    if (end > file.length) return undefined;
    const type = file.toString('latin1', place + 4, place + 8);
    if (NEEDED.has(type)) parts.push(file.subarray(place, end));
    if (type === 'IEND') return Buffer.concat(parts);
    place = end;
  }
  return undefined;
}
