import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pdf, picture } from '../../packages/backend/tests/support/sample-files.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let backend: TestBackend;
let admin: SupabaseClient;
let png: Buffer;

beforeAll(async () => {
  backend = await startTestBackend();
  admin = (await backend.signedIn('admin')).client;
  png = await picture(40, 20);
});
afterAll(() => backend.close());

const media = (client: SupabaseClient = admin) => client.storage.from('content-media');
const readBytes = async (blob: Blob | null) => Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer());
const publicUrl = (name: string, options = {}) => media().getPublicUrl(name, options).data.publicUrl;

describe('Uploading', () => {
  test('a file uploaded as raw bytes is downloaded byte for byte', async () => {
    const uploadResult = await media().upload('raw/one.png', png, { contentType: 'image/png' });
    expect(uploadResult.error).toBeNull();
    expect(uploadResult.data).toEqual({
      id: expect.any(String),
      path: 'raw/one.png',
      fullPath: 'content-media/raw/one.png',
    });
    const downloaded = await media().download('raw/one.png');
    expect(await readBytes(downloaded.data)).toEqual(png);
    expect(downloaded.data?.type).toBe('image/png');
    expect((await media().info('raw/one.png')).data?.metadata).toEqual({});
  });

  test('a multipart upload is downloaded byte for byte, with its cache time and metadata', async () => {
    const blob = new Blob([new Uint8Array(png)], { type: 'image/png' });
    const uploadResult = await media().upload('form/one.png', blob, {
      cacheControl: '60',
      metadata: { credit: 'Kari Nordmann' },
    });
    expect(uploadResult.error).toBeNull();
    const response = await fetch(publicUrl('form/one.png'));
    expect(response.headers.get('cache-control')).toBe('max-age=60');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
    const info = await media().info('form/one.png');
    expect(info.data?.metadata).toEqual({ credit: 'Kari Nordmann' });
  });

  test('a raw upload keeps its metadata and cache time', async () => {
    await media().upload('raw/described.png', png, { cacheControl: '31536000', metadata: { credit: 'Ola 🙂' } });
    expect((await media().info('raw/described.png')).data).toMatchObject({
      name: 'raw/described.png',
      bucketId: 'content-media',
      size: png.length,
      contentType: 'image/png',
      cacheControl: 'max-age=31536000',
      metadata: { credit: 'Ola 🙂' },
    });
  });

  test('a stream can be uploaded', async () => {
    const stream = new Blob([new Uint8Array(png)]).stream();
    expect((await media().upload('stream.png', stream, { duplex: 'half' })).error).toBeNull();
    expect(await readBytes((await media().download('stream.png')).data)).toEqual(png);
  });

  test('the displayed dimensions of a picture are stored', async () => {
    await media().upload('wide.png', await picture(300, 100));
    const [file] = (await media().list('', { search: 'wide' })).data ?? [];
    expect(file?.metadata).toMatchObject({ width: 300, height: 100, mimetype: 'image/png', size: expect.any(Number) });
  });

  test('an existing name is rejected without upsert, and upsert deletes the old bytes', async () => {
    const otherPng = await picture(8, 8);
    await media().upload('taken.png', png);
    const duplicate = await media().upload('taken.png', otherPng);
    expect(duplicate.error).toMatchObject({ status: 400, statusCode: '409', message: 'The resource already exists' });
    expect(await readBytes((await media().download('taken.png')).data)).toEqual(png);
    expect((await media().upload('taken.png', otherPng, { upsert: true })).error).toBeNull();
    expect(await readBytes((await media().download('taken.png')).data)).toEqual(otherPng);
    expect((await media().list('', { search: 'taken' })).data).toHaveLength(1);
  });

  test('update replaces an existing file and rejects a missing one', async () => {
    await media().upload('updated.png', png);
    const otherPng = await picture(9, 9);
    expect((await media().update('updated.png', otherPng)).error).toBeNull();
    expect(await readBytes((await media().download('updated.png')).data)).toEqual(otherPng);
    expect((await media().update('never-there.png', otherPng)).error).toMatchObject({ statusCode: '404' });
  });
});

