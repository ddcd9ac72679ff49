import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

let backend: TestBackend;
let png: Buffer;
const clients = new Map<Person | 'visitor', SupabaseClient>();

beforeAll(async () => {
  backend = await startTestBackend();
  png = await picture(40, 20);
  clients.set('visitor', backend.visitor);
  for (const role of ['stranger', 'pending', 'client', 'team', 'admin'] as const) {
    clients.set(role, (await backend.signedIn(role)).client);
  }
  await getMedia('admin').upload('kept.png', png);
});
afterAll(() => backend.close());

function getClient(role: Person | 'visitor'): SupabaseClient {
  const storedClient = clients.get(role);
  if (!storedClient) throw new Error(`No client for ${role}`);
  return storedClient;
}
const getMedia = (role: Person | 'visitor') => getClient(role).storage.from('content-media');

/** Lists the files in the bucket with the service role, which bypasses policies. */
async function listNames(): Promise<string[]> {
  const response = await backend.service.storage.from('content-media').list('');
  return (response.data ?? []).map(({ name }) => name);
}

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;

describe.each(capitalizedRoles(OUTSIDERS))('%s', (_label, role) => {
  test('can read a file by its public URL', async () => {
    const response = await fetch(getMedia(role).getPublicUrl('kept.png').data.publicUrl);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
  });

  test('cannot list buckets or files', async () => {
    expect((await getClient(role).storage.listBuckets()).data).toEqual([]);
    expect((await getClient(role).storage.getBucket('content-media')).error?.message).toBe('Bucket not found');
    expect((await getMedia(role).list('')).data).toEqual([]);
    expect((await getMedia(role).listV2()).data).toMatchObject({ folders: [], objects: [] });
    expect((await getMedia(role).info('kept.png')).error?.message).toBe('Object not found');
  });

  test('cannot upload, upsert or create an upload URL', async () => {
    const upload = await getMedia(role).upload(`${role}.png`, png);
    expect(upload.error).toMatchObject({ statusCode: '403', message: 'new row violates row-level security policy' });
    const upsert = await getMedia(role).upload('kept.png', Buffer.from('other'), { upsert: true });
    expect(upsert.error).toMatchObject({ statusCode: '403' });
    const signedUpload = await getMedia(role).createSignedUploadUrl(`${role}.png`);
    expect(signedUpload.error).toMatchObject({ statusCode: '403' });
    expect(await listNames()).toEqual(['kept.png']);
  });

  test('cannot replace, move, copy or remove a file', async () => {
    expect((await getMedia(role).update('kept.png', await picture(1, 1))).error?.message).toBe('Object not found');
    expect((await getMedia(role).move('kept.png', 'moved.png')).error?.message).toBe('Object not found');
    expect((await getMedia(role).copy('kept.png', 'copied.png')).error?.message).toBe('Object not found');
    expect((await getMedia(role).remove(['kept.png'])).data).toEqual([]);
    expect(await listNames()).toEqual(['kept.png']);
    const download = await backend.service.storage.from('content-media').download('kept.png');
    expect(Buffer.from((await download.data?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(png);
  });

  test('cannot create, change, empty or delete a bucket', async () => {
    const { storage } = getClient(role);
    expect((await storage.createBucket(`of-${role}`)).error).toMatchObject({ statusCode: '403' });
    expect((await storage.updateBucket('content-media', { public: false })).error?.message).toBe('Bucket not found');
    expect((await storage.emptyBucket('content-media')).error?.message).toBe('Bucket not found');
    expect((await storage.deleteBucket('content-media')).error?.message).toBe('Bucket not found');
    expect((await backend.service.storage.getBucket('content-media')).data?.public).toBe(true);
    expect(await listNames()).toEqual(['kept.png']);
  });

  test('cannot use the functions of the media library', async () => {
    const calls = [
      getClient(role).rpc('media_library', {}),
      getClient(role).rpc('media_usage', { _name: 'kept.png' }),
      getClient(role).rpc('set_media_alt', { _name: 'kept.png', _alt: 'Changed' }),
    ];
    for (const { error, data } of await Promise.all(calls)) {
      expect(error?.code).toBe('42501');
      expect(data).toBeNull();
    }
    const info = await backend.service.storage.from('content-media').info('kept.png');
    expect(info.data?.metadata).toEqual({});
  });
});

describe('An admin', () => {
  test('can list the buckets and their files', async () => {
    const { data: buckets } = await getClient('admin').storage.listBuckets();
    expect(buckets?.map(({ id }) => id).toSorted()).toEqual(['content-media', 'media-originals']);
    expect((await getMedia('admin').list('')).data?.map(({ name }) => name)).toEqual(['kept.png']);
    expect((await getMedia('admin').info('kept.png')).data?.name).toBe('kept.png');
  });

  test('can upload, replace, move, copy and remove files', async () => {
    expect((await getMedia('admin').upload('a.png', png)).error).toBeNull();
    expect((await getMedia('admin').upload('a.png', png, { upsert: true })).error).toBeNull();
    expect((await getMedia('admin').update('a.png', await picture(2, 2))).error).toBeNull();
    expect((await getMedia('admin').move('a.png', 'b.png')).error).toBeNull();
    expect((await getMedia('admin').copy('b.png', 'c.png')).error).toBeNull();
    expect((await getMedia('admin').createSignedUploadUrl('d.png')).error).toBeNull();
    expect(await listNames()).toEqual(['b.png', 'c.png', 'kept.png']);
    expect((await getMedia('admin').remove(['b.png', 'c.png'])).data?.map(({ name }) => name).sort()).toEqual([
      'b.png',
      'c.png',
    ]);
    expect(await listNames()).toEqual(['kept.png']);
  });

  test('cannot create, change or delete buckets', async () => {
    const { storage } = getClient('admin');
    expect((await storage.createBucket('mine')).error).toMatchObject({ statusCode: '403' });
    expect((await storage.updateBucket('content-media', { public: false })).error?.message).toBe('Bucket not found');
    expect((await storage.deleteBucket('content-media')).error?.message).toBe('Bucket not found');
    expect((await backend.service.storage.getBucket('content-media')).data?.public).toBe(true);
  });

  test('loses all access immediately when the role is removed', async () => {
    const { id, client: formerAdmin } = await backend.signedIn('admin');
    expect((await formerAdmin.storage.from('content-media').list('')).data).toHaveLength(1);
    await backend.backend.database.query('delete from public.user_roles where user_id = $1', [id]);
    expect((await formerAdmin.storage.from('content-media').list('')).data).toEqual([]);
    expect((await formerAdmin.storage.from('content-media').upload('late.png', png)).error).toMatchObject({
      statusCode: '403',
    });
  });
});
