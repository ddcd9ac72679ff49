import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { picture } from '../support/sample-files.ts';
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

describe('uploading', () => {
  test('a file sent as raw bytes comes back byte for byte', async () => {
    const uploaded = await media().upload('raw/one.png', png, { contentType: 'image/png' });
    expect(uploaded.error).toBeNull();
    expect(uploaded.data).toEqual({
      id: expect.any(String),
      path: 'raw/one.png',
      fullPath: 'content-media/raw/one.png',
    });
    const downloaded = await media().download('raw/one.png');
    expect(downloaded.error).toBeNull();
    expect(Buffer.from((await downloaded.data?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(png);
  });

  test('a file sent as a multipart form comes back byte for byte, with its cache time and metadata', async () => {
    const blob = new Blob([new Uint8Array(png)], { type: 'image/png' });
    const uploaded = await media().upload('form/one.png', blob, {
      cacheControl: '60',
      metadata: { alt: 'A blue field' },
    });
    expect(uploaded.error).toBeNull();
    const response = await fetch(media().getPublicUrl('form/one.png').data.publicUrl);
    expect(response.headers.get('cache-control')).toBe('max-age=60');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
    const info = await media().info('form/one.png');
    expect(info.data).toMatchObject({ metadata: { alt: 'A blue field' }, size: png.length, contentType: 'image/png' });
  });
});
