/** Raster pictures: dimensions, pixel limit, and renditions. */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import sharp, { type Metadata } from 'sharp';
import { z } from 'zod';
import { ApiError } from '../http/api-error.ts';
import { invalidRequest } from './storage-error.ts';

/**
 * Maximum number of pixels. Cameras and phones produce fewer. A file of a few kilobytes can decompress to billions of
 * pixels.
 */
const MAX_MEGAPIXELS = 60;
export const MAX_PIXELS = MAX_MEGAPIXELS * 1e6;

/** Larger renditions are encoded with less effort, to stay under a second. */
const LARGE_RENDITION_PIXELS = 1e6;

// Each picture is decoded once and its renditions are cached on disk, so libvips' cache would only use memory.
sharp.cache(false);

export interface Dimensions {
  width: number;
  height: number;
}

/** Returns whether pictures of the type can be measured and rendered. */
export function isRasterPicture(type: string): boolean {
  return /^image\/(?:jpeg|png|webp|avif|gif|tiff)$/.test(type);
}

/**
 * Returns the displayed dimensions, after the EXIF rotation.
 * @throws ApiError InvalidRequest if the picture is unreadable or has too many pixels
 */
export async function measurePicture(path: string): Promise<Dimensions> {
  const { width, height } = (await readPictureHead(path)).autoOrient;
  return { width, height };
}

/**
 * Reads the header of a picture without decoding pixels.
 * @throws ApiError InvalidRequest if the picture is unreadable or has too many pixels
 */
export async function readPictureHead(path: string): Promise<Metadata> {
  const metadata = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw unreadable(error);
    });
  const { width, height } = metadata.autoOrient;
  if (width * height > MAX_PIXELS) throw tooManyPixels({ width, height });
  return metadata;
}

export function unreadable(cause?: unknown): ApiError {
  return invalidRequest('The picture cannot be read: the file is damaged.', cause);
}

export function tooManyPixels({ width, height }: Dimensions): ApiError {
  const megapixels = Math.ceil((width * height) / 1e6).toLocaleString('en-US');
  return invalidRequest(
    `The picture has ${megapixels} megapixels (${width} x ${height}). At most ${MAX_MEGAPIXELS} are accepted.`,
  );
}

/** Returns the nominal size of an SVG, or undefined if it has no size. */
export async function measureSvg(svg: string): Promise<Dimensions | undefined> {
  const metadata = await sharp(Buffer.from(svg))
    .metadata()
    .catch(() => undefined);
  return metadata && { width: metadata.width, height: metadata.height };
}

const side = z.coerce.number().int().min(1).max(2500);

/** Query parameters of a rendition, with the limits of Supabase. */
export const transformSchema = z.object({
  width: side.optional(),
  height: side.optional(),
  resize: z.enum(['cover', 'contain', 'fill']).default('cover'),
  quality: z.coerce.number().int().min(20).max(100).optional(),
  format: z.enum(['origin', 'webp', 'avif']).optional(),
});
export type Transform = z.output<typeof transformSchema>;

export const DEFAULT_QUALITY = 80;

/** Formats the header x-transformations: the transformation in the syntax of imgproxy, which Supabase Storage uses. */
export function describeTransform({ width, height, resize, quality, format }: Transform): string {
  const isResized = width !== undefined || height !== undefined;
  return [
    height !== undefined && `height:${height}`,
    width !== undefined && `width:${width}`,
    isResized && `resizing_type:${{ cover: 'fill', contain: 'fit', fill: 'force' }[resize]}`,
    quality !== undefined && `quality:${quality}`,
    format !== undefined && format !== 'origin' && `format:${format}`,
  ]
    .filter(Boolean)
    .join(',');
}

export type RenditionFormat = 'jpeg' | 'png' | 'webp' | 'avif';

