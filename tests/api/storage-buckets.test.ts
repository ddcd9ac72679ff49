import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { html, pdf, picture } from '../../packages/backend/tests/support/sample-files.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let backend: TestBackend;
let service: SupabaseClient;

beforeAll(async () => {
  backend = await startTestBackend();
  service = backend.service;
});
afterAll(() => backend.close());

describe('Buckets', () => {
  test('can be created, read, changed, emptied and deleted', async () => {
    const { storage } = service;
    const created = await storage.createBucket('reports', {
      public: false,
      fileSizeLimit: '20mb',
      allowedMimeTypes: ['application/pdf'],
    });
    expect(created.data).toEqual({ name: 'reports' });
    expect((await storage.getBucket('reports')).data).toMatchObject({
      id: 'reports',
      name: 'reports',
      public: false,
      file_size_limit: 20_000_000,
      allowed_mime_types: ['application/pdf'],
      owner: '',
    });
    const updateResult = await storage.updateBucket('reports', { public: true, fileSizeLimit: null });
    expect(updateResult.data).toEqual({ message: 'Successfully updated' });
    expect((await storage.getBucket('reports')).data).toMatchObject({
      public: true,
      file_size_limit: null,
      allowed_mime_types: ['application/pdf'],
    });

    await storage.from('reports').upload('2026/a.pdf', pdf);
    expect((await storage.deleteBucket('reports')).error).toMatchObject({
      statusCode: '409',
      message: 'The bucket you tried to delete is not empty',
    });
    expect((await storage.emptyBucket('reports')).data).toEqual({
      message: 'Empty bucket has been queued. Completion may take up to an hour.',
    });
    expect((await storage.from('reports').list('2026')).data).toEqual([]);
    expect((await storage.deleteBucket('reports')).data).toEqual({ message: 'Successfully deleted' });
    expect((await storage.getBucket('reports')).error).toMatchObject({
      statusCode: '404',
      message: 'Bucket not found',
    });
  });

  test('reject versioning and lifecycle settings with an error', async () => {
    const { storage } = service;
    const notEnabled = (feature: string) => ({
      statusCode: '409',
      message: `The feature ${feature} is not enabled for this resource`,
    });
    const versioned = { public: false, versioningStatus: 'ENABLED' } as const;
    expect((await storage.createBucket('versioned', versioned)).error).toMatchObject(notEnabled('object versioning'));
    expect((await storage.createBucket('plain', { public: false, versioningStatus: 'DISABLED' })).error).toBeNull();
    expect((await storage.updateBucket('plain', versioned)).error).toMatchObject(notEnabled('object versioning'));
    expect((await storage.getBucketLifecycle('plain')).error).toMatchObject(notEnabled('object lifecycle'));
    expect((await storage.deleteBucketLifecycle('plain')).error).toMatchObject(notEnabled('object lifecycle'));
    expect((await storage.deleteBucket('plain')).error).toBeNull();
  });

  test('files can be purged from caches only by the service role', async () => {
    const { storage } = service;
    await storage.createBucket('cached', { public: true });
    await storage.from('cached').upload('folder/a.pdf', pdf);
    expect((await storage.purgeBucketCache('cached')).data).toEqual({ message: 'success' });
    const files = storage.from('cached');
    expect((await files.purgeCache('folder/a.pdf', { transformations: true })).data).toEqual({ message: 'success' });
    expect((await files.purgeCache('folder/b.pdf')).error).toMatchObject({ message: 'Object not found' });
    expect((await storage.purgeBucketCache('nowhere')).error).toMatchObject({ message: 'Bucket not found' });
    const { client } = await backend.signedIn('admin');
    expect((await client.storage.purgeBucketCache('cached')).error).toMatchObject({ statusCode: '403' });
    expect((await client.storage.from('cached').purgeCache('folder/a.pdf')).error).toMatchObject({ statusCode: '403' });
  });

  test('are listed by name, searched and paged', async () => {
    for (const name of ['list-b', 'list-a', 'list-c']) await service.storage.createBucket(name, { public: false });
    const listIds = async (options: Parameters<typeof service.storage.listBuckets>[0]) =>
      (await service.storage.listBuckets(options)).data?.map(({ id }) => id);
    expect(await listIds({ search: 'list-' })).toEqual(['list-a', 'list-b', 'list-c']);
    expect(await listIds({ search: 'list-', sortColumn: 'name', sortOrder: 'desc', limit: 2 })).toEqual([
      'list-c',
      'list-b',
    ]);
    expect(await listIds({ search: 'list-', limit: 1, offset: 1 })).toEqual(['list-b']);
  });

  test('reject a name that is in use or invalid, and an invalid size', async () => {
    const { storage } = service;
    expect((await storage.createBucket('content-media')).error).toMatchObject({ statusCode: '409' });
    for (const name of ['', '../up', 'a/b', 'x'.repeat(64), 'new\nline']) {
      expect((await storage.createBucket(name)).error).toMatchObject({ message: 'Bucket name invalid' });
    }
    const response = await storage.createBucket('sized', { public: false, fileSizeLimit: 'twenty' });
    expect(response.error?.message).toBe('Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B');
    expect((await storage.getBucket('sized')).error).not.toBeNull();
  });

  test('enforce their own limits on size and type', async () => {
    await service.storage.createBucket('tiny', { public: true, fileSizeLimit: 100, allowedMimeTypes: ['image/png'] });
    const bucket = service.storage.from('tiny');
    const png = await picture(2, 2);
    expect((await bucket.upload('a.png', png)).error).toBeNull();
    expect((await bucket.upload('b.pdf', pdf)).error).toMatchObject({ statusCode: '415' });
    for (const body of [Buffer.alloc(101, 1), new Blob([new Uint8Array(101)])]) {
      expect((await bucket.upload('c.png', body)).error).toMatchObject({ statusCode: '413' });
    }
  });

  test('a bucket that allows all types serves web pages and stylesheets as plain text', async () => {
    await service.storage.createBucket('anything', { public: true });
    const bucket = service.storage.from('anything');
    await bucket.upload('page.html', html, { contentType: 'text/html' });
    await bucket.upload('data.json', '{"a":1}', { contentType: 'application/json' });
    const page = await fetch(bucket.getPublicUrl('page.html').data.publicUrl);
    expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const json = await fetch(bucket.getPublicUrl('data.json').data.publicUrl);
    expect(json.headers.get('content-type')).toBe('application/json');
  });
});

