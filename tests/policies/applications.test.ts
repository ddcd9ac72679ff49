/** Applications that people let in: on tables and functions they are visitors, and change nothing about accounts. */
import { createClient } from '@supabase/supabase-js';
import { decodeJwt, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

/** Makes a person who has just signed in, and the client of an application that acts for them. */
async function withApplication(kind: Person) {
  const person = await site.signedIn(kind);
  const claims = decodeJwt(person.token);
  await site.backend.database.query(
    `insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
     values (gen_random_uuid(), $1, 'magiclink', now(), now())`,
    [String(claims['session_id'])],
  );
  const { kid, alg, privateKey } = site.backend.keys.current;
  const token = await new SignJWT({ ...claims, client_id: crypto.randomUUID(), scope: 'openid' })
    .setProtectedHeader({ alg, kid })
    .sign(privateKey);
  const options = {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() },
    global: { headers: { authorization: `Bearer ${token}` } },
  };
  return { person, application: createClient(site.url, PUBLISHABLE_KEY, options) };
}

const REFUSAL = { code: '42501' };

test('An application neither reads the role of the person, nor takes their data, nor deletes them', async () => {
  const { person, application } = await withApplication('client');
  expect((await application.from('user_roles').select('role')).data).toEqual([]);
  expect((await person.client.from('user_roles').select('role')).data).toEqual([{ role: 'client' }]);
  const session = String(decodeJwt(person.token)['session_id']);
  expect((await application.rpc('my_data')).error).toMatchObject(REFUSAL);
  expect((await application.rpc('delete_my_account')).error).toMatchObject(REFUSAL);
  expect((await application.rpc('end_my_session', { _session_id: session })).error).toMatchObject(REFUSAL);
  expect((await person.client.rpc('my_data')).error).toBeNull();
  expect((await person.client.rpc('delete_my_account')).error).toBeNull();
});

test('An application of a member sees nothing of the client, and one of an admin adds nobody to it', async () => {
  const { person: admin, application: ofAdmin } = await withApplication('admin');
  const { person, application } = await withApplication('client');
  const { data } = await admin.client.from('clients').insert({ name: 'Fjell AS' }).select('id').single().throwOnError();
  const member = { _client_id: data.id, _email: person.email };
  expect((await ofAdmin.rpc('add_client_member', member)).error).toMatchObject(REFUSAL);
  expect((await ofAdmin.rpc('client_people', { _client_id: data.id })).error).toMatchObject(REFUSAL);
  expect((await admin.client.rpc('add_client_member', member)).error).toBeNull();
  const batch = { client_id: data.id, file_name: 'a.csv', file_hash: '0'.repeat(64), column_map: {} };
  const counts = { new_count: 1, changed_count: 0, same_count: 0, refused_count: 0 };
  await site.service
    .from('import_batches')
    .insert({ ...batch, ...counts })
    .throwOnError();
  const list = { _client_id: data.id, _lines: [{ line: 1, text: 'example.com' }], _is_trial: false };
  expect((await person.client.rpc('add_do_not_contact', list)).error).toBeNull();
  const text = { _client_id: data.id, _title: 'First mail', _text: 'Hello.' };
  const asked = (await admin.client.rpc('ask_for_approval', text).throwOnError()).data;
  const yes = { _client_id: data.id, _approval_id: asked, _number: 1, _verdict: 'yes' };
  const rows = { ...text, _rows: [{ line: 2, domain: 'acme.example' }], _is_trial: false };
  const listed = (await admin.client.rpc('ask_for_list_approval', rows).throwOnError()).data.id;
  const veto = { _client_id: data.id, _approval_id: listed, _number: 1, _lines: [2] };
  expect((await person.client.rpc('veto_rows', veto)).data).toBe(1);
  const comment = { _client_id: data.id, _approval_id: asked, _number: 1, _text: 'Well.' };
  expect((await person.client.rpc('comment_on_version', comment)).error).toBeNull();
  const note = { client_id: data.id, text: 'A note.' };
  expect((await admin.client.from('client_notes').insert(note)).error).toBeNull();
  const meeting = { _client_id: data.id, _starts_at: '2026-01-02T09:00:00Z', _met_with: 'Kari', _outcome: 'held' };
  await admin.client.rpc('save_client_meeting', meeting).throwOnError();
  const week = { _client_id: data.id, _span: 'week', _first_day: '2026-01-05' };
  const report = (await admin.client.rpc('start_client_report', week).throwOnError()).data;
  const tables = [
    ...[
      'clients',
      'client_members',
      'client_invitations',
      'client_assignments',
      'campaigns',
      'import_batches',
      'do_not_contact',
    ],
    ...['approvals', 'approval_versions', 'approval_decisions', 'approval_rows', 'approval_vetoes', 'client_meetings'],
    ...['approval_comments', 'client_files', 'client_notes'],
    ...['source_totals', 'campaign_texts', 'client_alarms', 'client_reports', 'figure_quotes'],
  ];
  for (const table of tables) {
    expect((await application.from(table).select()).data).toEqual([]);
    expect((await ofAdmin.from(table).select()).data).toEqual([]);
  }
  for (const table of ['campaign_sources', 'inbound_events']) {
    for (const client of [application, ofAdmin])
      expect((await client.from(table).select('client_id')).data).toEqual([]);
  }
  const days = { _client_id: data.id, _metric: 'sent', _from: '2026-01-01', _until: '2026-12-31' };
  for (const client of [application, ofAdmin]) {
    expect((await client.rpc('client_imports', { _client_id: data.id })).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('figures_behind', days)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('add_do_not_contact', list)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('list_do_not_contact', { _client_id: data.id })).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('ask_for_approval', text)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('list_approvals', { _client_id: data.id })).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('decide_approval', yes)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('comment_on_version', comment)).error).toMatchObject({ code: '42501' });
    expect((await client.from('client_notes').insert(note)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('ask_for_list_approval', rows)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('veto_rows', veto)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('save_client_meeting', meeting)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('list_client_meetings', { _client_id: data.id })).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('list_campaign_sources', { _client_id: data.id })).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('start_client_report', week)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('client_report', { _id: report })).data).toBeNull();
    expect((await client.rpc('list_figure_quotes', { _client_id: data.id })).error).toMatchObject({ code: '42501' });
    const given = { _client_id: data.id, _file: {}, _rows: [], _is_trial: true };
    expect((await client.rpc('import_figures', given)).error).toMatchObject({ code: '42501' });
  }
  expect((await person.client.rpc('decide_approval', yes)).error).toBeNull();
  expect((await person.client.from('clients').select('name')).data).toEqual([{ name: 'Fjell AS' }]);
  expect((await person.client.from('import_batches').select('file_name')).data).toEqual([{ file_name: 'a.csv' }]);
});