describe('Downloading', () => {
  test('a request with the ETag or the modification date of a response gets a 304', async () => {
    await media().upload('cached.png', png);
    const first = await fetch(publicUrl('cached.png'));
    const etag = first.headers.get('etag') ?? '';
    const lastModified = first.headers.get('last-modified') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const conditions: [string, string][] = [
      ['if-none-match', etag],
      ['if-none-match', `W/${etag}`],
      ['if-modified-since', lastModified],
    ];
    for (const condition of conditions) {
      const response = await fetch(publicUrl('cached.png'), { headers: [condition] });
      expect(response.status).toBe(304);
      expect(response.headers.get('etag')).toBe(etag);
      expect(await response.text()).toBe('');
    }
    expect((await fetch(publicUrl('cached.png'), { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=5-', 5, undefined],
    ['bytes=-7', -7, undefined],
    ['bytes=2-999999', 2, undefined],
  ])('range %s returns 206 and exactly those bytes', async (range, start, end) => {
    await media().upload('ranged.png', png, { upsert: true });
    const response = await fetch(publicUrl('ranged.png'), { headers: { range } });
    const expected = png.subarray(start, end);
    expect(response.status).toBe(206);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(expected);
    expect(response.headers.get('content-length')).toBe(String(expected.length));
    expect(response.headers.get('content-range')).toMatch(new RegExp(`^bytes \\d+-\\d+/${png.length}$`));
  });

  test.each([
    ['mp4', 'video/mp4', '000000186674797069736f6d0000020069736f6d6d703432'],
    ['webm', 'video/webm', '1a45dfa39f4286810142f7810142f2810442f381084282847765626d'],
  ])('a video (%s) is served with its type, in the ranges that browsers request', async (extension, type, start) => {
    const bytes = Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(3000, 7)]);
    const { error } = await media().upload(`film.${extension}`, bytes, { contentType: type, upsert: true });
    expect(error).toBeNull();
    const fullRange = await fetch(publicUrl(`film.${extension}`), { headers: { range: 'bytes=0-' } });
    expect(fullRange.status).toBe(206);
    expect(fullRange.headers.get('content-type')).toBe(type);
    expect(fullRange.headers.get('accept-ranges')).toBe('bytes');
    expect(fullRange.headers.get('content-disposition')).toBeNull();
    expect(fullRange.headers.get('content-security-policy')).toBeNull();
    expect(fullRange.headers.get('content-range')).toBe(`bytes 0-${bytes.length - 1}/${bytes.length}`);
    const middle = await fetch(publicUrl(`film.${extension}`), { headers: { range: 'bytes=1000-1999' } });
    expect(Buffer.from(await middle.arrayBuffer())).toEqual(bytes.subarray(1000, 2000));
  });

  test('a range beyond the end returns 416, and an invalid or outdated range is ignored', async () => {
    await media().upload('ranged.png', png, { upsert: true });
    const fetchRange = (headers: Record<string, string>) => fetch(publicUrl('ranged.png'), { headers });
    expect((await fetchRange({ range: 'bytes=99999-' })).status).toBe(416);
    expect((await fetchRange({ range: 'lines=1-2' })).status).toBe(200);
    expect((await fetchRange({ range: 'bytes=0-1,4-5' })).status).toBe(200);
    expect((await fetchRange({ range: 'bytes=0-1', 'if-range': '"outdated"' })).status).toBe(200);
  });

  test('HEAD returns only the headers', async () => {
    await media().upload('head.png', png);
    const head = await fetch(publicUrl('head.png'), { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String(png.length));
    expect((await fetch(publicUrl('absent.png'), { method: 'HEAD' })).status).toBe(400);
  });

  test('?download sets another file name', async () => {
    await media().upload('saved.png', png);
    const response = await fetch(publicUrl('saved.png', { download: 'Årsrapport (ny).png' }));
    expect(response.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''%C3%85rsrapport%20%28ny%29.png",
    );
    const unnamed = await fetch(publicUrl('saved.png', { download: true }));
    expect(unnamed.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''saved.png");
  });

  test('exists returns whether a file exists', async () => {
    await media().upload('there.png', png);
    expect((await media().exists('there.png')).data).toBe(true);
    expect((await media().exists('not-there.png')).data).toBe(false);
  });

  test('a missing file returns status 400 with a 404 in the body', async () => {
    const response = await fetch(publicUrl('not-there.png'));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      statusCode: '404',
      code: 'NoSuchKey',
      error: 'not_found',
      message: 'Object not found',
    });
  });
});

describe('Moving, copying and deleting', () => {
  test('a move keeps bytes and metadata, and the old name no longer exists', async () => {
    await media().upload('move/from.pdf', pdf, { metadata: { note: 'kept' } });
    expect((await media().move('move/from.pdf', 'move/to.pdf')).data).toMatchObject({ message: 'Successfully moved' });
    expect(await readBytes((await media().download('move/to.pdf')).data)).toEqual(pdf);
    expect((await media().info('move/to.pdf')).data?.metadata).toEqual({ note: 'kept' });
    expect((await media().exists('move/from.pdf')).data).toBe(false);
  });

  test('a copy still exists after the original is deleted', async () => {
    await media().upload('copy/from.pdf', pdf);
    expect((await media().copy('copy/from.pdf', 'copy/to.pdf')).data).toEqual({ path: 'content-media/copy/to.pdf' });
    expect((await media().remove(['copy/from.pdf'])).data).toMatchObject([{ name: 'copy/from.pdf' }]);
    expect(await readBytes((await media().download('copy/to.pdf')).data)).toEqual(pdf);
    expect((await media().download('copy/from.pdf')).error).not.toBeNull();
  });

  test('a move or copy fails if the target exists or the source is missing', async () => {
    await media().upload('busy/a.pdf', pdf);
    await media().upload('busy/b.png', png);
    for (const result of [
      await media().move('busy/a.pdf', 'busy/b.png'),
      await media().copy('busy/a.pdf', 'busy/b.png'),
    ]) {
      expect(result.error).toMatchObject({ statusCode: '409' });
    }
    for (const result of [
      await media().move('busy/x.pdf', 'busy/y.pdf'),
      await media().copy('busy/x.pdf', 'busy/y.pdf'),
    ]) {
      expect(result.error).toMatchObject({ statusCode: '404', message: 'Object not found' });
    }
    expect(await readBytes((await media().download('busy/b.png')).data)).toEqual(png);
  });

  test('deleting many files returns the files that existed', async () => {
    await media().upload('many/1.pdf', pdf);
    await media().upload('many/2.pdf', pdf);
    const removeResult = await media().remove(['many/1.pdf', 'many/2.pdf', 'many/3.pdf']);
    expect(removeResult.data?.map(({ name }) => name).sort()).toEqual(['many/1.pdf', 'many/2.pdf']);
    expect((await media().list('many')).data).toEqual([]);
  });
});

describe('Signed URLs', () => {
  test('give anyone access to one file of a private bucket until they expire', async () => {
    await backend.service.storage.createBucket('private-files', { public: false });
    const files = backend.service.storage.from('private-files');
    await files.upload('folder/a b.pdf', pdf);
    const { data } = await files.createSignedUrl('folder/a b.pdf', 60);
    const response = await fetch(data?.signedUrl ?? '');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(pdf);
    const downloadUrl = await files.createSignedUrl('folder/a b.pdf', 60, { download: 'report.pdf' });
    expect((await fetch(downloadUrl.data?.signedUrl ?? '')).headers.get('content-disposition')).toContain('report.pdf');
    expect((await backend.visitor.storage.from('private-files').download('folder/a b.pdf')).error).not.toBeNull();
    expect((await fetch(files.getPublicUrl('folder/a b.pdf').data.publicUrl)).status).toBe(400);
  });

  test('can be created for many files at once, with an error for missing files', async () => {
    await media().upload('signed/1.pdf', pdf);
    const { data } = await media().createSignedUrls(['signed/1.pdf', 'signed/2.pdf'], 60);
    expect(data).toMatchObject([
      { path: 'signed/1.pdf', error: null },
      { path: 'signed/2.pdf', signedUrl: null, error: expect.stringContaining('does not exist') },
    ]);
    expect((await fetch(data?.[0]?.signedUrl ?? '')).status).toBe(200);
  });

  test('a signed upload URL lets a visitor store exactly one file', async () => {
    const { data } = await media().createSignedUploadUrl('guest/photo.png');
    const guest = media(backend.visitor);
    const uploadResult = await guest.uploadToSignedUrl('guest/photo.png', data?.token ?? '', png);
    expect(uploadResult.data).toEqual({ path: 'guest/photo.png', fullPath: 'content-media/guest/photo.png' });
    expect(await readBytes((await media().download('guest/photo.png')).data)).toEqual(png);
    const reused = await guest.uploadToSignedUrl('guest/photo.png', data?.token ?? '', png);
    expect(reused.error).toMatchObject({ statusCode: '409' });
    const otherName = await guest.uploadToSignedUrl('guest/other.png', data?.token ?? '', png);
    expect(otherName.error).toMatchObject({ message: 'Invalid signature' });
  });
});
