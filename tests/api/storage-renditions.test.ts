import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSrcSet } from '../../app/api/pictures.ts';
import { createRenderQueue } from '../../packages/backend/src/storage/render-queue.ts';
import { openRenditionCache } from '../../packages/backend/src/storage/rendition-cache.ts';
import { pdf, picture, svg } from '../../packages/backend/tests/support/sample-files.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let backend: TestBackend;
let admin: SupabaseClient;
let authorization: string;

beforeAll(async () => {
  backend = await startTestBackend();
  const signedIn = await backend.signedIn('admin');
  admin = signedIn.client;
  authorization = `Bearer ${signedIn.token}`;
  await media().upload('photo.jpg', await picture(400, 200, 'jpeg'));
});
afterAll(() => backend.close());

const media = (client: SupabaseClient = admin) => client.storage.from('content-media');

async function render(name: string, query: string, accept = 'image/png,*/*') {
  const url = `${backend.url}/storage/v1/render/image/authenticated/content-media/${name}?${query}`;
  const response = await fetch(url, { headers: { accept, authorization } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const { width, height, format } = response.ok ? await sharp(bytes).metadata() : {};
  return { response, bytes, size: `${width}x${height}`, format };
}

describe('A rendition', () => {
  test.each([
    ['width=100', '100x50'],
    ['height=100', '200x100'],
    ['width=100&height=100', '100x100'],
    ['width=100&height=100&resize=cover', '100x100'],
    ['width=100&height=100&resize=contain', '100x50'],
    ['width=100&height=100&resize=fill', '100x100'],
    ['', '400x200'],
  ])('of a 400 x 200 picture with %s is %s', async (query, size) => {
    expect((await render('photo.jpg', query)).size).toBe(size);
  });

  test.each([
    ['width=800', '400x200'],
    ['width=2500&height=2500&resize=contain', '400x200'],
    ['width=800&height=800', '200x200'],
    ['width=800&height=400&resize=fill', '400x200'],
    ['width=1&resize=contain', '1x1'],
  ])('is never larger than the original and never empty: %s gives %s', async (query, size) => {
    expect((await render('photo.jpg', query)).size).toBe(size);
  });

  test('a cropped rendition keeps the focal point visible', async () => {
    const halves = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#3366cc' } })
      .composite([
        { input: { create: { width: 200, height: 200, channels: 3, background: '#cc3333' } }, left: 0, top: 0 },
      ])
      .png()
      .toBuffer();
    await media().upload('halves.png', halves);
    const readColours = async () => {
      const { bytes } = await render('halves.png', 'width=100&height=100');
      const pixels = await sharp(bytes).removeAlpha().raw().toBuffer();
      return [pixels.subarray(0, 3).toString('hex'), pixels.subarray(-3).toString('hex')];
    };
    expect(await readColours()).toEqual(['cc3333', '3366cc']);
    await admin.rpc('set_media_focus', { _name: 'halves.png', _x: 1, _y: 0.5 });
    expect(await readColours()).toEqual(['3366cc', '3366cc']);
    await admin.rpc('set_media_focus', { _name: 'halves.png', _x: 0, _y: 0.5 });
    expect(await readColours()).toEqual(['cc3333', 'cc3333']);
  });

  test('has the requested format, or the best one that the browser accepts', async () => {
    const modernAccept = 'image/avif,image/webp,*/*';
    expect(await render('photo.jpg', 'width=50', modernAccept)).toMatchObject({ format: 'heif' });
    expect(await render('photo.jpg', 'width=50', 'image/webp,*/*')).toMatchObject({ format: 'webp' });
    expect((await render('photo.jpg', 'width=50', modernAccept)).response.headers.get('vary')).toContain('Accept');
    expect(await render('photo.jpg', 'width=50')).toMatchObject({ format: 'jpeg' });
    expect(await render('photo.jpg', 'width=50&format=origin', modernAccept)).toMatchObject({ format: 'jpeg' });
    expect(await render('photo.jpg', 'width=50&format=webp')).toMatchObject({ format: 'webp' });
    const { response } = await render('photo.jpg', 'width=50&format=avif');
    expect(response.headers.get('content-type')).toBe('image/avif');
  });

  test('is smaller with lower quality', async () => {
    const noise = await sharp(Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, index) => (index * 7919) % 251)), {
      raw: { width: 300, height: 300, channels: 3 },
    })
      .jpeg({ quality: 95 })
      .toBuffer();
    await media().upload('noise.jpg', noise);
    const [lowQuality, highQuality] = await Promise.all([
      render('noise.jpg', 'quality=20'),
      render('noise.jpg', 'quality=90'),
    ]);
    expect(lowQuality.bytes.length).toBeLessThan(highQuality.bytes.length / 2);
  });

  test('is rotated upright and contains no location or camera metadata', async () => {
    const rotated = await sharp(await picture(60, 30, 'jpeg'))
      .withExif({ IFD0: { Artist: 'Kari' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    await media().upload('rotated.jpg', rotated);
    const [file] = (await media().list('', { search: 'rotated' })).data ?? [];
    expect(file?.metadata).toMatchObject({ width: 30, height: 60 });
    const { bytes, size } = await render('rotated.jpg', 'width=15');
    expect(size).toBe('15x30');
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  });

  test('is created once for concurrent requests, and its ETag gives a 304', async () => {
    const [first, second] = await Promise.all([render('photo.jpg', 'width=77'), render('photo.jpg', 'width=77')]);
    const etag = first.response.headers.get('etag') ?? '';
    expect(second.response.headers.get('etag')).toBe(etag);
    expect(first.bytes).toEqual(second.bytes);
    const revalidated = await fetch(first.response.url, {
      headers: { 'if-none-match': etag, accept: 'image/png', authorization },
    });
    expect(revalidated.status).toBe(304);
  });

  test('changes with the picture', async () => {
    await media().upload('changing.png', await picture(100, 100));
    expect((await render('changing.png', 'width=50')).size).toBe('50x50');
    await media().upload('changing.png', await picture(100, 20), { upsert: true });
    expect((await render('changing.png', 'width=50')).size).toBe('50x10');
    await media().remove(['changing.png']);
    expect((await render('changing.png', 'width=50')).response.status).toBe(400);
  });

  test('can be requested with the official client', async () => {
    const transform = { width: 40, height: 40, quality: 50 };
    const { publicUrl } = media().getPublicUrl('photo.jpg', { transform: { width: 320 } }).data;
    expect((await sharp(await (await fetch(publicUrl)).arrayBuffer()).metadata()).width).toBe(320);
    const downloaded = await media().download('photo.jpg', { transform });
    expect((await sharp(await downloaded.data?.arrayBuffer()).metadata()).width).toBe(40);
    const signedUrl = await media().createSignedUrl('photo.jpg', 60, { transform });
    expect(signedUrl.data?.signedUrl).toContain('/render/image/sign/');
    const signedResponse = await fetch(signedUrl.data?.signedUrl ?? '');
    expect((await sharp(await signedResponse.arrayBuffer()).metadata()).width).toBe(40);
    expect(signedResponse.headers.get('x-transformations')).toBe('height:40,width:40,resizing_type:fill,quality:50');
  });

  test.each([
    ['width=20', 'width:20,resizing_type:fill'],
    ['height=20&resize=contain&format=webp', 'height:20,resizing_type:fit,format:webp'],
    ['quality=30', 'quality:30'],
    ['width=30&resize=fill&format=origin', 'width:30,resizing_type:force'],
  ])('lists the applied transformations in a header: %s is %s', async (query, transformations) => {
    expect((await render('photo.jpg', query)).response.headers.get('x-transformations')).toBe(transformations);
  });

  test('a rendition of an animation is the original, but a still picture of the same type is resized', async () => {
    const frames = await Promise.all(
      [40, 200].map((red) =>
        sharp({ create: { width: 60, height: 30, channels: 3, background: { r: red, g: 9, b: 9 } } })
          .png()
          .toBuffer(),
      ),
    );
    const animation = await sharp(frames, { join: { animated: true } })
      .webp({ loop: 0, delay: 100 })
      .toBuffer();
    await media().upload('moving.webp', animation, { contentType: 'image/webp' });
    await media().upload('still.webp', await picture(60, 30, 'webp'), { contentType: 'image/webp' });
    const rendition = await render('moving.webp', 'width=20', 'image/avif,*/*');
    expect(rendition.response.headers.get('content-type')).toBe('image/webp');
    expect((await sharp(rendition.bytes).metadata()).pages).toBe(2);
    expect(await render('still.webp', 'width=20', 'image/avif,*/*')).toMatchObject({ size: '20x10', format: 'heif' });
  });

  test('a rendition of an SVG is the SVG, and other file types are rejected', async () => {
    await media().upload('logo.svg', svg);
    await media().upload('paper.pdf', pdf);
    expect((await render('logo.svg', 'width=10')).response.headers.get('content-type')).toBe('image/svg+xml');
    const response = await fetch(`${backend.url}/storage/v1/render/image/public/content-media/paper.pdf?width=320`);
    expect(await response.json()).toMatchObject({
      message: 'Only pictures can be resized; this file is application/pdf.',
    });
  });

  test.each(['width=0', 'width=2501', 'width=x', 'quality=10', 'quality=101', 'resize=stretch', 'format=gif'])(
    'is rejected with %s',
    async (query) => {
      const { response, bytes } = await render('photo.jpg', query);
      expect(response.status).toBe(400);
      expect(JSON.parse(bytes.toString())).toMatchObject({ statusCode: '400', error: 'InvalidRequest' });
    },
  );

  test('a rendition of a file in a private bucket requires permission', async () => {
    await backend.service.storage.createBucket('private-pictures', { public: false });
    await backend.service.storage.from('private-pictures').upload('a.png', await picture(20, 20));
    const transform = { width: 10 };
    const visitorDownload = await backend.visitor.storage.from('private-pictures').download('a.png', { transform });
    expect(visitorDownload.error).not.toBeNull();
    const serviceDownload = await backend.service.storage.from('private-pictures').download('a.png', { transform });
    expect(serviceDownload.error).toBeNull();
    const publicResponse = await fetch(
      `${backend.url}/storage/v1/render/image/public/private-pictures/a.png?width=320`,
    );
    expect(await publicResponse.json()).toMatchObject({ message: 'Bucket not found' });
  });
});

describe('The cache of renditions', () => {
  test('stays below its maximum size by evicting the least recently used', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signalfjord-renditions-'));
    const rendered: string[] = [];
    const get = (cache: ReturnType<typeof openRenditionCache>, key: string) =>
      cache.get(key, async () => {
        rendered.push(key);
        return Buffer.alloc(100, key);
      });
    const cache = openRenditionCache(folder, 300);
    for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await get(cache, key);
    expect(rendered).toEqual(['a', 'b', 'c', 'd', 'b']);
    const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(300);

    const afterRestart = openRenditionCache(folder, 300);
    rendered.length = 0;
    expect(await get(afterRestart, 'b')).toEqual(Buffer.alloc(100, 'b'));
    expect(rendered).toEqual([]);
    await rm(folder, { recursive: true });
    expect(await get(afterRestart, 'b')).toEqual(Buffer.alloc(100, 'b'));
    expect(rendered).toEqual(['b']);
  });
});

describe('Renditions for visitors', () => {
  const fetchRendition = (query: string, headers = {}) =>
    fetch(`${backend.url}/storage/v1/render/image/public/content-media/photo.jpg?${query}`, { headers });
  const message =
    'Without an account or a signed URL, the width must be one of 320, 480, 640, 960, 1280, 1600, 2000, 2400 px, and height, quality and resize are not allowed.';

  test.each(['', 'width=321', 'height=320', 'width=320&height=320', 'width=320&quality=81', 'width=320&resize=fill'])(
    'are rejected in sizes that our pages do not use: "%s"',
    async (query) => {
      const response = await fetchRendition(query);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: 'InvalidRequest', message });
      const download = await media(backend.visitor).download('photo.jpg', { transform: { width: 321 } });
      expect(download.error).not.toBeNull();
    },
  );

  test('are available in every size of our pages, in the requested format', async () => {
    const srcSet = buildSrcSet('/storage/v1/object/public/content-media/photo.jpg') ?? '';
    const queries = srcSet.split(', ').map((candidate) => /\?(\S+)/.exec(candidate)?.[1] ?? '');
    expect(queries).toHaveLength(8);
    for (const query of queries) expect((await fetchRendition(query)).status).toBe(200);
    expect((await fetchRendition('width=320&format=origin')).headers.get('content-type')).toBe('image/jpeg');
    const download = await media(backend.visitor).download('photo.jpg', { transform: { width: 320 } });
    expect(download.error).toBeNull();
  });
});

