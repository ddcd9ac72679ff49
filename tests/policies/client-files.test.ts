/** Files of clients: who brings, lists, reads and signs them, with two clients, and that nobody changes one. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const NOBODY_ELSE = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const TEXT = new Blob(['Hei Fjell.'], { type: 'text/plain' });

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
/** A file of Fjell AS. */
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

async function bring(client: SupabaseClient, { id }: TestClient, name = `${crypto.randomUUID()}.txt`) {
  return files(client).upload(`${id}/${name}`, TEXT, { metadata: { name: 'Plan for 2027.txt' } });
}

async function newFile(client: TestClient): Promise<string> {
  const { data } = await bring(client.worker.client, client);
  if (!data) throw new Error('no file was brought');
  return data.path;
}

async function fileId(name: string): Promise<string> {
  const { data } = await site.service.from('client_files').select('id').eq('object_name', name).single().throwOnError();
  return data.id;
}

function ask(client: SupabaseClient, { id }: TestClient, _file_id: string, _approval_id?: string) {
  const given = { _client_id: id, _title: 'Deck', _text: 'For the first call.', _file_id, _approval_id };
  return client.rpc('ask_for_file_approval', given);
}

async function everything() {
  const rows = await site.service.from('client_files').select().order('object_name').throwOnError();
  const listed = await Promise.all([fjell, havn].map(({ id }) => files(site.service).list(id)));
  return [rows.data, listed.map(({ data }) => data?.map(({ name, metadata }) => [name, metadata]))];
}

/** Tries everything on the file of Fjell AS, by somebody who may do none of it. */
async function tryEverything(client: SupabaseClient) {
  const before = await everything();
  expect((await client.from('client_files').select().eq('client_id', fjell.id)).data ?? []).toEqual([]);
  expect((await files(client).list(fjell.id)).data ?? []).toEqual([]);
  expect((await files(client).download(path)).error).not.toBeNull();
  expect((await files(client).createSignedUrl(path, 60)).error).not.toBeNull();
  expect((await files(client).info(path)).error).not.toBeNull();
  expect((await bring(client, fjell)).error).not.toBeNull();
  expect((await files(client).createSignedUploadUrl(`${fjell.id}/new.txt`)).error).not.toBeNull();
  expect((await files(client).copy(path, `${havn.id}/${crypto.randomUUID()}.txt`)).error).not.toBeNull();
  await tryChanging(client);
  const id = await fileId(path);
  expect((await client.rpc('delete_client_file', { _client_id: fjell.id, _file_id: id })).error?.code).toBe('42501');
  expect((await ask(client, fjell, id)).error?.code).toBe('42501');
  expect((await fetch(files(client).getPublicUrl(path).data.publicUrl)).status).toBe(400);
  expect(await everything()).toEqual(before);
}

/** Tries to change and to remove the file past the functions. */
async function tryChanging(client: SupabaseClient) {
  expect((await files(client).update(path, new Blob(['Other.'], { type: 'text/plain' }))).error).not.toBeNull();
  expect((await files(client).upload(path, TEXT, { upsert: true })).error).not.toBeNull();
  expect((await files(client).move(path, `${fjell.id}/moved.txt`)).error).not.toBeNull();
  expect((await files(client).remove([path])).data ?? []).toEqual([]);
}

test.each(NOBODY_ELSE)('A %s of no client brings, lists, reads and signs nothing', async (person) => {
  await tryEverything(person === 'visitor' ? site.visitor : (await site.signedIn(person)).client);
});

test.each(['member', 'worker'] as const)('A %s of another client does nothing of it', async (place) => {
  await tryEverything(havn[place].client);
  expect((await ask(havn.worker.client, havn, await fileId(path))).error?.message).toContain('no longer exists');
});

test('Those who work for the client and admins bring files; its people read them, and bring none', async () => {
  for (const client of [fjell.worker.client, admin]) {
    const { data } = await bring(client, fjell);
    for (const reader of [fjell.member.client, fjell.worker.client, admin]) {
      expect(await (await files(reader).download(data?.path ?? '')).data?.text()).toBe('Hei Fjell.');
      const signed = (await files(reader).createSignedUrl(data?.path ?? '', 60)).data?.signedUrl ?? '';
      expect(await (await fetch(signed)).text()).toBe('Hei Fjell.');
      expect((await reader.from('client_files').select('name, size').eq('object_name', data?.path)).data).toEqual([
        { name: 'Plan for 2027.txt', size: 10 },
      ]);
    }
  }
  const before = await everything();
  expect((await bring(fjell.member.client, fjell)).error).not.toBeNull();
  const gone = { ...fjell, id: crypto.randomUUID() };
  for (const client of [fjell.worker.client, admin]) {
    expect((await bring(client, gone)).error).not.toBeNull();
    expect((await bring(client, fjell, 'deeper/a.txt')).error).not.toBeNull();
  }
  expect(await everything()).toEqual(before);
});

