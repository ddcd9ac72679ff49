/** Comments on approval versions. Only the client and its team can read and write them. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
/** A text of Fjell AS with one comment. */
let approvalId: string;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
  const text = { _client_id: fjell.id, _title: 'First mail', _text: 'Hei {{first_name}}. Har dere tid?' };
  approvalId = (await fjell.worker.client.rpc('ask_for_approval', text).throwOnError()).data;
  await addComment(fjell.member.client, { _text: 'Who is this?' }).throwOnError();
});
afterAll(() => site.close());

interface CommentInput {
  _client_id?: string;
  _number?: number;
  _text?: string;
  _quote?: string;
}

function addComment(client: SupabaseClient, comment: CommentInput) {
  const input = { _client_id: fjell.id, _approval_id: approvalId, _number: 1, _text: 'Well.', ...comment };
  return client.rpc('comment_on_version', input);
}

function listComments(client: SupabaseClient, _client_id = fjell.id) {
  return client.rpc('list_comments', { _client_id, _approval_id: approvalId });
}

async function readAllComments() {
  return (await site.service.from('approval_comments').select().order('created_at').throwOnError()).data;
}

/** Expects that `client` cannot read or write the comments of Fjell AS. */
async function expectNoAccess(client: SupabaseClient) {
  const before = await readAllComments();
  expect((await client.from('approval_comments').select().eq('client_id', fjell.id)).data ?? []).toEqual([]);
  expect((await listComments(client)).error?.code).toBe('42501');
  expect((await addComment(client, {})).error?.code).toBe('42501');
  expect(await readAllComments()).toEqual(before);
}

test.each(capitalizedRoles(OUTSIDERS))(
  '%s without an assigned client cannot read or write comments',
  async (_label, role) => {
    await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
  },
);

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot read or write comments',
  async (_label, role) => {
    const { client } = havn[role];
    await expectNoAccess(client);
    // The caller's own client ID gives no access either.
    expect((await addComment(client, { _client_id: havn.id })).error?.message).toBe('This approval no longer exists.');
    expect((await listComments(client, havn.id)).data).toEqual([]);
  },
);

test('Comments cannot be inserted, updated or deleted without the function', async () => {
  const before = await readAllComments();
  for (const client of [fjell.member.client, fjell.worker.client, admin]) {
    const { data } = await client.from('approval_comments').select().eq('client_id', fjell.id);
    expect((await client.from('approval_comments').insert(data?.[0])).error?.code).toBe('42501');
    expect((await client.from('approval_comments').update({ text: 'a' }).eq('client_id', fjell.id)).error?.code).toBe(
      '42501',
    );
    expect((await client.from('approval_comments').delete().eq('client_id', fjell.id)).error?.code).toBe('42501');
  }
  expect(await readAllComments()).toEqual(before);
});

test('Viewers and the team can comment on a passage, and only the team sees the addresses of authors', async () => {
  const viewer = await site.signedIn('client');
  const member = { _client_id: fjell.id, _email: viewer.email, _kind: 'viewer' };
  await admin.rpc('add_client_member', member).throwOnError();
  for (const { client } of [viewer, fjell.worker]) {
    expect((await addComment(client, { _text: ' Too stiff. ', _quote: 'Har dere tid?' })).error).toBeNull();
  }
  const { data } = await listComments(fjell.member.client).throwOnError();
  expect(data).toMatchObject([
    { number: 1, quote: '', text: 'Who is this?', is_team: false },
    { quote: 'Har dere tid?', text: 'Too stiff.', is_team: false },
    { quote: 'Har dere tid?', is_team: true, written_by: '' },
  ]);
  expect(JSON.stringify(data)).not.toContain('@');
  expect((await listComments(fjell.worker.client)).data).toMatchObject([
    { written_by: fjell.member.email },
    { written_by: viewer.email },
    { written_by: fjell.worker.email },
  ]);
  expect((await fjell.member.client.rpc('list_approvals', { _client_id: fjell.id })).data).toMatchObject([
    { id: approvalId, comment_count: 3, verdict: null },
  ]);
  expect((await viewer.client.rpc('my_data').throwOnError()).data.approval_comments).toMatchObject([
    { version: 1, text: 'Too stiff.' },
  ]);
});

test('A comment with a missing passage, an empty or overlong text or an unknown version is rejected', async () => {
  const { client } = fjell.member;
  expect((await addComment(client, { _quote: 'Har dere penger?' })).error?.message).toContain('not in the version');
  expect((await addComment(client, { _quote: '%' })).error?.message).toContain('not in the version');
  expect((await addComment(client, { _text: ' \n' })).error?.code).toBe('23514');
  expect((await addComment(client, { _text: 'x'.repeat(2001) })).error?.code).toBe('23514');
  expect((await addComment(client, { _number: 2 })).error?.code).toBe('23503');
  expect((await addComment(client, { _text: 'x'.repeat(2000) })).error).toBeNull();
});