describe('Lists', () => {
  beforeAll(async () => {
    await service.storage.createBucket('tree', { public: false });
    for (const name of ['b.pdf', 'a.pdf', 'docs/1.pdf', 'docs/2.pdf', 'docs/old/3.pdf', 'pics/4.pdf', 'a_c.pdf']) {
      const { error } = await service.storage.from('tree').upload(name, pdf);
      expect(error).toBeNull();
    }
  });
  const tree = () => service.storage.from('tree');
  const toNames = (list: { name: string }[] | null | undefined) => (list ?? []).map(({ name }) => name);

  test('contain the entries of one folder, with subfolders (without an ID) before the files, each sorted by name', async () => {
    const { data } = await tree().list('');
    expect(toNames(data)).toEqual(['docs', 'pics', 'a.pdf', 'a_c.pdf', 'b.pdf']);
    expect(data?.[0]).toMatchObject({ id: null, metadata: null, updated_at: null });
    expect(data?.[2]).toMatchObject({
      id: expect.any(String),
      metadata: { mimetype: 'application/pdf', size: pdf.length },
    });
    expect(toNames((await tree().list('docs')).data)).toEqual(['old', '1.pdf', '2.pdf']);
    expect(toNames((await tree().list('docs/')).data)).toEqual(['old', '1.pdf', '2.pdf']);
    expect((await tree().list('nowhere')).data).toEqual([]);
  });

  test('can be sorted, limited, offset and searched by prefix', async () => {
    expect(toNames((await tree().list('', { sortBy: { column: 'name', order: 'desc' } })).data)).toEqual([
      'pics',
      'docs',
      'b.pdf',
      'a_c.pdf',
      'a.pdf',
    ]);
    const newest = await tree().list('', { sortBy: { column: 'created_at', order: 'desc' } });
    expect(toNames(newest.data).slice(2)).toEqual(['a_c.pdf', 'a.pdf', 'b.pdf']);
    expect(toNames((await tree().list('', { limit: 2, offset: 1 })).data)).toEqual(['pics', 'a.pdf']);
    expect(toNames((await tree().list('', { search: 'A' })).data)).toEqual(['a.pdf', 'a_c.pdf']);
    expect(toNames((await tree().list('', { search: 'a_' })).data)).toEqual(['a_c.pdf']);
  });

  test('version 2 of the list returns every file page by page, with and without folders', async () => {
    const listPages = async (options: Parameters<ReturnType<typeof tree>['listV2']>[0]) => {
      const pagedNames: string[] = [];
      let cursor: string | undefined;
      do {
        const { data, error } = await tree().listV2({ ...options, limit: 2, ...(cursor ? { cursor } : {}) });
        expect(error).toBeNull();
        pagedNames.push(...toNames(data?.folders), ...toNames(data?.objects));
        cursor = data?.nextCursor;
        expect(data?.hasNext).toBe(cursor !== undefined);
      } while (cursor);
      return pagedNames;
    };
    const allNames = ['a.pdf', 'a_c.pdf', 'b.pdf', 'docs/1.pdf', 'docs/2.pdf', 'docs/old/3.pdf', 'pics/4.pdf'];
    expect(await listPages({})).toEqual(allNames);
    expect(await listPages({ sortBy: { column: 'name', order: 'desc' } })).toEqual([...allNames].reverse());
    expect(await listPages({ sortBy: { column: 'created_at' } })).toEqual([
      'b.pdf',
      'a.pdf',
      'docs/1.pdf',
      'docs/2.pdf',
      'docs/old/3.pdf',
      'pics/4.pdf',
      'a_c.pdf',
    ]);
    expect((await listPages({ with_delimiter: true })).sort()).toEqual(['a.pdf', 'a_c.pdf', 'b.pdf', 'docs/', 'pics/']);
    expect((await listPages({ with_delimiter: true, prefix: 'docs/' })).sort()).toEqual([
      'docs/1.pdf',
      'docs/2.pdf',
      'docs/old/',
    ]);
    const { data } = await tree().listV2({ with_delimiter: true, prefix: 'docs/' });
    expect(data?.folders).toEqual([{ name: 'docs/old/', key: 'docs/old' }]);
    expect(await listPages({ prefix: 'docs/o' })).toEqual(['docs/old/3.pdf']);
  });

  test('reject invalid options', async () => {
    expect((await tree().list('', { limit: 0 })).error).toMatchObject({ status: 400 });
    expect((await tree().list('', { sortBy: { column: 'version; drop table x' } })).error).toMatchObject({
      status: 400,
    });
    expect((await tree().listV2({ cursor: 'nonsense' })).error?.message).toBe('The cursor is not valid.');
  });
});
