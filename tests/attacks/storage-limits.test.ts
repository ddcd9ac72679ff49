/** Attacks that overload or break the file store, with limits on. Each attack has an allowed counterpart. */
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
    const refused = await render('192.0.2.1', 'small-30.png', 320);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(await refused.json()).toEqual({
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
const ODD_PATHS = [
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
const ODD_TEXTS = ['\0', 'a\0b', '\ud800', '../..', '\n', '\u2028', '%', "'--", 'x'.repeat(5000), ''];

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

  const expectRefusal = (status: number, what: string) =>
    expect({ what, isRefused: status === 400 || status === 404 }).toEqual({ what, isRefused: true });

  test.each(ODD_PATHS)('in a URL: %s is rejected or not found by every endpoint', async (odd) => {
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
        `/${kind}/${bucket}/${odd}`,
        `/${kind}/${odd}/photo.png`,
        `/${kind}/${odd}/${odd}?token=${odd}`,
      ]) {
        expectRefusal(await send('GET', path), `GET ${path}`);
      }
    }
    for (const path of [`/bucket/${odd}`, `/bucket/${odd}/empty`, `/object/list/${odd}`, `/object/list-v2/${odd}`]) {
      const isList = path.startsWith('/object/list');
      const status = await send(isList || path.endsWith('empty') ? 'POST' : 'GET', path, isList ? {} : undefined);
      // The list of a missing bucket is empty.
      if (isList) expect(status).toBeLessThan(500);
      else expectRefusal(status, path);
    }
    for (const path of [`/object/${odd}/x.png`, `/object/upload/sign/${odd}/x`, `/object/sign/${odd}/x`]) {
      expectRefusal(await send('POST', path, { expiresIn: 60 }), `POST ${path}`);
    }
    expectRefusal(await send('PUT', `/bucket/${odd}`, { public: true }), `PUT /bucket/${odd}`);
    expectRefusal(await send('DELETE', `/bucket/${odd}`), `DELETE /bucket/${odd}`);
    expectRefusal(await send('DELETE', `/object/${bucket}/${odd}`), `DELETE /object/${bucket}/${odd}`);
  });

  test.each(ODD_TEXTS)('in a body: %j never causes a server error', async (odd) => {
    const from = { bucketId: 'content-media', sourceKey: 'photo.png', destinationKey: 'other.png' };
    const bodies: [method: string, path: string, body: object][] = [
      ['POST', '/object/list/content-media', { prefix: odd, search: odd }],
      ['POST', '/object/list-v2/content-media', { prefix: odd, cursor: odd }],
      ['POST', '/object/list-v2/content-media', { cursor: btoa(JSON.stringify(['\0', '\0'])) }],
      ['DELETE', '/object/content-media', { prefixes: [odd] }],
      ['POST', '/object/sign/content-media', { expiresIn: 60, paths: [odd] }],
      ['POST', '/object/move', { ...from, destinationKey: odd }],
      ['POST', '/object/move', { ...from, sourceKey: odd }],
      ['POST', '/object/move', { ...from, destinationBucket: odd || '\0' }],
      ['POST', '/object/copy', { ...from, bucketId: odd }],
      ['POST', '/bucket', { name: odd }],
      ['POST', '/bucket', { name: 'fine', id: odd || '\0' }],
      ['PUT', '/bucket/content-media', { file_size_limit: 1e300 }],
    ];
    for (const [method, path, body] of bodies) {
      const status = await send(method, path, body);
      expect({ path, body, status: status < 500 }).toEqual({ path, body, status: true });
    }
    expect(await send('GET', `/bucket?search=${encodeURIComponent(odd.toWellFormed())}`)).toBeLessThan(500);
  });

  test('in the metadata of an upload are rejected and not stored, and valid ones are stored', async () => {
    const upload = (metadata: object) =>
      send('POST', '/object/content-media/noted.png', 'no picture', {
        'content-type': 'text/plain',
        'x-metadata': Buffer.from(JSON.stringify(metadata)).toString('base64'),
      });
    await site.service.storage.createBucket('notes', { public: true });
    const note = async (metadata: object) => {
      const { error } = await site.service.storage.from('notes').upload('a.txt', 'text', { metadata, upsert: true });
      return error;
    };
    expect(await upload({ a: '\0' })).toBe(400);
    expect(await note({ a: '\0' })).toMatchObject({ statusCode: '400' });
    expect((await site.service.storage.from('notes').exists('a.txt')).data).toBe(false);
    expect(await note({ a: 'Blåbær' })).toBeNull();
  });
});
