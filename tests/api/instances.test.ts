/** Several server instances with one Postgres server and one object store send the same content to visitors. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { type NativePostgres, startNativePostgres } from '../../packages/backend/tests/support/native-postgres.ts';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { type SiteProcess, startSite } from '../support/site.ts';

const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', region: 'eu-north-1' };
const DISK_ONLY = 'are stored only on this machine';

let server: NativePostgres;
let s3: S3Server;
let folder: string;
let instances: SiteProcess[];

beforeAll(async () => {
  server = await startNativePostgres();
  s3 = await startS3Server(CREDENTIALS);
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-copies-'));
  instances = await Promise.all(['one', 'two'].map((name) => startInstance(name)));
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  await s3.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

function startInstance(name: string, environment: Record<string, string> = {}) {
  return startSite(join(folder, name), {
    DATABASE_URL: server.url,
    SITE_URL: 'https://example.com',
    S3_ENDPOINT: s3.url,
    S3_BUCKET: 'files',
    S3_REGION: CREDENTIALS.region,
    S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    ...environment,
  });
}

/** Requests a path from each instance. Returns the status, ETag and body of each response. */
function fetchFromInstances(path: string, headers: Record<string, string> = {}) {
  return Promise.all(
    instances.map(async ({ url }) => {
      const response = await fetch(url + path, { headers });
      return { status: response.status, etag: response.headers.get('etag'), body: await response.text() };
    }),
  );
}

test("All instances render identical pages and accept each other's ETags", async () => {
  const [{ body: sitemap } = { body: '' }] = await fetchFromInstances('/sitemap.xml');
  const pages = Array.from(sitemap.matchAll(/<loc>https:\/\/example\.com(\/[^<]*)<\/loc>/g), ([, path = '']) => path);
  expect(pages.length).toBeGreaterThan(10);
  for (const path of [...pages, '/no-such-page', '/rss.xml', '/sitemap.xml']) {
    const [first, second] = await fetchFromInstances(path);
    expect(second, path).toEqual(first);
    expect(first?.etag, path).toMatch(/^W\/"/);
  }
  const [first] = await fetchFromInstances('/');
  const revalidated = await fetchFromInstances('/', { 'if-none-match': first?.etag ?? '' });
  expect(revalidated.map(({ status }) => status)).toEqual([304, 304]);
});

test('Files and renditions have the same ETag in every instance', async () => {
  const database = openPostgresDatabase(server.url, 1);
  const { rows } = await database.query<{ value: string }>(
    `select value from backend.secrets where name = 'secret_key'`,
  );
  await database.close();
  const media = createClient(instances[0]?.url ?? '', rows[0]?.value ?? '').storage.from('content-media');
  expect(
    (await media.upload('copies/picture.png', await picture(64, 64), { contentType: 'image/png' })).error,
  ).toBeNull();
  for (const kind of ['object', 'render/image']) {
    const [first, second] = await fetchFromInstances(
      `/storage/v1/${kind}/public/content-media/copies/picture.png?width=320`,
    );
    expect(first?.status).toBe(200);
    expect(second).toEqual(first);
    expect(first?.etag).toBeTruthy();
  }
});

test('One instance creates the first admin, and only an instance without an object store logs its file location', async () => {
  const files = instances.map(({ dataFolder }) => join(dataFolder, 'first-admin-password.txt'));
  const contents = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => null)));
  expect(contents.filter((text) => text?.startsWith('admin@example.com\n'))).toHaveLength(1);
  for (const instance of instances) expect(instance.output()).not.toContain(DISK_ONLY);
  const diskOnly = await startInstance('three', {
    S3_ENDPOINT: '',
    S3_BUCKET: '',
    S3_ACCESS_KEY_ID: '',
    S3_SECRET_ACCESS_KEY: '',
  });
  expect(diskOnly.output()).toContain(`${DISK_ONLY}, in ${join(folder, 'three')}`);
  await diskOnly.stop();
});

test('An instance configured with another bucket does not start', async () => {
  s3.bucket = 'files';
  await expect(startInstance('four', { S3_BUCKET: 'none' })).rejects.toThrow(
    `The object store at ${s3.url} has no bucket`,
  );
});
