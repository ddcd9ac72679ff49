/**
 * Trash of the media library. Deleted files have no working URL, and only admins can restore or permanently delete
 * them.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const NON_ADMIN_ROLES = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;

let site: TestBackend;
let png: Buffer;
let admin: Awaited<ReturnType<TestBackend['signedIn']>>;
const clients = new Map<string, SupabaseClient>();

beforeAll(async () => {
  site = await startTestBackend();
  png = await picture(40, 20);
  clients.set('visitor', site.visitor);
  for (const role of ['stranger', 'pending', 'client', 'team'] as const) {
    clients.set(role, (await site.signedIn(role)).client);
  }
  admin = await site.signedIn('admin');
});
afterAll(() => site.close());

const media = () => admin.client.storage.from('content-media');

async function fetchStatuses(name: string): Promise<number[]> {
  const { publicUrl } = media().getPublicUrl(name).data;
  const small = media().getPublicUrl(name, { transform: { width: 320 } }).data.publicUrl;
  return Promise.all([publicUrl, small].map(async (url) => (await fetch(url)).status));
}

async function findInTrash(name: string, client: SupabaseClient = admin.client) {
  const { data, error } = await client.rpc('deleted_media', { _search: name });
  return { file: data?.[0], error };
}

/** @returns the ID of the file in the trash */
async function uploadAndDelete(name: string): Promise<string> {
  const metadata = {
    original_name: `Original of ${name}`,
    alt: 'A ferry',
    focal_x: 0.25,
    focal_y: 0.5,
    folder: 'Boats',
  };
  expect((await media().upload(name, png, { metadata })).error).toBeNull();
  const { data, error } = await media().remove([name]);
  expect(error).toBeNull();
  expect(data).toMatchObject([{ name, bucket_id: 'content-media' }]);
  return (await findInTrash(name)).file.id;
}

test('A deleted file disappears from the library and from all its URLs, and restoring it undoes this', async () => {
  await media().upload('back.png', png, { metadata: { alt: 'A ferry', folder: 'Boats', original_name: 'Fähre.png' } });
  const { data: signedUrl } = await media().createSignedUrl('back.png', 600);
  const before = await site.backend.database.query(
    `select to_jsonb(file) - 'last_accessed_at' as file from storage.objects as file where name = 'back.png'`,
  );
  const library = (await admin.client.rpc('media_library', { _search: 'back.png' })).data;
  expect(library).toHaveLength(1);
  await media().remove(['back.png']);

  expect(await fetchStatuses('back.png')).toEqual([400, 400]);
  expect((await fetch(signedUrl?.signedUrl ?? '')).status).toBe(400);
  expect((await media().info('back.png')).error?.message).toBe('Object not found');
  expect((await media().download('back.png')).error).not.toBeNull();
  expect((await admin.client.rpc('media_library', { _search: 'back.png' })).data).toEqual([]);
  const { file } = await findInTrash('Fähre');
  expect(file).toMatchObject({
    name: 'back.png',
    original_name: 'Fähre.png',
    mimetype: 'image/png',
    deleted_by: admin.id,
    total: 1,
  });

  expect((await admin.client.rpc('restore_media', { _id: file.id })).data).toBe('back.png');
  expect(await fetchStatuses('back.png')).toEqual([200, 200]);
  expect(Buffer.from(await (await fetch(media().getPublicUrl('back.png').data.publicUrl)).arrayBuffer())).toEqual(png);
  expect((await fetch(signedUrl?.signedUrl ?? '')).status).toBe(200);
  expect((await admin.client.rpc('media_library', { _search: 'back.png' })).data).toMatchObject([
    { alt: 'A ferry', folder: 'Boats', original_name: 'Fähre.png' },
  ]);
  const after = await site.backend.database.query(
    `select to_jsonb(file) - 'last_accessed_at' as file from storage.objects as file where name = 'back.png'`,
  );
  expect(after.rows).toEqual(before.rows);
  expect((await findInTrash('back.png')).file).toBeUndefined();
});

