import type { SupabaseClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCompoundFile, html, pdf, picture, svg } from '../../packages/backend/tests/support/sample-files.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let backend: TestBackend;
let admin: SupabaseClient;
let adminToken: string;
let png: Buffer;

beforeAll(async () => {
  backend = await startTestBackend();
  ({ client: admin, token: adminToken } = await backend.signedIn('admin'));
  png = await picture(40, 20);
});
afterAll(() => backend.close());

const media = (client: SupabaseClient = admin) => client.storage.from('content-media');
const fetchPublic = (name: string) => fetch(media().getPublicUrl(name).data.publicUrl);
const isStored = async (name: string) => (await media().exists(name)).data;

/** Sends a request that the official client cannot make. */
function send(path: string, init: RequestInit = {}, token: string | null = adminToken): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  return fetch(`${backend.url}/storage/v1${path}`, { ...init, headers });
}

describe('The type of a file is detected from its bytes', () => {
  test('a web page named and declared as PNG is rejected, and a real picture is accepted', async () => {
    const disguised = await media().upload('page.png', html, { contentType: 'image/png' });
    expect(disguised.error).toMatchObject({
      status: 400,
      statusCode: '415',
      message: 'mime type text/html is not supported',
    });
    expect(await isStored('page.png')).toBe(false);
    expect((await media().upload('page.png', png, { contentType: 'text/html' })).error).toBeNull();
    expect((await fetchPublic('page.png')).headers.get('content-type')).toBe('image/png');
  });

  test.each([
    ['plain text', Buffer.from('just words'), 'plain text'],
    ['a script', Buffer.from('#!/bin/sh\nrm -rf /\n'), 'plain text'],
    ['a page that begins with a comment', Buffer.from('<!-- hi --><script>alert(1)</script>'), 'a web page'],
    ['a page after much white space', Buffer.from(`${' \n'.repeat(900)}<body onload=alert(1)>`), 'a web page'],
    ['a page in UTF-16', Buffer.from('\uFEFF<html><script>alert(1)</script></html>', 'utf16le'), 'a web page'],
    ['XHTML', Buffer.from('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'), 'a web page'],
    ['a file of random bytes', Buffer.from([0, 1, 2, 3, 0, 255, 254, 7, 9]), 'an unknown type'],
    ['a Windows program', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]), 'application/x-msdownload'],
    ['a spreadsheet called .doc', createCompoundFile('Workbook'), 'application/x-cfb'],
  ])('%s is rejected under the name of a picture', async (_kind, bytes, detectedType) => {
    const headers = { 'content-type': 'image/png' };
    const response = await send('/object/content-media/lie.png', {
      method: 'POST',
      headers,
      body: new Uint8Array(bytes),
    });
    expect(await response.json()).toEqual({
      statusCode: '415',
      code: 'InvalidMimeType',
      error: 'invalid_mime_type',
      message: expect.stringMatching(/^mime type [\w/.-]+ is not supported$/),
      details: `The file content was detected as ${detectedType}.`,
    });
    expect(await isStored('lie.png')).toBe(false);
  });

  test('a Word document is accepted and served as a download', async () => {
    expect((await media().upload('letter.doc', createCompoundFile('WordDocument'))).error).toBeNull();
    const response = await fetchPublic('letter.doc');
    expect(response.headers.get('content-type')).toBe('application/msword');
    expect(response.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''letter.doc");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('a PDF is shown in the browser with its own type', async () => {
    await media().upload('paper.pdf', pdf, { contentType: 'text/html' });
    const response = await fetchPublic('paper.pdf');
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBeNull();
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('a damaged picture and a picture with too many pixels are rejected with the reason', async () => {
    const damagedUpload = await media().upload('damaged.png', png.subarray(0, 30));
    expect(damagedUpload.error?.message).toBe('The picture cannot be read: the file is damaged.');
    const bomb = Buffer.from(png);
    // Set a huge width and height in the PNG header, and update the checksum.
    bomb.writeUInt32BE(30_000, 16);
    bomb.writeUInt32BE(30_000, 20);
    const crc = (await import('node:zlib')).crc32(bomb.subarray(12, 29));
    bomb.writeUInt32BE(crc, 29);
    const hugeUpload = await media().upload('bomb.png', bomb);
    expect(hugeUpload.error?.message).toBe('The picture has 900 megapixels (30000 x 30000). At most 60 are accepted.');
    expect(await isStored('bomb.png')).toBe(false);
  });
});

describe('An SVG', () => {
  test('with scripts is stored without them, and served with a policy that blocks scripts', async () => {
    const hostile = svg.replace('<rect', '<script>alert(1)</script><rect onclick="alert(2)"');
    expect((await media().upload('logos/hostile.svg', hostile)).error).toBeNull();
    const response = await fetchPublic('logos/hostile.svg');
    const text = await response.text();
    expect(text).not.toMatch(/script|onclick|alert/);
    expect(text).toContain('<rect');
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    );
    expect((await media().info('logos/hostile.svg')).data?.size).toBe(Buffer.byteLength(text));
  });

  test('is detected as SVG regardless of its name and declared type', async () => {
    await media().upload('drawing.jpg', Buffer.from(`\uFEFF<?xml version="1.0"?><!-- x -->\n${svg}`), {
      contentType: 'image/jpeg',
    });
    expect((await fetchPublic('drawing.jpg')).headers.get('content-type')).toBe('image/svg+xml');
  });

  test('that is malformed is rejected with the reason', async () => {
    const broken = await media().upload('broken.svg', svg.replace('</svg>', ''));
    expect(broken.error?.message).toMatch(/^The SVG is not well-formed XML: /);
    expect(await isStored('broken.svg')).toBe(false);
  });
});