test('Nobody changes a file, and nobody removes one past the function', async () => {
  const before = await everything();
  for (const client of [fjell.member.client, fjell.worker.client, admin]) {
    await tryChanging(client);
    const { data } = await client.from('client_files').select().eq('client_id', fjell.id).limit(1);
    expect((await client.from('client_files').insert(data?.[0])).error?.code).toBe('42501');
    expect((await client.from('client_files').update({ name: 'a' }).eq('client_id', fjell.id)).error?.code).toBe(
      '42501',
    );
    expect((await client.from('client_files').delete().eq('client_id', fjell.id)).error?.code).toBe('42501');
  }
  expect(await everything()).toEqual(before);
});

test('A file goes with its bytes, by who works for the client, unless the client was asked to approve it', async () => {
  const kept = await newFile(fjell);
  const name = await newFile(fjell);
  const { data: approval } = await ask(fjell.worker.client, fjell, await fileId(kept)).throwOnError();
  const remove = async (client: SupabaseClient, of: string) =>
    client.rpc('delete_client_file', { _client_id: fjell.id, _file_id: await fileId(of) });
  expect((await remove(fjell.member.client, name)).error?.code).toBe('42501');
  expect((await remove(fjell.worker.client, kept)).error?.message).toContain('belongs to an approval');
  expect((await remove(fjell.worker.client, name)).error).toBeNull();
  expect((await files(site.service).info(name)).error).not.toBeNull();
  expect((await fjell.member.client.rpc('list_approvals', { _client_id: fjell.id })).data).toMatchObject([
    { id: approval, kind: 'file', file: { object_name: kept, name: 'Plan for 2027.txt', size: 10 } },
  ]);
  expect((await ask(fjell.worker.client, fjell, await fileId(path), approval)).error).toBeNull();
  const yes = { _client_id: fjell.id, _approval_id: approval, _number: 2, _verdict: 'yes' };
  expect((await fjell.member.client.rpc('decide_approval', yes)).error).toBeNull();
  expect((await files(site.service).remove([path])).data ?? []).toEqual([]);
});

test('All files of a client go with it, also those that it approved', async () => {
  const nes = await newClient(site, admin, 'Nes AS');
  const name = await newFile(nes);
  await ask(nes.worker.client, nes, await fileId(name)).throwOnError();
  await admin.from('clients').delete().eq('id', nes.id).throwOnError();
  expect((await files(site.service).info(name)).error).not.toBeNull();
});

test('A member who is removed opens nothing more', async () => {
  const person = await site.signedIn('client');
  await admin.rpc('add_client_member', { _client_id: fjell.id, _email: person.email }).throwOnError();
  expect((await files(person.client).download(path)).error).toBeNull();
  await admin.from('client_members').delete().eq('user_id', person.id).throwOnError();
  await tryEverything(person.client);
});

test('Those who work for the client choose one of its pictures as its logo, and nobody else does', async () => {
  const svg = new Blob(['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2"/>'], { type: 'image/svg+xml' });
  const pictureOf = async ({ id, worker }: TestClient) => {
    const { data } = await files(worker.client).upload(`${id}/${crypto.randomUUID()}.svg`, svg);
    return data?.path ?? '';
  };
  const [own, foreign] = [await pictureOf(fjell), await pictureOf(havn)];
  const choose = async (client: SupabaseClient, name: string | null) =>
    client.rpc('set_client_logo', { _client_id: fjell.id, _file_id: name === null ? null : await fileId(name) });
  const logo = async (client = admin) =>
    (await client.from('clients').select('logo').eq('id', fjell.id).maybeSingle()).data?.logo;
  for (const person of NOBODY_ELSE) {
    const client = person === 'visitor' ? site.visitor : (await site.signedIn(person)).client;
    expect((await choose(client, own)).error?.code, person).toBe('42501');
  }
  for (const client of [fjell.member.client, havn.worker.client, havn.member.client]) {
    expect((await choose(client, own)).error?.code).toBe('42501');
  }
  expect((await fjell.worker.client.from('clients').update({ logo: own }).eq('id', fjell.id)).error?.code).toBe(
    '42501',
  );
  expect((await choose(fjell.worker.client, foreign)).error?.message).toContain('The logo must be one');
  expect((await choose(fjell.worker.client, path)).error?.message).toContain('The logo must be one');
  expect((await site.service.from('clients').update({ logo: foreign }).eq('id', fjell.id)).error?.code).toBe('23503');
  expect(await logo()).toBeNull();
  for (const client of [fjell.worker.client, admin]) {
    expect((await choose(client, own)).error).toBeNull();
    expect(await logo(fjell.member.client)).toBe(own);
    expect((await choose(client, null)).error).toBeNull();
    expect(await logo(fjell.member.client)).toBeNull();
  }
  // A picture that is deleted is no logo any more.
  await choose(admin, own);
  const gone = { _client_id: fjell.id, _file_id: await fileId(own) };
  await admin.rpc('delete_client_file', gone).throwOnError();
  expect(await logo()).toBeNull();
  // And a client goes with the picture that is its logo.
  const elv = await newClient(site, admin, 'Elv AS');
  const picture = await pictureOf(elv);
  await elv.worker.client
    .rpc('set_client_logo', { _client_id: elv.id, _file_id: await fileId(picture) })
    .throwOnError();
  await admin.from('clients').delete().eq('id', elv.id).throwOnError();
  expect((await files(site.service).info(picture)).error).not.toBeNull();
});
