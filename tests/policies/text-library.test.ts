/** The text library. Approved team members and admins share texts, which do not name the client that approved them. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client'] as const;
const FIELDS = { _title: 'First mail', _subject: 'A call?', _body: 'Hei {{first_name}}.', _note: 'For bakers.' };

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
/** ID of an approved text of Fjell AS. */
let approvedId: string;
/** ID of a text of Fjell AS that is still pending. */
let pendingId: string;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Øst & Vest Havn GmbH');
  approvedId = await requestApproval(fjell);
  pendingId = await requestApproval(fjell);
  await approve(fjell, approvedId);
});
afterAll(() => site.close());
beforeEach(async () => {
  await site.service.from('library_texts').delete().neq('title', '').throwOnError();
});

async function requestApproval({ id, worker }: TestClient): Promise<string> {
  const text = { _client_id: id, _title: 'First mail', _text: `Hello from ${id}.` };
  return (await worker.client.rpc('ask_for_approval', text).throwOnError()).data;
}

async function approve({ id, member }: TestClient, approval: string) {
  const decision = { _client_id: id, _approval_id: approval, _number: 1, _verdict: 'yes' };
  await member.client.rpc('decide_approval', decision).throwOnError();
}

function saveText(client: SupabaseClient, fields: object = {}, approval = approvedId, { id } = fjell) {
  return client.rpc('add_library_text', { ...FIELDS, _client_id: id, _approval_id: approval, ...fields });
}

async function readAllTexts() {
  return (await site.service.from('library_texts').select().order('id').throwOnError()).data ?? [];
}

async function readSavedText() {
  const [text] = await readAllTexts();
  return text;
}

/** Expects that `client` cannot read or change the library. */
async function expectNoAccess(client: SupabaseClient) {
  await saveText(fjell.worker.client).throwOnError();
  const before = await readAllTexts();
  const [{ id, changed_at }] = before as [{ id: string; changed_at: string }];
  expect((await client.from('library_texts').select('id')).data ?? []).toEqual([]);
  expect((await client.rpc('list_library_texts')).error?.code).toBe('42501');
  expect((await saveText(client)).error?.code).toBe('42501');
  const changed = { ...FIELDS, _id: id, _read_at: changed_at };
  expect((await client.rpc('save_library_text', changed)).error?.code).toBe('42501');
  expect((await client.from('library_texts').insert({ title: 'Forged', body: 'x' })).error?.code).toBe('42501');
  expect((await client.from('library_texts').update({ body: 'x' }).eq('id', id)).error?.code).toBe('42501');
  await client.from('library_texts').delete().eq('id', id);
  expect(await readAllTexts()).toEqual(before);
}

test.each(capitalizedRoles(OUTSIDERS))('%s cannot read or change the library', async (_label, role) => {
  await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
});

test('A member cannot read or change the library, even for a text of their own client', async () => {
  await expectNoAccess(fjell.member.client);
  await expectNoAccess(havn.member.client);
});

test('A team member whose approval was revoked loses access to the library', async () => {
  const { id, client } = await site.signedIn('team');
  await saveText(fjell.worker.client).throwOnError();
  expect((await client.rpc('list_library_texts')).data).toHaveLength(1);
  await site.service.from('user_roles').update({ approved: false }).eq('user_id', id).throwOnError();
  await site.service.from('library_texts').delete().neq('title', '').throwOnError();
  await expectNoAccess(client);
});

test.each(['admin', 'worker', 'worker of another client'])(
  'The role %s can read, change and delete texts, but cannot see their client',
  async (reader) => {
    await saveText(fjell.worker.client).throwOnError();
    const client = { admin, worker: fjell.worker.client }[reader] ?? havn.worker.client;
    const [text] = (await client.rpc('list_library_texts').throwOnError()).data;
    expect(text).toMatchObject({ title: 'First mail', subject: 'A call?', note: 'For bakers.', total: 1 });
    expect(JSON.stringify(text)).not.toMatch(new RegExp(`Fjell|${fjell.id}`));
    expect((await client.from('library_texts').select('title')).data).toEqual([{ title: 'First mail' }]);
    expect((await client.from('library_texts').select('origin_id')).error?.code).toBe('42501');
    const changed = { ...FIELDS, _id: text.id, _read_at: text.changed_at, _body: 'Hei du.' };
    await client.rpc('save_library_text', changed).throwOnError();
    expect(await readSavedText()).toMatchObject({ body: 'Hei du.', origin_id: fjell.id, created_by: fjell.worker.id });
    expect((await client.rpc('save_library_text', changed)).error?.message).toContain('Someone else has changed this');
    expect((await client.from('library_texts').delete().eq('id', text.id).select('id')).data).toHaveLength(1);
    expect((await client.rpc('save_library_text', changed)).error?.message).toContain('no longer in the library');
  },
);

