/**
 * Prepares a picture for the site's media bucket. Removes location and owner data, applies the EXIF rotation,
 * and limits the longer side to 4,096 px. A picture that needs no change is stored byte for byte. If only metadata is
 * removed, it is not encoded again, so that it loses no quality.
 */
import { readFile } from 'node:fs/promises';
import pLimit from 'p-limit';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { discardStagedFile, type StagedFile, stageFile } from '../bytes/staged-file.ts';
import {
  type Dimensions,
  isRasterPicture,
  MAX_PIXELS,
  readPictureHead,
  tooManyPixels,
  unreadable,
} from '../pictures.ts';
import { MAX_FILE_BYTES, type Storage } from '../storage.ts';
import { invalidRequest } from '../storage-error.ts';
import { decodeHeic, isHeic } from './decode-heic.ts';
import { stripPicture } from './strip.ts';
import { withColourProfile } from './strip-jpeg.ts';

/** Maximum length of the longer side in pixels, twice the width of most screens. */
export const MAX_SIDE = 4096;

/** Timeout for one picture. Only malicious pictures take longer. */
const MAX_SECONDS = 60;

/** Picture types without metadata. */
const TYPES_WITHOUT_METADATA = new Set(['image/bmp', 'image/x-icon', 'image/vnd.microsoft.icon', 'image/svg+xml']);

/** Runs one task at a time, because sharp and the renditions share Node's pool of four threads. */
const queue = pLimit(1);

export interface PreparedPicture {
  /** The staged file itself, or its replacement. */
  file: StagedFile;
  mimetype: string;
  dimensions?: Dimensions | undefined;
}

/**
 * Prepares a picture. If another file replaces the staged one, the staged file is deleted.
 * @throws ApiError InvalidRequest if the picture is damaged, has too many pixels, or has an unsupported type
 */
export function preparePicture(storage: Storage, file: StagedFile, mimetype: string): Promise<PreparedPicture> {
  return queue(() => prepare(storage, file, mimetype));
}

async function prepare({ stagingFolder }: Storage, file: StagedFile, mimetype: string): Promise<PreparedPicture> {
  if (TYPES_WITHOUT_METADATA.has(mimetype)) return { file, mimetype };
  if (isHeic(mimetype)) {
    const { data, info } = await encodeHeic(file);
    return { file: await replaceStaged(stagingFolder, file, data), mimetype: 'image/jpeg', dimensions: toSize(info) };
  }
  if (!isRasterPicture(mimetype) && mimetype !== 'image/apng') {
    throw invalidRequest(
      `Pictures of the type ${mimetype} may contain the location where they were taken, which cannot be removed here. Please save it as JPEG, PNG or WebP and upload that.`,
    );
  }
  const head = await readPictureHead(file.path);
  const isAnimated = (head.pages ?? 1) > 1 || mimetype === 'image/apng';
  if (isAnimated || !mustBeEncoded(head, mimetype)) {
    const bytes = await readFile(file.path);
    const strippedBytes = mimetype === 'image/avif' ? metadataFreeAvif(bytes) : stripPicture(bytes, mimetype);
    const dimensions = toSize(head.autoOrient);
    if (strippedBytes?.length === bytes.length) return { file, mimetype, dimensions };
    if (strippedBytes) return { file: await replaceStaged(stagingFolder, file, strippedBytes), mimetype, dimensions };
    if (isAnimated && mimetype !== 'image/avif') throw unreadable();
  }
  const { data, info } = await encode(file.path, head, mimetype);
  return { file: await replaceStaged(stagingFolder, file, data), mimetype, dimensions: toSize(info) };
}

/**
 * TIFF files are encoded again, because their metadata is mixed with picture data. AVIF files with metadata are encoded
 * again for the same reason.
 */
function mustBeEncoded({ autoOrient, orientation = 1, exif, xmp, iptc }: Metadata, mimetype: string): boolean {
  if (orientation !== 1 || Math.max(autoOrient.width, autoOrient.height) > MAX_SIDE) return true;
  return mimetype === 'image/tiff' || (mimetype === 'image/avif' && Boolean(exif ?? xmp ?? iptc));
}

/**
 * Returns null for an AVIF that may contain location data. The decoder reports only the metadata of the main picture,
 * but thumbnails, frames and tracks can have metadata, too.
 */
function metadataFreeAvif(bytes: Buffer): Buffer | null {
  return AVIF_METADATA.some((marker) => bytes.includes(marker)) ? null : bytes;
}

/**
 * Item and box types (ISO/IEC 23008-12) that contain EXIF or XMP. Includes `avis`, the brand of image sequences, because
 * the tracks of a sequence can contain more metadata.
 */
const AVIF_METADATA = ['Exif', 'exif', 'mime', 'application/rdf+xml', 'xpacket', 'avis', 'udta', 'uuid'];

async function encode(path: string, head: Metadata, mimetype: string) {
  const upright = sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).autoOrient();
  const scaled = shrinkToFit(upright);
  // CMYK pictures are converted to another colour space, because not all encoders support CMYK.
  const withProfile = head.space === 'cmyk' ? scaled : scaled.keepIccProfile();
  return setFormat(withProfile, mimetype, head)
    .timeout({ seconds: MAX_SECONDS })
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw unreadable(error);
    });
}

function shrinkToFit(picture: Sharp): Sharp {
  return picture.resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true });
}

/** Sets a higher quality than that of renditions, which are rendered from this file. */
function setFormat(picture: Sharp, mimetype: string, { chromaSubsampling = '4:2:0' }: Partial<Metadata>): Sharp {
  if (mimetype === 'image/png') return picture.png({ compressionLevel: 8 });
  if (mimetype === 'image/webp') return picture.webp({ quality: 90 });
  if (mimetype === 'image/avif') return picture.avif({ quality: 70, effort: 2 });
  if (mimetype === 'image/gif') return picture.gif();
  if (mimetype === 'image/tiff') return picture.tiff({ compression: 'lzw' });
  return picture.jpeg({ quality: 90, chromaSubsampling: chromaSubsampling === '4:4:4' ? '4:4:4' : '4:2:0' });
}

async function encodeHeic(file: StagedFile) {
  const { width, height, rgba, profile } = await decodeHeic(file.path, MAX_PIXELS);
  if (!rgba) throw tooManyPixels({ width, height });
  const picture = shrinkToFit(sharp(rgba, { raw: { width, height, channels: 4 } })).flatten({ background: '#fff' });
  const { data, info } = await setFormat(picture, 'image/jpeg', {}).toBuffer({ resolveWithObject: true });
  return { data: profile ? withColourProfile(data, profile) : data, info };
}

/** Returns only width and height. */
function toSize({ width, height }: Dimensions): Dimensions {
  return { width, height };
}

async function replaceStaged(incoming: string, file: StagedFile, bytes: Buffer): Promise<StagedFile> {
  const replacement = await stageFile(incoming, [bytes], MAX_FILE_BYTES);
  await discardStagedFile(file);
  return replacement;
}
