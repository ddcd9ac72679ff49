/** Metadata of pictures in the media library, and URLs of their resized versions. */
import { PICTURE_WIDTHS } from '../../supabase/picture-widths.ts';

export interface PictureMetadata {
  /** Pixels, or null if unknown. */
  width: number | null;
  height: number | null;
  alt: string;
  /** Focal point from the top left, 0 to 1. Defaults to the centre. */
  focus?: { x: number; y: number };
}

/** Picture metadata, keyed by object name. */
export type KnownPictures = Readonly<Record<string, PictureMetadata>>;

/** A row with the metadata of its pictures. */
export type WithPictures<Row> = Row & { pictures?: KnownPictures };

/** Returns the object names of all library pictures in a text. */
export function pictureNames(text: string): string[] {
  return Array.from(text.matchAll(/\/content-media\/([^?#\s"'()<>]+)/g), ([, name = '']) => decodeName(name));
}

/** Returns the metadata of the picture with this URL. */
export function findMetadata(pictures: KnownPictures | undefined, url: string | null): PictureMetadata | undefined {
  return pictures?.[pictureNames(url ?? '')[0] ?? ''];
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** URLs of pictures with renditions. GIFs may be animated and SVGs scale, so neither is resized. */
const RASTER = /^([^?#\s,]*\/storage\/v1\/)object(\/public\/content-media\/[^?#\s,]+\.(?:jpe?g|png|webp|avif|tiff?))$/i;

/**
 * Builds `srcset` for a library picture. The browser receives AVIF or WebP.
 * @param width width of the original in pixels, the upper limit
 */
export function buildSrcSet(url: string, width: number | null = null): string | undefined {
  const [, storage, path] = RASTER.exec(url) ?? [];
  if (!path) return undefined;
  // Pictures are never upscaled, so the list ends with the first rendition that is at least as wide as the original.
  const lastIndex = PICTURE_WIDTHS.findIndex((size) => size >= (width ?? Number.POSITIVE_INFINITY));
  const sizes = lastIndex < 0 ? PICTURE_WIDTHS : PICTURE_WIDTHS.slice(0, lastIndex + 1);
  return sizes
    .map((size) => `${storage}render/image${path}?width=${size} ${Math.min(size, width ?? size)}w`)
    .join(', ');
}
