/**
 * Takes out of a picture file everything that tells of its place, time, camera or maker, and leaves every pixel as it
 * is. The parts needed to draw the picture are on a list for each format; all else goes (EXIF, XMP, IPTC, comments,
 * thumbnails, further pictures and films behind the first). The colour profile stays.
 */
import { stripGif } from './strip-gif.ts';
import { stripJpeg } from './strip-jpeg.ts';
import { stripPng } from './strip-png.ts';
import { stripWebp } from './strip-webp.ts';

const STRIPPERS: Readonly<Record<string, (file: Buffer) => Buffer | undefined>> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/apng': stripPng,
  'image/webp': stripWebp,
  'image/gif': stripGif,
};

/** @returns the file without it; undefined when it is damaged, or of a type that cannot be taken apart here */
export function stripPicture(file: Buffer, type: string): Buffer | undefined {
  return STRIPPERS[type]?.(file);
}