test.each([
  'make_client',
  'make_admin',
  'revoke_access',
  'end_person_sessions',
  'reset_person_factors',
  'export_person',
  'delete_person',
])("An application of an admin does not %s, and the admin's own browser does", async (name) => {
  const { person: admin, application } = await withApplication('admin');
  const target = await site.signedIn('team');
  expect((await application.rpc(name, { _user_id: target.id })).error).toMatchObject(REFUSAL);
  expect((await target.client.from('user_roles').select('role, approved')).data).toEqual([
    { role: 'team', approved: true },
  ]);
  expect((await admin.client.rpc(name, { _user_id: target.id })).error).toBeNull();
});

test('An application of an admin invites nobody and decides about nobody', async () => {
  const { person: admin, application } = await withApplication('admin');
  const waiting = await site.signedIn('pending');
  const email = `guest-${crypto.randomUUID().slice(0, 8)}@example.com`;
  expect((await application.rpc('invite_person', { _email: email, _role: 'team' })).error).toMatchObject(REFUSAL);
  expect((await admin.client.rpc('list_people', { _search: email })).data).toEqual([]);
  const decision = { _user_id: waiting.id, _approved: true };
  expect((await application.rpc('approve_team_member', decision)).error).toMatchObject(REFUSAL);
  expect((await admin.client.rpc('approve_team_member', decision)).error).toBeNull();
});

/** These may ask `auth.uid()`, which names the person also for the token of an application. */
const ASK_THE_TOKEN = [
  // Knows applications, and tells private.user_id() and the look of those who work for a client.
  'private.session_user_id',
  // Looks whether the token's own session is strong; whether somebody is an admin is asked besides.
  'private.has_second_factor',
  // Is called by functions that answer admins only, and leaves the asker's own rows out.
  'private.others_editing',
  // Returns before it where private.is_admin() says no.
  'public.tell_editing',
];

test('Policies and functions ask private.user_id() who asks, which is nobody for an application', async () => {
  const { rows } = await site.backend.database.query<{ name: string; source: string }>(
    `select format('%s.%s', pronamespace::regnamespace, proname) as name, pg_get_functiondef(oid) as source
     from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and prokind = 'f'
     union all
     select format('%s on %s.%s', policyname, schemaname, tablename), concat_ws(' ', qual, with_check) from pg_policies`,
  );
  const asking = (pattern: RegExp) => rows.filter(({ source }) => pattern.test(source)).map(({ name }) => name);
  expect(asking(/private\.(?:user_id|is_admin)\(\)/).length).toBeGreaterThan(50);
  expect(asking(/\bauth\.uid\b/i).sort()).toEqual([...ASK_THE_TOKEN].sort());
  const ofSession = ['private.looked_at', 'private.session_user_id', 'private.user_id'];
  expect(asking(/private\.session_user_id\(/).sort()).toEqual(ofSession);
});