describe('The queue of renditions', () => {
  const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

  test('processes two at a time, queues two hundred, and rejects more', async () => {
    const queue = createRenderQueue(true);
    let running = 0;
    let maxRunning = 0;
    const task = async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await nextTurn();
      running -= 1;
    };
    const results = await Promise.allSettled(
      Array.from({ length: 300 }, (_, n) => queue.run(`2001:db8:${n}::1`, task)),
    );
    expect(maxRunning).toBe(2);
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(errors).toHaveLength(98);
    for (const reason of errors) expect(reason).toMatchObject({ status: 503, code: 'SlowDown' });
    expect(await queue.run('2001:db8:299::1', async () => 'done')).toBe('done');
  });

  test('gives a visitor the next turn, even if many networks of one /48 are waiting', async () => {
    const queue = createRenderQueue(true);
    const order: string[] = [];
    const request = (address: string, name: string) =>
      queue.run(address, async () => {
        order.push(name);
        await nextTurn();
      });
    const flood = Array.from({ length: 400 }, (_, n) => request(`2001:db8:1:${n % 4}::1`, 'flood'));
    const visitor = request('198.51.100.1', 'visitor');
    const results = await Promise.allSettled(flood);
    await visitor;
    expect(order.indexOf('visitor')).toBeLessThanOrEqual(3);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(199);
  });

  test('skips requests whose client has disconnected', async () => {
    const queue = createRenderQueue(true);
    const busy = [queue.run('192.0.2.1', nextTurn), queue.run('192.0.2.1', nextTurn)];
    const controller = new AbortController();
    const rendered: string[] = [];
    const abandonedTask = queue.run('192.0.2.2', async () => rendered.push('abandoned'), controller.signal);
    controller.abort(new Error('left'));
    await expect(abandonedTask).rejects.toThrow('left');
    await Promise.all(busy);
    expect(rendered).toEqual([]);
  });

  test('allows 240 renditions a minute for one address, and eight times as many for its network', () => {
    const queue = createRenderQueue(true);
    const limitError = expect.objectContaining({ status: 429, code: 'SlowDown' });
    const countRequests = (address: string, count: number) => {
      for (let n = 0; n < count; n++) queue.count(address);
    };
    countRequests('192.0.2.1', 240);
    expect(() => queue.count('192.0.2.1')).toThrow(limitError);
    for (let host = 2; host <= 8; host++) countRequests(`192.0.2.${host}`, 240);
    expect(() => queue.count('192.0.2.9')).toThrow(limitError);
    countRequests('198.51.100.1', 240);
    countRequests('', 1000);
  });
});

test('If a rendition fails for one caller, it is still created for a concurrent caller', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-renditions-'));
  const cache = openRenditionCache(folder, 1000);
  const failing = cache.get('key', () => Promise.reject(new Error('Slow down')));
  const rendition = cache.get('key', async () => Buffer.from('made'));
  await expect(failing).rejects.toThrow('Slow down');
  expect((await rendition).toString()).toBe('made');
  await rm(folder, { recursive: true });
});