describe.each(capitalizedRoles(NON_ADMIN_ROLES))('%s', (_label, role) => {
  test('cannot list, restore or permanently delete files in the trash', async () => {
    const client = clients.get(role) ?? site.visitor;
    const id = await uploadAndDelete(`of-${role}.png`);
    expect((await client.rpc('can_restore_media')).error?.code).toBe('42501');
    expect((await findInTrash('', client)).error?.code).toBe('42501');
    expect((await client.rpc('restore_media', { _id: id })).error?.code).toBe('42501');
    expect((await client.rpc('delete_media_permanently', { _ids: [id] })).error?.code).toBe('42501');
    expect((await client.schema('backend').from('deleted_objects').select()).error?.code).toBe('PGRST106');
    expect((await client.from('deleted_objects').select()).error?.code).toBe('PGRST205');
    expect((await findInTrash(`of-${role}.png`)).file.id).toBe(id);
    expect((await admin.client.rpc('restore_media', { _id: id })).error).toBeNull();
  });
});

test('An admin and the service role can check whether deleted files are moved to the trash', async () => {
  for (const client of [admin.client, site.service]) expect((await client.rpc('can_restore_media')).data).toBe(true);
});

test('The database roles of the API cannot read the table of deleted files', async () => {
  for (const role of ['anon', 'authenticated', 'service_role']) {
    const read = site.backend.database.transaction(async (tx) => {
      await tx.query(`set local role ${role}`);
      await tx.query('select from backend.deleted_objects');
    });
    await expect(read).rejects.toMatchObject({ code: '42501' });
  }
});

test('The second of two concurrent restores fails because the file is no longer in the trash', async () => {
  const id = await uploadAndDelete('twice.png');
  const responses = await Promise.all(
    [admin.client, site.service].map((client) => client.rpc('restore_media', { _id: id })),
  );
  expect(responses.map(({ error }) => error?.message ?? 'restored').sort()).toEqual([
    'This file is no longer in the trash. It was restored or permanently deleted.',
    'restored',
  ]);
});

test('A file cannot be restored while another file has its URL', async () => {
  const id = await uploadAndDelete('contested.png');
  expect((await media().upload('contested.png', await picture(5, 5))).error).toBeNull();
  expect((await admin.client.rpc('restore_media', { _id: id })).error?.message).toBe(
    'Another file now has this URL. Delete that file first.',
  );
  await media().remove(['contested.png']);
  expect((await admin.client.rpc('restore_media', { _id: id })).data).toBe('contested.png');
  expect(Buffer.from(await (await fetch(media().getPublicUrl('contested.png').data.publicUrl)).arrayBuffer())).toEqual(
    png,
  );
});

test('A permanently deleted file is not listed and cannot be restored', async () => {
  const id = await uploadAndDelete('permanent.png');
  expect((await admin.client.rpc('delete_media_permanently', { _ids: [id, crypto.randomUUID()] })).data).toBe(1);
  expect((await findInTrash('permanent.png')).file).toBeUndefined();
  expect((await admin.client.rpc('restore_media', { _id: id })).error?.message).toContain('no longer in the trash');
});

test('Only files of the library are moved to the trash, and files of other buckets are deleted directly', async () => {
  await site.service.storage.createBucket('other', { public: false });
  await site.service.storage.from('other').upload('a.png', png);
  await site.service.storage.from('other').remove(['a.png']);
  expect(
    (await site.backend.database.query(`select from backend.deleted_objects where bucket_id = 'other'`)).rowCount,
  ).toBe(0);
});

test('Deleting an account clears the uploader and the deleter of files in the trash', async () => {
  const editor = await site.signedIn('admin');
  await editor.client.storage.from('content-media').upload('left.png', png);
  await editor.client.storage.from('content-media').remove(['left.png']);
  await admin.client.rpc('delete_person', { _user_id: editor.id }).throwOnError();
  const { rows } = await site.backend.database.query(
    `select owner_id, deleted_by from backend.deleted_objects where name = 'left.png'`,
  );
  expect(rows).toEqual([{ owner_id: null, deleted_by: null }]);
});