/** Returns the requested format, else the smallest that the browser accepts: AVIF, WebP, or the original's. */
export function chooseFormat(transform: Transform, originType: string, accept: string): RenditionFormat {
  if (transform.format === 'avif' || transform.format === 'webp') return transform.format;
  if (transform.format === undefined && accept.includes('image/avif')) return 'avif';
  if (transform.format === undefined && accept.includes('image/webp')) return 'webp';
  if (originType === 'image/avif') return 'avif';
  if (originType === 'image/webp') return 'webp';
  return originType === 'image/jpeg' || originType === 'image/tiff' ? 'jpeg' : 'png';
}

/** @throws ApiError InvalidRequest if the picture is damaged or too large, StorageUnavailable if reading it fails */
export async function renderPicture(
  source: Readable,
  transform: Transform,
  format: RenditionFormat,
  focus: Focus = MIDDLE,
): Promise<Buffer> {
  const decoder = sharp({ limitInputPixels: MAX_PIXELS, sequentialRead: true });
  const [metadata] = await Promise.all([decoder.metadata(), pipeline(source, decoder)]).catch((error: unknown) => {
    throw error instanceof ApiError ? error : notRenderable(error);
  });
  const { box, pixels } = fitInside(transform, metadata.autoOrient);
  const upright = decoder.autoOrient();
  const croppedPicture = box.fit === 'cover' ? upright.extract(cropAround(focus, box, metadata.autoOrient)) : upright;
  const resizedPicture = croppedPicture.resize({ ...box, fit: 'fill' });
  const { quality = DEFAULT_QUALITY } = transform;
  const encoded = {
    jpeg: () =>
      resizedPicture.flatten({ background: '#fff' }).jpeg({ quality, mozjpeg: pixels <= LARGE_RENDITION_PIXELS }),
    png: () => resizedPicture.png({ compressionLevel: 8 }),
    webp: () => resizedPicture.webp({ quality, effort: pixels > LARGE_RENDITION_PIXELS ? 2 : 4 }),
    // AVIF has a different quality scale: 60 looks like 80 in other formats. A higher effort takes ten times as long
    // and makes the file only one percent smaller.
    avif: () => resizedPicture.avif({ quality: Math.max(20, quality - 20), effort: 0 }),
  }[format]();
  return encoded.toBuffer().catch((error: unknown) => {
    throw notRenderable(error);
  });
}

const notRenderable = (cause: unknown) =>
  invalidRequest('The picture cannot be read: it is damaged or too large.', cause);

/**
 * Focal point as fractions from 0 (left, top) to 1, which position the crop like percentages of CSS
 * object-position.
 */
export interface Focus {
  x: number;
  y: number;
}

export const MIDDLE: Focus = { x: 0.5, y: 0.5 };

/** Returns the largest part of the picture with the aspect ratio of the box. */
function cropAround(focus: Focus, box: Dimensions, original: Dimensions) {
  const scale = Math.min(original.width / box.width, original.height / box.height);
  const width = Math.min(original.width, Math.max(1, Math.round(box.width * scale)));
  const height = Math.min(original.height, Math.max(1, Math.round(box.height * scale)));
  const left = Math.round((original.width - width) * focus.x);
  return { left, top: Math.round((original.height - height) * focus.y), width, height };
}

/** Fits a box into the original, which is never enlarged. A larger box is scaled down with its aspect ratio. */
function fitInside(
  { width, height, resize }: Transform,
  original: Dimensions,
): { box: Dimensions & { fit: 'cover' | 'fill' }; pixels: number } {
  if (width !== undefined && height !== undefined && resize !== 'contain') {
    const shrink = Math.min(1, original.width / width, original.height / height);
    const box = { width: Math.max(1, Math.round(width * shrink)), height: Math.max(1, Math.round(height * shrink)) };
    return { box: { ...box, fit: resize }, pixels: box.width * box.height };
  }
  const scale = Math.min(1, (width ?? Infinity) / original.width, (height ?? Infinity) / original.height);
  const box = {
    width: Math.max(1, Math.round(original.width * scale)),
    height: Math.max(1, Math.round(original.height * scale)),
  };
  return { box: { ...box, fit: 'fill' }, pixels: box.width * box.height };
}
