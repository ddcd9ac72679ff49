/** Uploads of camera pictures to the media bucket. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resumableOptions, uploadResumably } from '../support/resumable-upload.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let backend: TestBackend;
let admin: SupabaseClient;

beforeAll(async () => {
  backend = await startTestBackend();
  admin = (await backend.signedIn('admin')).client;
});
afterAll(() => backend.close());

const media = () => admin.storage.from('content-media');

/** Uploads a file and downloads it as a visitor. */
async function uploadAndDownload(file: Buffer, name: string, contentType?: string): Promise<Buffer> {
  const { error } = await media().upload(name, file, contentType ? { contentType } : {});
  if (error) throw error;
  return download(name);
}

async function download(name: string): Promise<Buffer> {
  const { data } = await backend.visitor.storage.from('content-media').download(name);
  if (!data) throw new Error('Nothing was stored');
  return Buffer.from(await data.arrayBuffer());
}

async function readLibraryEntry(name: string) {
  const { data } = await admin.rpc('media_library', { _search: name });
  return (data as { mimetype: string; width: number; height: number; size: number }[])[0];
}

const SECRETS = ['Kari Nordmann', 'SN-4711', 'Grefsen', 'dateCreated'];
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:City="Grefsen" photoshop:dateCreated="x"/></rdf:RDF></x:xmpmeta>`;

/**
 * Creates a photo with all metadata that cameras write, such as location, owner and serial number. Its top left quarter
 * is red.
 */
function createPhoto(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
    .composite([
      {
        input: {
          create: { width: Math.ceil(width / 2), height: Math.ceil(height / 2), channels: 3, background: '#cc3333' },
        },
        left: 0,
        top: 0,
      },
    ])
    .withIccProfile('p3')
    .withExif({
      IFD0: { Artist: 'Kari Nordmann', Copyright: 'Kari Nordmann', Make: 'Phone' },
      IFD2: { BodySerialNumber: 'SN-4711' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '59/1 57/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '10/1 46/1 0/1' },
    })
    .withXmp(XMP);
}

function expectNoMetadata(file: Buffer): void {
  const text = file.toString('latin1');
  for (const secret of SECRETS) expect(text).not.toContain(secret);
}

async function readPixel(file: Buffer, left: number, top: number): Promise<number[]> {
  return [...(await sharp(file).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer())];
}

describe('A picture in the media bucket', () => {
  test.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'loses location and owner as %s, and keeps its colours',
    async (format) => {
      const file = await createPhoto(60, 40).toFormat(format).toBuffer();
      const before = await sharp(file).metadata();
      expect(before.exif).toBeDefined();
      expect(before.xmp).toBeDefined();
      const storedFile = await uploadAndDownload(file, `tagged.${format}`);
      const after = await sharp(storedFile).metadata();
      expect(after).toMatchObject({ format: before.format, width: 60, height: 40 });
      expect([after.exif, after.xmp, after.iptc]).toEqual([undefined, undefined, undefined]);
      expect(after.icc).toEqual(before.icc);
      expectNoMetadata(storedFile);
      expect(await readLibraryEntry(`tagged.${format}`)).toMatchObject({
        width: 60,
        height: 40,
        size: storedFile.length,
      });
    },
  );

  test('loses the metadata of an additional image in an AVIF, which the decoder does not report', async () => {
    const file = await createPhoto(60, 40).ensureAlpha(0.5).avif().toBuffer();
    // The alpha channel is a separate image. Point the metadata references (size, type, item, count, target) to it.
    const alphaImageId = file.readUInt16BE(file.indexOf('auxl') + 4);
    for (let start = file.indexOf('cdsc'); start >= 0; start = file.indexOf('cdsc', start + 4)) {
      file.writeUInt16BE(alphaImageId, start + 8);
    }
    const before = await sharp(file).metadata();
    expect([before.exif, before.xmp]).toEqual([undefined, undefined]);
    expect(SECRETS.some((secret) => file.includes(secret))).toBe(true);
    const storedFile = await uploadAndDownload(file, 'several.avif');
    expect(await sharp(storedFile).metadata()).toMatchObject({ format: 'heif', width: 60, height: 40 });
    expectNoMetadata(storedFile);
  });

  test.each(['jpeg', 'png', 'webp'] as const)(
    'keeps every pixel as %s, because it is not re-encoded',
    async (format) => {
      const file = await createPhoto(60, 40).toFormat(format).toBuffer();
      const storedFile = await uploadAndDownload(file, `exact.${format}`);
      expect(storedFile.length).toBeLessThan(file.length);
      const decodePixels = (picture: Buffer) => sharp(picture).raw().toBuffer();
      expect((await decodePixels(storedFile)).equals(await decodePixels(file))).toBe(true);
    },
  );

  test('is stored byte for byte if it contains no metadata to remove', async () => {
    const withoutMetadata = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#36c' } })
      .jpeg()
      .toBuffer();
    expect((await uploadAndDownload(withoutMetadata, 'plain.jpeg')).equals(withoutMetadata)).toBe(true);
  });

  test('is rotated according to its metadata, and its stored size is that of the displayed picture', async () => {
    const file = await createPhoto(60, 40).withMetadata({ orientation: 6, icc: 'p3' }).jpeg().toBuffer();
    const storedFile = await uploadAndDownload(file, 'turned.jpeg');
    const after = await sharp(storedFile).metadata();
    expect(after).toMatchObject({ width: 40, height: 60, hasProfile: true });
    expect(after.orientation).toBeUndefined();
    const [red = 0, , blue = 0] = await readPixel(storedFile, 38, 2);
    expect(red).toBeGreaterThan(blue);
    expect(await readLibraryEntry('turned.jpeg')).toMatchObject({ width: 40, height: 60 });
    expectNoMetadata(storedFile);
  });

  test('is reduced to at most 4,096 px on its longer side', async () => {
    const file = await createPhoto(5000, 2500).jpeg({ quality: 60 }).toBuffer();
    const storedFile = await uploadAndDownload(file, 'large.jpeg');
    expect(await sharp(storedFile).metadata()).toMatchObject({ width: 4096, height: 2048, hasProfile: true });
    expect(await readLibraryEntry('large.jpeg')).toMatchObject({ width: 4096, height: 2048, size: storedFile.length });
    expectNoMetadata(storedFile);
  });

  test('is processed in the same way in a resumable upload and with a signed URL', async () => {
    const file = await createPhoto(60, 40).jpeg().toBuffer();
    const { data } = await media().createSignedUploadUrl('signed.jpeg');
    await backend.visitor.storage.from('content-media').uploadToSignedUrl('signed.jpeg', data?.token ?? '', file);
    const { token } = await backend.signedIn('admin');
    const options = resumableOptions({ site: backend.url, token, name: 'pieces.jpeg', contentType: 'image/jpeg' });
    await uploadResumably(file, { ...options, chunkSize: 500 });
    for (const name of ['signed.jpeg', 'pieces.jpeg']) {
      expectNoMetadata(await download(name));
      expect(await readLibraryEntry(name)).toMatchObject({ width: 60 });
    }
  });

  test('keeps the frames of an animation, and loses the metadata in them', async () => {
    const frames = await Promise.all(
      ['#f00', '#0f0', '#00f'].map((background) =>
        sharp({ create: { width: 8, height: 8, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const animation = sharp(frames, { join: { animated: true } });
    const gif = await animation
      .clone()
      .gif({ delay: [90, 90, 90] })
      .toBuffer();
    // Image editors write a comment before the end.
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 13]), Buffer.from('Kari Nordmann'), Buffer.from([0])]);
    const withComment = Buffer.concat([gif.subarray(0, -1), comment, gif.subarray(-1)]);
    const storedGif = await uploadAndDownload(withComment, 'moving.gif');
    expect(await sharp(storedGif).metadata()).toMatchObject({ pages: 3, width: 8, delay: [90, 90, 90] });
    expectNoMetadata(storedGif);
    const webp = await animation
      .clone()
      .withExif({ IFD0: { Artist: 'Kari Nordmann' } })
      .webp({ delay: [90, 90, 90] })
      .toBuffer();
    expect(webp.toString('latin1')).toContain('Kari Nordmann');
    const storedWebp = await uploadAndDownload(webp, 'moving.webp');
    expect(await sharp(storedWebp).metadata()).toMatchObject({ pages: 3, width: 8, delay: [90, 90, 90] });
    expectNoMetadata(storedWebp);
  });

  test('is truncated after the first picture, which removes an appended video', async () => {
    const file = await createPhoto(60, 40).jpeg().toBuffer();
    const withVideo = Buffer.concat([file, Buffer.from('....ftypmp42 Grefsen')]);
    expectNoMetadata(await uploadAndDownload(withVideo, 'moving-photo.jpeg'));
  });
});

describe('HEIC', () => {
  const readPhoto = () => readFile(join(import.meta.dirname, '../support/photo.heic'));

  test('is converted to a JPEG that every browser shows', async () => {
    const file = await readPhoto();
    expect(file.toString('latin1')).toContain('Kari Nordmann');
    const storedFile = await uploadAndDownload(file, 'phone.heic');
    expect(await sharp(storedFile).metadata()).toMatchObject({ format: 'jpeg', width: 64, height: 48 });
    const [red = 0, , blue = 0] = await readPixel(storedFile, 2, 2);
    expect(red).toBeGreaterThan(blue);
    expectNoMetadata(storedFile);
    expect(await readLibraryEntry('phone.heic')).toMatchObject({ mimetype: 'image/jpeg', width: 64, height: 48 });
  });

  test('a damaged HEIC file is rejected with a message that contains a remedy', async () => {
    const file = await readPhoto();
    const { error } = await media().upload('damaged.heic', file.subarray(0, 900));
    expect(error?.message).toBe(
      'This HEIC picture cannot be read. Please save it as JPEG (on a Mac: Preview, File, Export) and upload that.',
    );
    expect((await media().info('damaged.heic')).error).not.toBeNull();
  });
});

describe('A picture whose metadata cannot be removed', () => {
  test('is rejected, and no part of it remains', async () => {
    const jxl = Buffer.concat([Buffer.from('0000000c4a584c200d0a870a', 'hex'), Buffer.alloc(200)]);
    const { error } = await media().upload('picture.jxl', jxl);
    expect(error?.message).toMatch(/^Pictures of the type image\/jxl may contain the location where they were taken/);
    expect(await readdir(join(backend.dataFolder, 'incoming'))).toEqual([]);
    const unnamed = await backend.backend.database.query('select version from backend.unnamed_bytes');
    expect(unnamed.rows).toEqual([]);
  });

  test('is rejected if it is truncated and must be rotated', async () => {
    const file = await createPhoto(600, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { error } = await media().upload('half.jpeg', file.subarray(0, file.length / 2));
    expect(error?.message).toBe('The picture cannot be read: the file is damaged.');
    expect(await readdir(join(backend.dataFolder, 'incoming'))).toEqual([]);
  });
});
