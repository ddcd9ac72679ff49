/** Facts about the pictures of the media library, and the sizes in which its storage draws them. */
import { PICTURE_WIDTHS } from '../../supabase/picture-widths.ts';

export interface PictureFacts {
  /** Pixels; null where nobody measured it. */
  width: number | null;
  height: number | null;
  alt: string;
  /** Position of its subject, from the left and from the top, 0 to 1. Missing: in the middle. */
  focus?: { x: number; y: number };
}

/** By the name in the library. */
export type KnownPictures = Readonly<Record<string, PictureFacts>>;

/** A row with what is known of the pictures that it shows. */
export type WithPictures<Row> = Row & { pictures?: KnownPictures };

/** Lists the names of all pictures of the library that a text mentions. */
export function pictureNames(text: string): string[] {
  return Array.from(text.matchAll(/\/content-media\/([^?#\s"'()<>]+)/g), ([, name = '']) => decoded(name));
}

/** Returns the known facts of the picture at an address. */
export function factsOf(pictures: KnownPictures | undefined, address: string | null): PictureFacts | undefined {
  return pictures?.[pictureNames(address ?? '')[0] ?? ''];
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** A GIF or SVG has no sizes here: the one may move, the other is sharp in all. */
const RASTER = /^([^?#\s,]*\/storage\/v1\/)object(\/public\/content-media\/[^?#\s,]+\.(?:jpe?g|png|webp|avif|tiff?))$/i;

/**
 * Returns the value of srcset for a picture of the library: AVIF or WebP, as the browser takes it.
 * @param width of the original, more than which there is not
 */
export function sizesOf(address: string, width: number | null = null): string | undefined {
  const [, storage, path] = RASTER.exec(address) ?? [];
  if (!path) return undefined;
  // No picture is drawn larger than it is: the first size that is not smaller than the original is as wide as that.
  const enough = PICTURE_WIDTHS.findIndex((size) => size >= (width ?? Number.POSITIVE_INFINITY));
  const sizes = enough < 0 ? PICTURE_WIDTHS : PICTURE_WIDTHS.slice(0, enough + 1);
  return sizes
    .map((size) => `${storage}render/image${path}?width=${size} ${Math.min(size, width ?? size)}w`)
    .join(', ');
}
