/** What pages know of the pictures of the media library, and the sizes in which its storage draws them. */

export interface PictureFacts {
  /** Pixels; null where nobody measured it. */
  width: number | null;
  height: number | null;
  alt: string;
  /** Where its subject is, from the left and from the top, 0 to 1. Missing: in the middle. */
  focus?: { x: number; y: number };
}

/** By the name in the library. */
export type KnownPictures = Readonly<Record<string, PictureFacts>>;

/** A row with what is known of the pictures that it shows. */
export type WithPictures<Row> = Row & { pictures?: KnownPictures };

/** The names of all pictures of the library that a text mentions. */
export function pictureNames(text: string): string[] {
  return Array.from(text.matchAll(/\/content-media\/([^?#\s"'()<>]+)/g), ([, name = '']) => decoded(name));
}

/** What is known of the picture at an address. */
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

/** Pixels. Few, so that visitors share what was drawn for the first of them. */
const WIDTHS = [320, 480, 640, 960, 1280, 1600, 2000, 2400];

/** A GIF or SVG has no sizes here: the one may move, the other is sharp in all. */
const RASTER = /^([^?#\s,]*\/storage\/v1\/)object(\/public\/content-media\/[^?#\s,]+\.(?:jpe?g|png|webp|avif|tiff?))$/i;

/**
 * The value of srcset for a picture of the library: AVIF or WebP, as the browser takes it.
 * @param width of the original, more than which there is not
 */
export function sizesOf(address: string, width: number | null = null): string | undefined {
  const [, storage, path] = RASTER.exec(address) ?? [];
  if (!path) return undefined;
  const last = Math.min(width ?? 2400, 2400);
  return [...WIDTHS.filter((size) => size < last), last]
    .map((size) => `${storage}render/image${path}?width=${size} ${size}w`)
    .join(', ');
}
