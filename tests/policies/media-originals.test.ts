/**
 * Original uploads of images. They are stored on request, can be read only by admins and are deleted with the image.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;

let site: TestBackend;
let admin: SupabaseClient;
let photo: Buffer;
const clients = new Map<string, SupabaseClient>();

beforeAll(async () => {
  site = await startTestBackend();
  clients.set('visitor', site.visitor);
  for (const role of ['stranger', 'pending', 'client', 'team'] as const)
    clients.set(role, (await site.signedIn(role)).client);
  admin = (await site.signedIn('admin')).client;
  photo = await sharp(await picture(60, 40, 'jpeg'))
    .withExif({ IFD0: { Artist: 'Ola Nordmann' } })
    .jpeg()
    .toBuffer();
  expect((await upload('kept.jpg', { keep_original: true })).error).toBeNull();
});
afterAll(() => site.close());

const media = () => admin.storage.from('content-media');
const originals = (client: SupabaseClient) => client.storage.from('media-originals');
const upload = (name: string, metadata: object, upsert = false) =>
  media().upload(name, photo, { contentType: 'image/jpeg', metadata, upsert });

async function findOriginal(name: string): Promise<string | undefined> {
  const { data, error } = await admin.rpc('media_original', { _name: name });
  expect(error).toBeNull();
  return data[0]?.name;
}

/** Polls, because bytes are deleted after the response. */
async function expectDeleted(id: string | undefined): Promise<void> {
  await expect
    .poll(async () => (await site.service.storage.from('media-originals').list()).data?.map(({ name }) => name))
    .not.toContain(id);
}

test('An admin can download the exact original through a URL that is valid for a minute', async () => {
  const id = (await findOriginal('kept.jpg')) ?? '';
  const { data } = await originals(admin).createSignedUrl(id, 60, { download: 'My photo.jpg' });
  const response = await fetch(data?.signedUrl ?? '');
  expect(Buffer.from(await response.arrayBuffer()).equals(photo)).toBe(true);
  expect(response.headers.get('content-disposition')).toContain('My%20photo.jpg');
  expect(response.headers.get('content-type')).toBe('image/jpeg');
  const { data: publicPicture } = await media().download('kept.jpg');
  expect(Buffer.from((await publicPicture?.arrayBuffer()) ?? new ArrayBuffer(0)).includes('Ola Nordmann')).toBe(false);
});

describe.each(capitalizedRoles(OUTSIDERS))('%s', (_label, role) => {
  test('cannot find, read, list, upload, change or delete an original', async () => {
    const client = clients.get(role) ?? site.visitor;
    const id = (await findOriginal('kept.jpg')) ?? '';
    expect((await client.rpc('media_original', { _name: 'kept.jpg' })).error?.code).toBe('42501');
    expect((await originals(client).download(id)).error).not.toBeNull();
    expect((await fetch(originals(client).getPublicUrl(id).data.publicUrl)).ok).toBe(false);
    expect((await originals(client).createSignedUrl(id, 60)).error).not.toBeNull();
    expect((await originals(client).list()).data ?? []).toEqual([]);
    expect((await originals(client).upload('mine.jpg', photo, { contentType: 'image/jpeg' })).error).not.toBeNull();
    expect((await originals(client).update(id, photo, { contentType: 'image/jpeg' })).error).not.toBeNull();
    await originals(client).remove([id]);
    expect(await findOriginal('kept.jpg')).toBe(id);
    const metadata = { keep_original: true };
    const imageUpload = client.storage
      .from('content-media')
      .upload('own.jpg', photo, { contentType: 'image/jpeg', metadata });
    expect((await imageUpload).error).not.toBeNull();
    expect((await site.service.storage.from('media-originals').list()).data).toHaveLength(1);
  });
});

test('An original is stored only on request, and only if the published image differs from it', async () => {
  await upload('plain.jpg', {});
  expect(await findOriginal('plain.jpg')).toBeUndefined();
  await media().upload('same.png', await picture(9, 9), { metadata: { keep_original: true } });
  expect(await findOriginal('same.png')).toBeUndefined();
});

test('An original is kept when its image is renamed or restored, and permanently deleted with the image', async () => {
  await upload('old.jpg', { keep_original: true });
  const id = await findOriginal('old.jpg');
  expect(id).toBeTruthy();
  await media().move('old.jpg', 'renamed.jpg');
  expect(await findOriginal('renamed.jpg')).toBe(id);
  await media().remove(['renamed.jpg']);
  const { data: trash } = await admin.rpc('deleted_media', { _search: 'renamed.jpg' });
  await admin.rpc('restore_media', { _id: trash[0].id }).throwOnError();
  expect(await findOriginal('renamed.jpg')).toBe(id);
  await media().remove(['renamed.jpg']);
  await admin.rpc('delete_media_permanently', { _ids: [trash[0].id] }).throwOnError();
  await expectDeleted(id);
  expect((await originals(admin).download(id ?? '')).error).not.toBeNull();
});

test('Replacing an image replaces or deletes its original', async () => {
  await upload('again.jpg', { keep_original: true });
  expect(await findOriginal('again.jpg')).toBeTruthy();
  await upload('again.jpg', {}, true);
  expect(await findOriginal('again.jpg')).toBeUndefined();
});
