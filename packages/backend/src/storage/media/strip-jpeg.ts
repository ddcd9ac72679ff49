/** Strips metadata from JPEG files (ITU-T T.81): segments that start with FF and a marker. Coded data follows each SOS. */

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COM = 0xfe;

/** Removes metadata. @returns undefined if the file is damaged or not a JPEG */
export function stripJpeg(file: Buffer): Buffer | undefined {
  if (file[0] !== 0xff || file[1] !== SOI) return undefined;
  const parts: Buffer[] = [file.subarray(0, 2)];
  let offset = 2;
  while (offset + 4 <= file.length || file[offset + 1] === EOI) {
    if (file[offset] !== 0xff) return undefined;
    const marker = file[offset + 1] ?? 0;
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    if (marker === EOI) {
      // Drop all data after the end, where cameras store further pictures or the video of a motion photo.
      parts.push(file.subarray(offset, offset + 2));
      return Buffer.concat(parts);
    }
    const end = offset + 2 + file.readUInt16BE(offset + 2);
    if (end < offset + 4 || end > file.length) return undefined;
    const segment = file.subarray(offset, end);
    if (isKept(marker, segment)) parts.push(segment);
    offset = end;
    if (marker === SOS) {
      offset = endOfScan(file, end);
      parts.push(file.subarray(end, offset));
    }
  }
  return undefined;
}

/**
 * Returns whether an application segment is kept: JFIF without its thumbnail extension, the colour profile, and Adobe's
 * colour transform.
 */
function isKept(marker: number, segment: Buffer): boolean {
  if (marker === APP0) return startsWith(segment, 'JFIF\0');
  if (marker === APP2) return startsWith(segment, 'ICC_PROFILE\0');
  if (marker === APP14) return startsWith(segment, 'Adobe');
  return marker !== COM && (marker < APP0 || marker > APP15);
}

function startsWith(segment: Buffer, text: string): boolean {
  return segment.subarray(4, 4 + text.length).equals(Buffer.from(text, 'latin1'));
}

/**
 * Returns the end of coded data, in which FF is followed by 00 or a restart marker. Any other byte after FF starts the
 * next segment.
 */
function endOfScan(file: Buffer, from: number): number {
  let offset = file.indexOf(0xff, from);
  while (offset !== -1) {
    const next = file[offset + 1];
    if (next !== 0 && !(next !== undefined && next >= 0xd0 && next <= 0xd7)) return offset;
    offset = file.indexOf(0xff, offset + 2);
  }
  return file.length;
}

/** Adds a colour profile to a JPEG. It must fit in one segment. */
export function withColourProfile(jpeg: Buffer, profile: Buffer): Buffer {
  const head = Buffer.from([0xff, APP2, 0, 0, ...Buffer.from('ICC_PROFILE\0', 'latin1'), 1, 1]);
  if (head.length - 2 + profile.length > 0xffff) return jpeg;
  head.writeUInt16BE(head.length - 2 + profile.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, profile, jpeg.subarray(2)]);
}
