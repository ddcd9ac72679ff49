/** Files of clients. Tests who can upload, list, read and sign them, and that files never change. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const TEXT = new Blob(['Hei Fjell.'], { type: 'text/plain' });

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
/** Path of a file of Fjell AS. */
let path: string;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
  path = await newFile(fjell);
});
afterAll(() => site.close());

function files(client: SupabaseClient) {
  return client.storage.from('client-files');
}

async function uploadText(client: SupabaseClient, { id }: TestClient, name = `${crypto.randomUUID()}.txt`) {
  return files(client).upload(`${id}/${name}`, TEXT, { metadata: { name: 'Plan for 2027.txt' } });
}

async function newFile(client: TestClient): Promise<string> {
  const { data } = await uploadText(client.worker.client, client);
  if (!data) throw new Error('The upload failed');
  return data.path;
}

async function fileId(name: string): Promise<string> {
  const { data } = await site.service.from('client_files').select('id').eq('object_name', name).single().throwOnError();
  return data.id;
}

function requestApproval(client: SupabaseClient, { id }: TestClient, _file_id: string, _approval_id?: string) {
  const input = { _client_id: id, _title: 'Deck', _text: 'For the first call.', _file_id, _approval_id };
  return client.rpc('ask_for_file_approval', input);
}

async function readAllFiles() {
  const rows = await site.service.from('client_files').select().order('object_name').throwOnError();
  const fileLists = await Promise.all([fjell, havn].map(({ id }) => files(site.service).list(id)));
  return [rows.data, fileLists.map(({ data }) => data?.map(({ name, metadata }) => [name, metadata]))];
}

/** Expects that `client` cannot read, upload, change or delete files of Fjell AS. */
async function expectNoAccess(client: SupabaseClient) {
  const before = await readAllFiles();
  expect((await client.from('client_files').select().eq('client_id', fjell.id)).data ?? []).toEqual([]);
  expect((await files(client).list(fjell.id)).data ?? []).toEqual([]);
  expect((await files(client).download(path)).error).not.toBeNull();
  expect((await files(client).createSignedUrl(path, 60)).error).not.toBeNull();
  expect((await files(client).info(path)).error).not.toBeNull();
  expect((await uploadText(client, fjell)).error).not.toBeNull();
  expect((await files(client).createSignedUploadUrl(`${fjell.id}/new.txt`)).error).not.toBeNull();
  expect((await files(client).copy(path, `${havn.id}/${crypto.randomUUID()}.txt`)).error).not.toBeNull();
  await expectReadOnly(client);
  const id = await fileId(path);
  expect((await client.rpc('delete_client_file', { _client_id: fjell.id, _file_id: id })).error?.code).toBe('42501');
  expect((await requestApproval(client, fjell, id)).error?.code).toBe('42501');
  expect((await fetch(files(client).getPublicUrl(path).data.publicUrl)).status).toBe(400);
  expect(await readAllFiles()).toEqual(before);
}

/** Expects that `client` cannot change or remove the file without the functions. */
async function expectReadOnly(client: SupabaseClient) {
  expect((await files(client).update(path, new Blob(['Other.'], { type: 'text/plain' }))).error).not.toBeNull();
  expect((await files(client).upload(path, TEXT, { upsert: true })).error).not.toBeNull();
  expect((await files(client).move(path, `${fjell.id}/moved.txt`)).error).not.toBeNull();
  expect((await files(client).remove([path])).data ?? []).toEqual([]);
}

test.each(capitalizedRoles(OUTSIDERS))(
  '%s without an assigned client cannot upload, list, read or sign files',
  async (_label, role) => {
    await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
  },
);

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot upload, list, read or sign files',
  async (_label, role) => {
    await expectNoAccess(havn[role].client);
    expect((await requestApproval(havn.worker.client, havn, await fileId(path))).error?.message).toContain(
      'no longer exists',
    );
  },
);

test('Team members and admins can upload files, and members can only read them', async () => {
  for (const client of [fjell.worker.client, admin]) {
    const { data } = await uploadText(client, fjell);
    for (const reader of [fjell.member.client, fjell.worker.client, admin]) {
      expect(await (await files(reader).download(data?.path ?? '')).data?.text()).toBe('Hei Fjell.');
      const signedUrl = (await files(reader).createSignedUrl(data?.path ?? '', 60)).data?.signedUrl ?? '';
      expect(await (await fetch(signedUrl)).text()).toBe('Hei Fjell.');
      expect((await reader.from('client_files').select('name, size').eq('object_name', data?.path)).data).toEqual([
        { name: 'Plan for 2027.txt', size: 10 },
      ]);
    }
  }
  const before = await readAllFiles();
  expect((await uploadText(fjell.member.client, fjell)).error).not.toBeNull();
  const unknownClient = { ...fjell, id: crypto.randomUUID() };
  for (const client of [fjell.worker.client, admin]) {
    expect((await uploadText(client, unknownClient)).error).not.toBeNull();
    expect((await uploadText(client, fjell, 'deeper/a.txt')).error).not.toBeNull();
  }
  expect(await readAllFiles()).toEqual(before);
});