describe('File names', () => {
  test.each([
    '..%2f..%2fetc%2fpasswd',
    'a/%2e%2e%2f%2e%2e%2fb.png',
    'a%00b.png',
    'a%0d%0aset-cookie:x.png',
    'a%5c..%5cb.png',
    'a%2f%2fb.png',
    'folder%2f',
    '%F0%9F%99%82.png',
    'a%3Fb.png',
    `${'x'.repeat(1025)}.png`,
    '%ff.png',
  ])('%s is rejected', async (name) => {
    const response = await send(`/object/content-media/${name}`, { method: 'POST', body: new Uint8Array(png) });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ statusCode: '400', error: 'InvalidKey' });
  });

  test('names with any other character that Supabase allows work in every operation', async () => {
    const name = "Folder 1/a!-._*'() &$@=;:+,b.png";
    expect((await media().upload(name, png)).error).toBeNull();
    expect((await fetchPublic(name)).status).toBe(200);
    expect((await media().move(name, '../escape.png')).error?.message).toBe('Invalid key: ../escape.png');
    expect((await media().copy(name, '/etc/passwd')).error?.message).toBe('Invalid key: /etc/passwd');
    expect((await media().remove([name])).data).toHaveLength(1);
  });

  test('SQL code in a name is treated as text', async () => {
    expect((await media().list(`'; drop table storage.objects; --`)).data).toEqual([]);
    expect((await media().remove([`' or '1'='1`])).data).toEqual([]);
    expect(await isStored('page.png')).toBe(true);
  });
});