test('Only the team of a client can save its approved texts', async () => {
  expect((await saveText(havn.worker.client)).error?.code).toBe('42501');
  expect((await saveText(fjell.worker.client, {}, pendingId)).error?.message).toContain(
    'Only texts that the client approved',
  );
  // The approval belongs to another client.
  expect((await saveText(havn.worker.client, {}, approvedId, havn)).error?.message).toContain(
    'Only texts that the client',
  );
  expect((await saveText(admin, { _client_id: null, _approval_id: null })).error).not.toBeNull();
  expect(await readAllTexts()).toEqual([]);
  await saveText(fjell.worker.client).throwOnError();
  await saveText(admin).throwOnError();
  expect(await readAllTexts()).toHaveLength(2);
});

test.each([
  ['text', { _body: 'Hello from Fjell AS.' }],
  ['text', { _body: 'FJELL\nAS writes.' }],
  ['text', { _body: 'That is fjells offer.' }],
  ['text', { _body: 'See https://www.fjell.example.' }],
  ['title', { _title: 'First mail (Fjell)' }],
  ['subject', { _subject: 'fjell-as: a call?' }],
  ['note', { _note: 'Fjell’s best.' }],
  ['title and the text', { _title: 'Fjell', _body: 'Fjell' }],
])('A text with the client’s name in the %s is rejected: %j', async (field, fields) => {
  const { error } = await saveText(fjell.worker.client, fields);
  const message = `Remove the client’s name (Fjell AS) from the ${field}. Texts in the library do not name clients.`;
  expect(error?.message).toBe(message);
  await saveText(fjell.worker.client, { _body: 'We go to Oppfjell. A snowfjell.' }).throwOnError();
  const { id: _id, changed_at: _read_at } = await readSavedText();
  // The name cannot be added later, not even by the team of another client.
  const changed = { ...FIELDS, ...fields, _id, _read_at };
  expect((await havn.worker.client.rpc('save_library_text', changed)).error?.message).toBe(message);
});

test('A client’s name is detected in any case and spelling, and other clients’ names are allowed', async () => {
  const approval = await requestApproval(havn);
  await approve(havn, approval);
  for (const _body of ['ØST & VEST HAVN GMBH', 'øst–vest  havn', 'O\u0338st', 'Fjell AS']) {
    const { error } = await saveText(havn.worker.client, { _body }, approval, havn);
    expect(error?.message ?? '', _body).toMatch(/vest/i.test(_body) ? /^Remove the client’s name/ : /^$/);
  }
});

test('A search finds texts by title, subject, text and note', async () => {
  await saveText(fjell.worker.client).throwOnError();
  await saveText(fjell.worker.client, {
    _title: 'Second mail',
    _subject: '',
    _body: 'Hallo.',
    _note: '',
  }).throwOnError();
  const searchTexts = async (_search: string) => {
    const { data } = await admin.rpc('list_library_texts', { _search }).throwOnError();
    return data.map(({ title }: { title: string }) => title).toSorted();
  };
  expect(await searchTexts('')).toEqual(['First mail', 'Second mail']);
  for (const searchText of ['FIRST', 'a call?', '{{first_name}}', 'bakers'])
    expect(await searchTexts(searchText)).toEqual(['First mail']);
  expect(await searchTexts('% mail')).toEqual([]);
});

test('A text is kept when its client is deleted', async () => {
  const deletedClient = await newClient(site, admin, 'Gone AS');
  const approval = await requestApproval(deletedClient);
  await approve(deletedClient, approval);
  await saveText(deletedClient.worker.client, {}, approval, deletedClient).throwOnError();
  await site.service.from('clients').delete().eq('id', deletedClient.id).throwOnError();
  expect(await readSavedText()).toMatchObject({ title: 'First mail', origin_id: null });
});
