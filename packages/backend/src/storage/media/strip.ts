/**
 * Removes location, time, camera and author from a picture file without changing its pixels. For each format, the parts
 * needed to draw the picture are on an allowlist. All others are removed (EXIF, XMP, IPTC, comments, thumbnails,
 * further images and videos). The colour profile is kept.
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

/** @returns the file without metadata, or undefined if the file is damaged, or its type is not supported */
export function stripPicture(file: Buffer, type: string): Buffer | undefined {
  return STRIPPERS[type]?.(file);
}
