import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { OperatorError } from '../../packages/backend/src/database/operator-error.ts';
import { requireByteStore } from '../../packages/backend/src/storage/bytes/open-byte-store.ts';
import { pdf, picture } from '../../packages/backend/tests/support/sample-files.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let s3: S3Server;
let backend: TestBackend;
let admin: SupabaseClient;

beforeAll(async () => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG', region: 'eu-north-1' };
  s3 = await startS3Server(credentials);
  backend = await startTestBackend({
    S3_ENDPOINT: s3.url,
    S3_BUCKET: 'our-files',
    S3_REGION: credentials.region,
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  });
  admin = (await backend.signedIn('admin')).client;
});
afterAll(async () => {
  await backend.close();
  await s3.close();
});

const media = () => admin.storage.from('content-media');
const readBytes = async (blob: Blob | null) => Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer());

test('Files in the object store can be uploaded, read completely and in part, copied, moved and deleted', async () => {
  expect((await media().upload('a.pdf', pdf)).error).toBeNull();
  expect([...s3.objects.values()]).toEqual([pdf]);
  expect([...s3.objects.keys()][0]).toMatch(/^\/our-files\/files\/[0-9a-f-]{36}$/);
  expect(await readBytes((await media().download('a.pdf')).data)).toEqual(pdf);
  const part = await fetch(media().getPublicUrl('a.pdf').data.publicUrl, { headers: { range: 'bytes=1-3' } });
  expect(part.status).toBe(206);
  expect(await part.text()).toBe('PDF');

  expect((await media().copy('a.pdf', 'folder/b.pdf')).error).toBeNull();
  expect(s3.objects.size).toBe(2);
  expect((await media().move('folder/b.pdf', 'c.pdf')).error).toBeNull();
  expect(await readBytes((await media().download('c.pdf')).data)).toEqual(pdf);
  expect((await media().remove(['a.pdf', 'c.pdf'])).data).toHaveLength(2);
  expect(s3.objects.size).toBe(2);
  const { data: deletedFiles } = await admin.rpc('deleted_media').throwOnError();
  await admin.rpc('restore_media', { _id: deletedFiles[0].id }).throwOnError();
  expect(await readBytes((await media().download(deletedFiles[0].name)).data)).toEqual(pdf);
  await media().remove([deletedFiles[0].name]);
  const _ids = deletedFiles.map(({ id }: { id: string }) => id);
  await admin.rpc('delete_media_permanently', { _ids }).throwOnError();
  await expect.poll(() => s3.objects.size).toBe(0);
});

test('Replacing a file deletes its old bytes, and renditions are created from the object store', async () => {
  await media().upload('pic.png', await picture(50, 50));
  await media().upload('pic.png', await picture(200, 100), { upsert: true });
  expect(s3.objects.size).toBe(1);
  const rendition = media().getPublicUrl('pic.png', { transform: { width: 320 } }).data.publicUrl;
  expect((await fetch(rendition)).headers.get('content-type')).toBe('image/png');
});

const UNREACHABLE = {
  status: 503,
  statusCode: '503',
  message: 'The file storage cannot be reached right now. Please try again in a moment.',
};

test('If the object store fails, no row is written, and its error text does not reach the client', async () => {
  s3.failNext = 500;
  const { error } = await media().upload('failed.pdf', pdf);
  expect(error).toMatchObject(UNREACHABLE);
  expect((await media().exists('failed.pdf')).data).toBe(false);
  expect((await media().upload('failed.pdf', pdf)).error).toBeNull();
});

test('Bytes missing from the object store are reported as object not found', async () => {
  await media().upload('lost.pdf', pdf);
  for (const [key, bytes] of s3.objects) if (bytes.equals(pdf)) s3.objects.delete(key);
  const response = await fetch(media().getPublicUrl('lost.pdf').data.publicUrl);
  expect(await response.json()).toMatchObject({ statusCode: '404', message: 'Object not found' });
});

test('A request with the wrong secret is rejected by the object store', async () => {
  const { openS3ByteStore } = await import('../../packages/backend/src/storage/bytes/s3-byte-store.ts');
  const store = openS3ByteStore({
    endpoint: s3.url,
    region: 'eu-north-1',
    bucket: 'our-files',
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wrong',
  });
  await expect(store.read('any')).rejects.toMatchObject({
    status: 503,
    cause: { message: expect.stringContaining('SignatureDoesNotMatch') },
  });
});

test('If the object store is unreachable, neither a row nor an incoming file remains', async () => {
  const unreachable = await startTestBackend({
    S3_ENDPOINT: 'http://127.0.0.1:9',
    S3_BUCKET: 'our-files',
    S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    S3_SECRET_ACCESS_KEY: 'secret',
  });
  const files = (await unreachable.signedIn('admin')).client.storage.from('content-media');
  expect((await files.upload('a.pdf', pdf)).error).toMatchObject(UNREACHABLE);
  expect((await files.exists('a.pdf')).data).toBe(false);
  expect(await readdir(join(unreachable.dataFolder, 'incoming'))).toEqual([]);
  await unreachable.close();
});

test('The server checks the object store at start, leaves no object in it, and reports the fault', async () => {
  s3.bucket = 'our-files';
  const settings = {
    S3_ENDPOINT: s3.url,
    S3_BUCKET: 'our-files',
    S3_REGION: 'eu-north-1',
    S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    S3_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG',
  };
  const check = (changes: Partial<typeof settings> = {}) => requireByteStore(parseConfig({ ...settings, ...changes }));
  const before = [...s3.objects.keys()];
  await check();
  expect([...s3.objects.keys()]).toEqual(before);

  const site = createServer((_, response) => response.end('<h1>Hello</h1>')).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const unused = 'http://127.0.0.1:9';
  const cases: [Partial<typeof settings>, string][] = [
    [{ S3_ENDPOINT: unused }, `The object store at ${unused} (S3_ENDPOINT) cannot be reached (bad port).`],
    [
      { S3_ENDPOINT: siteUrl },
      `The server at ${siteUrl} (S3_ENDPOINT) is not an object store (it returned different content than was written).`,
    ],
    [{ S3_BUCKET: 'no-such' }, `The object store at ${s3.url} has no bucket "no-such" (S3_BUCKET).`],
    [
      { S3_SECRET_ACCESS_KEY: 'wrong' },
      `The object store at ${s3.url} does not accept S3_ACCESS_KEY_ID with this S3_SECRET_ACCESS_KEY (SignatureDoesNotMatch).`,
    ],
  ];
  for (const [changes, message] of cases) await expect(check(changes)).rejects.toThrow(new OperatorError(message));
  site.close();
  s3.bucket = undefined;
});
