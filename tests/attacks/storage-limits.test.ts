/** Attacks that overload or break the file store, with rate limits enabled. Each attack has an allowed counterpart. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { PICTURE_WIDTHS } from '../../supabase/picture-widths.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let token: string;
beforeAll(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on' });
  const admin = await site.signedIn('admin');
  token = admin.token;
  await admin.client.storage.from('content-media').upload('photo.png', await picture(300, 300));
});
afterAll(() => site.close());

describe('Renditions', () => {
  async function render(from: string, name: string, width: number): Promise<Response> {
    const response = await fetch(`${site.url}/storage/v1/render/image/public/content-media/${name}?width=${width}`, {
      headers: { 'x-forwarded-for': from, accept: 'image/png' },
    });
    if (response.ok) await response.arrayBuffer();
    return response;
  }

  test('are generated 240 times a minute per IP address, cached ones are served, and other visitors are not affected', async () => {
    const small = await picture(20, 20);
    const { storage } = site.service;
    for (let n = 0; n < 31; n++) await storage.from('content-media').upload(`small-${n}.png`, small);
    for (let n = 0; n < 30; n++) {
      for (const width of PICTURE_WIDTHS) expect((await render('192.0.2.1', `small-${n}.png`, width)).status).toBe(200);
    }
    const response = await render('192.0.2.1', 'small-30.png', 320);
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('60');
    expect(await response.json()).toEqual({
      statusCode: '429',
      code: 'SlowDown',
      error: 'Slow down',
      message: 'Too many picture sizes requested. Please try again in a minute.',
    });
    expect((await render('192.0.2.1', 'small-0.png', 320)).status).toBe(200);
    expect((await render('192.0.2.2', 'small-30.png', 320)).status).toBe(200);
    expect((await render('192.0.2.1', 'small-30.png', 320)).status).toBe(200);
  });
});

/** Parts of a URL or of JSON that are invalid names. */
const INVALID_PATHS = [
  '%00',
  'a%00b',
  '%ff',
  '%c0%ae%c0%ae',
  '..%2f..%2fx',
  '%0a',
  '%7f',
  '%E2%80%A8',
  '%25',
  "'--",
  '%zz',
];
const INVALID_TEXTS = ['\0', 'a\0b', '\ud800', '../..', '\n', '\u2028', '%', "'--", 'x'.repeat(5000), ''];

describe('Invalid names', () => {
  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${site.url}/storage/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    return response.status;
  }

  const expectRejected = (status: number, request: string) =>
    expect({ request, isRejected: status === 400 || status === 404 }).toEqual({ request, isRejected: true });

  test.each(INVALID_PATHS)('an invalid name in a URL (%s) is rejected or not found by every endpoint', async (part) => {
    const bucket = 'content-media';
    const reads = [
      'object/public',
      'object/info/public',
      'object/authenticated',
      'object/info',
      'object',
      'object/sign',
    ];
    for (const kind of [...reads, 'render/image/public', 'render/image/authenticated', 'render/image/sign']) {
      for (const path of [
        `/${kind}/${bucket}/${part}`,
        `/${kind}/${part}/photo.png`,
        `/${kind}/${part}/${part}?token=${part}`,
      ]) {
        expectRejected(await send('GET', path), `GET ${path}`);
      }
    }
    for (const path of [
      `/bucket/${part}`,
      `/bucket/${part}/empty`,
      `/object/list/${part}`,
      `/object/list-v2/${part}`,
    ]) {
      const isList = path.startsWith('/object/list');
      const status = await send(isList || path.endsWith('empty') ? 'POST' : 'GET', path, isList ? {} : undefined);
      // The list of a missing bucket is empty.
      if (isList) expect(status).toBeLessThan(500);
      else expectRejected(status, path);
    }
    for (const path of [`/object/${part}/x.png`, `/object/upload/sign/${part}/x`, `/object/sign/${part}/x`]) {
      expectRejected(await send('POST', path, { expiresIn: 60 }), `POST ${path}`);
    }
    expectRejected(await send('PUT', `/bucket/${part}`, { public: true }), `PUT /bucket/${part}`);
    expectRejected(await send('DELETE', `/bucket/${part}`), `DELETE /bucket/${part}`);
    expectRejected(await send('DELETE', `/object/${bucket}/${part}`), `DELETE /object/${bucket}/${part}`);
  });

  test.each(INVALID_TEXTS)('an invalid name in a body (%j) never causes a server error', async (part) => {
    const source = { bucketId: 'content-media', sourceKey: 'photo.png', destinationKey: 'other.png' };
    const bodies: [method: string, path: string, body: object][] = [
      ['POST', '/object/list/content-media', { prefix: part, search: part }],
      ['POST', '/object/list-v2/content-media', { prefix: part, cursor: part }],
      ['POST', '/object/list-v2/content-media', { cursor: btoa(JSON.stringify(['\0', '\0'])) }],
      ['DELETE', '/object/content-media', { prefixes: [part] }],
      ['POST', '/object/sign/content-media', { expiresIn: 60, paths: [part] }],
      ['POST', '/object/move', { ...source, destinationKey: part }],
      ['POST', '/object/move', { ...source, sourceKey: part }],
      ['POST', '/object/move', { ...source, destinationBucket: part || '\0' }],
      ['POST', '/object/copy', { ...source, bucketId: part }],
      ['POST', '/bucket', { name: part }],
      ['POST', '/bucket', { name: 'fine', id: part || '\0' }],
      ['PUT', '/bucket/content-media', { file_size_limit: 1e300 }],
    ];
    for (const [method, path, body] of bodies) {
      const status = await send(method, path, body);
      expect({ path, body, status: status < 500 }).toEqual({ path, body, status: true });
    }
    expect(await send('GET', `/bucket?search=${encodeURIComponent(part.toWellFormed())}`)).toBeLessThan(500);
  });

  test('invalid names in the metadata of an upload are rejected and not stored, and valid ones are stored', async () => {
    const upload = (metadata: object) =>
      send('POST', '/object/content-media/noted.png', 'no picture', {
        'content-type': 'text/plain',
        'x-metadata': Buffer.from(JSON.stringify(metadata)).toString('base64'),
      });
    await site.service.storage.createBucket('notes', { public: true });
    const uploadNote = async (metadata: object) => {
      const { error } = await site.service.storage.from('notes').upload('a.txt', 'text', { metadata, upsert: true });
      return error;
    };
    expect(await upload({ a: '\0' })).toBe(400);
    expect(await uploadNote({ a: '\0' })).toMatchObject({ statusCode: '400' });
    expect((await site.service.storage.from('notes').exists('a.txt')).data).toBe(false);
    expect(await uploadNote({ a: 'Blåbær' })).toBeNull();
  });
});