test('Files cannot be changed, and can be deleted only with the function', async () => {
  const before = await readAllFiles();
  for (const client of [fjell.member.client, fjell.worker.client, admin]) {
    await expectReadOnly(client);
    const { data } = await client.from('client_files').select().eq('client_id', fjell.id).limit(1);
    expect((await client.from('client_files').insert(data?.[0])).error?.code).toBe('42501');
    expect((await client.from('client_files').update({ name: 'a' }).eq('client_id', fjell.id)).error?.code).toBe(
      '42501',
    );
    expect((await client.from('client_files').delete().eq('client_id', fjell.id)).error?.code).toBe('42501');
  }
  expect(await readAllFiles()).toEqual(before);
});

test('A team member can delete a file and its bytes unless it belongs to an approval', async () => {
  const file = await newFile(fjell);
  const name = await newFile(fjell);
  const { data: approval } = await requestApproval(fjell.worker.client, fjell, await fileId(file)).throwOnError();
  const remove = async (client: SupabaseClient, fileName: string) =>
    client.rpc('delete_client_file', { _client_id: fjell.id, _file_id: await fileId(fileName) });
  expect((await remove(fjell.member.client, name)).error?.code).toBe('42501');
  expect((await remove(fjell.worker.client, file)).error?.message).toContain('belongs to an approval');
  expect((await remove(fjell.worker.client, name)).error).toBeNull();
  expect((await files(site.service).info(name)).error).not.toBeNull();
  expect((await fjell.member.client.rpc('list_approvals', { _client_id: fjell.id })).data).toMatchObject([
    { id: approval, kind: 'file', file: { object_name: file, name: 'Plan for 2027.txt', size: 10 } },
  ]);
  expect((await requestApproval(fjell.worker.client, fjell, await fileId(path), approval)).error).toBeNull();
  const decision = { _client_id: fjell.id, _approval_id: approval, _number: 2, _verdict: 'yes' };
  expect((await fjell.member.client.rpc('decide_approval', decision)).error).toBeNull();
  expect((await files(site.service).remove([path])).data ?? []).toEqual([]);
});

test('Deleting a client deletes all its files, including approved ones', async () => {
  const nes = await newClient(site, admin, 'Nes AS');
  const name = await newFile(nes);
  await requestApproval(nes.worker.client, nes, await fileId(name)).throwOnError();
  await admin.from('clients').delete().eq('id', nes.id).throwOnError();
  expect((await files(site.service).info(name)).error).not.toBeNull();
});

test('A removed member cannot open files', async () => {
  const user = await site.signedIn('client');
  await admin.rpc('add_client_member', { _client_id: fjell.id, _email: user.email }).throwOnError();
  expect((await files(user.client).download(path)).error).toBeNull();
  await admin.from('client_members').delete().eq('user_id', user.id).throwOnError();
  await expectNoAccess(user.client);
});

test('Only team members and admins can choose the logo of a client from its images', async () => {
  const svg = new Blob(['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2"/>'], { type: 'image/svg+xml' });
  const uploadImage = async ({ id, worker }: TestClient) => {
    const { data } = await files(worker.client).upload(`${id}/${crypto.randomUUID()}.svg`, svg);
    return data?.path ?? '';
  };
  const [fjellLogo, havnLogo] = [await uploadImage(fjell), await uploadImage(havn)];
  const chooseLogo = async (client: SupabaseClient, name: string | null) =>
    client.rpc('set_client_logo', { _client_id: fjell.id, _file_id: name === null ? null : await fileId(name) });
  const readLogo = async (client = admin) =>
    (await client.from('clients').select('logo').eq('id', fjell.id).maybeSingle()).data?.logo;
  for (const role of OUTSIDERS) {
    const client = role === 'visitor' ? site.visitor : (await site.signedIn(role)).client;
    expect((await chooseLogo(client, fjellLogo)).error?.code, role).toBe('42501');
  }
  for (const client of [fjell.member.client, havn.worker.client, havn.member.client]) {
    expect((await chooseLogo(client, fjellLogo)).error?.code).toBe('42501');
  }
  expect((await fjell.worker.client.from('clients').update({ logo: fjellLogo }).eq('id', fjell.id)).error?.code).toBe(
    '42501',
  );
  expect((await chooseLogo(fjell.worker.client, havnLogo)).error?.message).toContain('The logo must be one');
  expect((await chooseLogo(fjell.worker.client, path)).error?.message).toContain('The logo must be one');
  expect((await site.service.from('clients').update({ logo: havnLogo }).eq('id', fjell.id)).error?.code).toBe('23503');
  expect(await readLogo()).toBeNull();
  for (const client of [fjell.worker.client, admin]) {
    expect((await chooseLogo(client, fjellLogo)).error).toBeNull();
    expect(await readLogo(fjell.member.client)).toBe(fjellLogo);
    expect((await chooseLogo(client, null)).error).toBeNull();
    expect(await readLogo(fjell.member.client)).toBeNull();
  }
  // Deleting the image clears the logo.
  await chooseLogo(admin, fjellLogo);
  const logoFile = { _client_id: fjell.id, _file_id: await fileId(fjellLogo) };
  await admin.rpc('delete_client_file', logoFile).throwOnError();
  expect(await readLogo()).toBeNull();
  // Deleting a client deletes its logo.
  const elv = await newClient(site, admin, 'Elv AS');
  const image = await uploadImage(elv);
  await elv.worker.client.rpc('set_client_logo', { _client_id: elv.id, _file_id: await fileId(image) }).throwOnError();
  await admin.from('clients').delete().eq('id', elv.id).throwOnError();
  expect((await files(site.service).info(image)).error).not.toBeNull();
});
