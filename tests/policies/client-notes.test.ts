/** Internal notes. Only the client's team can read and write them. Members of the client never see them. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { mailsTo, nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
/** A word that occurs only in a note. */
const WORD = 'Zwetschgenknoedel';

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
  await addNote(fjell.worker.client, fjell, `Pays late. ${WORD}.`).throwOnError();
});
afterAll(() => site.close());

function addNote(client: SupabaseClient, { id }: TestClient, text = 'A note.') {
  return client.from('client_notes').insert({ client_id: id, text });
}

function listNotes(client: SupabaseClient, { id }: TestClient) {
  return client.rpc('list_client_notes', { _client_id: id });
}

async function readAllNotes() {
  return (await site.service.from('client_notes').select().order('created_at').throwOnError()).data;
}

/** Asks the assistant about the note as a signed-in user. */
async function askAssistant(token: string): Promise<string> {
  const response = await fetch(`${site.url}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: { apikey: PUBLISHABLE_KEY, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    // The question does not contain the word, because the assistant repeats the question.
    body: JSON.stringify({ messages: [{ role: 'user', content: 'What do you note about Fjell AS, who pays late?' }] }),
  });
  expect(response.status).toBe(200);
  return response.text();
}

/** Expects that `client` cannot read or change the notes on Fjell AS. */
async function expectNoAccess(client: SupabaseClient) {
  const before = await readAllNotes();
  expect((await client.from('client_notes').select()).data ?? []).not.toContainEqual(
    expect.objectContaining({ client_id: fjell.id }),
  );
  expect((await listNotes(client, fjell)).error?.code).toBe('42501');
  expect((await addNote(client, fjell)).error?.code).toBe('42501');
  expect((await client.from('client_notes').update({ text: 'Other.' }).eq('client_id', fjell.id)).error?.code).toBe(
    '42501',
  );
  await client.from('client_notes').delete().eq('client_id', fjell.id);
  expect(await readAllNotes()).toEqual(before);
}

test.each(capitalizedRoles(OUTSIDERS))(
  '%s without an assigned client cannot read or change notes',
  async (_label, role) => {
    await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
  },
);

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot read or change notes',
  async (_label, role) => {
    await expectNoAccess(havn[role].client);
  },
);

test('A member cannot read or change the notes on their own client', () => expectNoAccess(fjell.member.client));

test('The team can write and read notes, and only the author or an admin can delete one', async () => {
  await addNote(admin, havn, 'By an admin.').throwOnError();
  await addNote(havn.worker.client, havn, 'By a worker.').throwOnError();
  const { data } = await listNotes(havn.worker.client, havn).throwOnError();
  expect(data).toMatchObject([
    { text: 'By a worker.', written_by: havn.worker.email, may_delete: true, total: 2 },
    { text: 'By an admin.', may_delete: false },
  ]);
  expect((await listNotes(admin, havn)).data).toMatchObject([{ may_delete: true }, { may_delete: true }]);
  const remove = (client: SupabaseClient, id: string) => client.from('client_notes').delete().eq('id', id).select('id');
  expect((await remove(havn.worker.client, data[1].id)).data).toEqual([]);
  expect((await remove(havn.worker.client, data[0].id)).data).toHaveLength(1);
  expect((await remove(admin, data[1].id)).data).toHaveLength(1);
  for (const column of ['written_by', 'created_at', 'id']) {
    const row = {
      client_id: havn.id,
      text: 'Forged.',
      [column]: column === 'created_at' ? '2020-01-01' : fjell.worker.id,
    };
    expect((await havn.worker.client.from('client_notes').insert(row)).error?.code).toBe('42501');
  }
  expect((await addNote(havn.worker.client, havn, ' ')).error?.code).toBe('23514');
  expect((await addNote(havn.worker.client, havn, 'x'.repeat(5001))).error?.code).toBe('23514');
});

test('No table, list, search, export, mail or assistant reply shows a note to a member', async () => {
  const { client, email } = fjell.member;
  const { rows: tables } = await site.backend.database.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const responses: unknown[] = [];
  for (const { name } of tables) responses.push((await client.from(name).select().limit(1000)).data);
  const text = { _client_id: fjell.id, _title: 'First mail', _text: 'Hello.' };
  const { data: id } = await fjell.worker.client.rpc('ask_for_approval', text).throwOnError();
  await nextMail(site.dataFolder, email);
  const lists = [
    'list_approvals',
    'list_client_meetings',
    'list_do_not_contact',
    'client_imports',
    'list_client_notes',
  ];
  for (const name of lists) responses.push(await client.rpc(name, { _client_id: fjell.id }));
  responses.push(await client.rpc('list_comments', { _client_id: fjell.id, _approval_id: id }));
  for (const search of ['search_everywhere', 'search_news']) responses.push(await client.rpc(search, { _query: WORD }));
  responses.push(await client.rpc('search_posts', { _words: [WORD] }));
  const { data: exported } = await client.rpc('my_data').throwOnError();
  expect(exported.asked_approvals).toEqual([]);
  responses.push(exported);
  responses.push(await mailsTo(site.dataFolder, email));
  responses.push(await askAssistant(fjell.member.token));
  expect(JSON.stringify(responses)).toContain('First mail');
  expect(JSON.stringify(responses)).not.toContain(WORD);
  // The data export of the author has the note.
  expect(JSON.stringify((await fjell.worker.client.rpc('my_data')).data)).toContain(WORD);
});