describe('Request bodies', () => {
  test('a body of 0 bytes is rejected, raw and in a form', async () => {
    for (const body of [Buffer.alloc(0), new Blob([])]) {
      const { error } = await media().upload('empty.png', body);
      expect(error).toMatchObject({ status: 400, message: 'The file is empty: it has 0 bytes.' });
    }
    expect(await isStored('empty.png')).toBe(false);
  });

  test('a body over the limit is rejected, with and without a Content-Length', async () => {
    const announced = await media().upload('big.png', Buffer.alloc(52_428_801, 1));
    expect(announced.error).toMatchObject({
      statusCode: '413',
      message: 'The object exceeded the maximum allowed size',
    });
    await backend.service.storage.createBucket('small', { public: false, fileSizeLimit: '1kb' });
    const small = await fetch(`${backend.url}/storage/v1/object/small/a.bin`, {
      method: 'POST',
      headers: { apikey: backend.backend.keys.secretKey },
      body: new Uint8Array(1001),
    });
    expect(await small.json()).toMatchObject({
      statusCode: '413',
      message: 'The object exceeded the maximum allowed size',
      details: 'this file is larger than 1 kB.',
    });
    const chunk = new Uint8Array(1024 * 1024).fill(1);
    let chunkCount = 0;
    const endless = new ReadableStream({
      pull(controller) {
        if (chunkCount++ > 60) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const { error } = await media().upload('big.png', endless, { duplex: 'half' });
    expect(error).not.toBeNull();
    expect(await isStored('big.png')).toBe(false);
  });

  test('a malformed or empty body is rejected with a message', async () => {
    const form = await send('/object/content-media/x.png', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data' },
      body: 'x',
    });
    expect(await form.json()).toMatchObject({ message: 'The multipart form has no boundary.' });
    const fields = new FormData();
    fields.set('cacheControl', '3600');
    const noFile = await send('/object/content-media/x.png', { method: 'POST', body: fields });
    expect(await noFile.json()).toMatchObject({ message: 'No content provided' });
    const invalidJson = await send('/object/list/content-media', { method: 'POST', body: '{' });
    expect(await invalidJson.json()).toMatchObject({ statusCode: '400', message: 'The body is not valid JSON.' });
    const metadata = await send('/object/content-media/x.png', {
      method: 'POST',
      headers: { 'x-metadata': Buffer.from('[1]').toString('base64') },
      body: new Uint8Array(png),
    });
    expect(await metadata.json()).toMatchObject({ message: 'The metadata of the file must be a JSON object.' });
    expect((await send('/nonsense')).status).toBe(404);
  });

  test('injected header values do not affect response headers', async () => {
    const cached = await send('/object/content-media/cached.png', {
      method: 'POST',
      headers: { 'cache-control': 'max-age=1; "evil"' },
      body: new Uint8Array(png),
    });
    expect(cached.status).toBe(200);
    expect((await fetchPublic('cached.png')).headers.get('cache-control')).toBe('no-cache');
  });
});

describe('Credentials', () => {
  test('are required unless the path contains "public"', async () => {
    for (const [path, method] of [
      ['/bucket', 'GET'],
      ['/object/content-media/page.png', 'GET'],
      ['/object/list/content-media', 'POST'],
    ] as const) {
      const response = await send(path, { method }, null);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ statusCode: '403', message: 'Invalid Compact JWS' });
    }
    expect((await send('/object/public/content-media/page.png', {}, null)).status).toBe(200);
  });

  test('forged, expired and malformed tokens are rejected', async () => {
    const forged = `${adminToken.slice(0, -8)}AAAAAAAA`;
    const expiredToken = await new SignJWT({ role: 'authenticated' })
      .setProtectedHeader({ alg: 'ES256', kid: backend.backend.keys.current.kid })
      .setExpirationTime(1)
      .sign(backend.backend.keys.current.privateKey);
    for (const [token, message] of [
      [forged, 'signature verification failed'],
      [expiredToken, '"exp" claim timestamp check failed'],
      ['nonsense', 'Invalid Compact JWS'],
    ] as const) {
      const response = await send('/object/list/content-media', { method: 'POST', body: '{}' }, token);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ statusCode: '403', error: 'Unauthorized', message });
    }
    expect((await send('/object/list/content-media', { method: 'POST', body: '{}' })).status).toBe(200);
  });

  test('the token of a signed URL gives no access to another file, to uploads or to the rest of the API', async () => {
    await media().upload('signed.png', png);
    const { data } = await media().createSignedUrl('signed.png', 60);
    const token = new URL(data?.signedUrl ?? '').searchParams.get('token') ?? '';
    expect((await send(`/object/sign/content-media/signed.png?token=${token}`, {}, null)).status).toBe(200);
    for (const path of [
      `/object/sign/content-media/page.png?token=${token}`,
      `/object/sign/content-media/signed.png?token=${adminToken}`,
      `/object/sign/content-media/signed.png?token=${token.slice(0, -4)}AAAA`,
      '/object/sign/content-media/signed.png',
    ]) {
      expect((await send(path, {}, null)).status).toBe(400);
    }
    const upload = await media().uploadToSignedUrl('signed.png', token, png);
    expect(upload.error).not.toBeNull();
    const response = await send('/object/list/content-media', { method: 'POST', body: '{}' }, token);
    expect(response.status === 200 ? await response.json() : []).toEqual([]);
  });

  test('the token of a signed URL expires', async () => {
    const { signRead } = await import('../../packages/backend/src/storage/signed-urls.ts');
    const token = await signRead(backend.backend.keys, 'content-media/page.png', -1);
    const response = await send(`/object/sign/content-media/page.png?token=${token}`, {}, null);
    expect(await response.json()).toMatchObject({ statusCode: '400', error: 'InvalidJWT' });
  });
});

describe('A bucket that does not exist', () => {
  test('is reported as missing by every operation', async () => {
    const missing = admin.storage.from('nowhere');
    expect((await missing.upload('a.png', png)).error).toMatchObject({
      statusCode: '404',
      message: 'Bucket not found',
    });
    expect((await missing.download('a.png')).error).not.toBeNull();
    expect((await missing.list()).data).toEqual([]);
    expect((await media().move('page.png', 'a.png', { destinationBucket: 'nowhere' })).error).not.toBeNull();
    expect((await fetch(missing.getPublicUrl('a.png').data.publicUrl)).status).toBe(400);
    expect(await isStored('page.png')).toBe(true);
  });
});
