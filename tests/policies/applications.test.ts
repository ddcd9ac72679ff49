/** OAuth applications have the same access to tables and functions as visitors, and cannot change accounts. */
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

/** Creates a user who has just signed in, and a client with the token of an application that acts for them. */
async function addUserWithApplication(role: Person) {
  const user = await site.signedIn(role);
  const claims = decodeJwt(user.token);
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
  return { user, application: createClient(site.url, PUBLISHABLE_KEY, options) };
}

const FORBIDDEN = { code: '42501' };

test('An application cannot read the role of its user, export their data or delete their account', async () => {
  const { user, application } = await addUserWithApplication('client');
  expect((await application.from('user_roles').select('role')).data).toEqual([]);
  expect((await user.client.from('user_roles').select('role')).data).toEqual([{ role: 'client' }]);
  const session = String(decodeJwt(user.token)['session_id']);
  expect((await application.rpc('my_data')).error).toMatchObject(FORBIDDEN);
  expect((await application.rpc('delete_my_account')).error).toMatchObject(FORBIDDEN);
  expect((await application.rpc('end_my_session', { _session_id: session })).error).toMatchObject(FORBIDDEN);
  expect((await user.client.rpc('my_data')).error).toBeNull();
  expect((await user.client.rpc('delete_my_account')).error).toBeNull();
});

test('An application of a client member or an admin cannot access client data', async () => {
  const { user: admin, application: adminApplication } = await addUserWithApplication('admin');
  const { user, application } = await addUserWithApplication('client');
  const { data } = await admin.client.from('clients').insert({ name: 'Fjell AS' }).select('id').single().throwOnError();
  const member = { _client_id: data.id, _email: user.email };
  expect((await adminApplication.rpc('add_client_member', member)).error).toMatchObject(FORBIDDEN);
  expect((await adminApplication.rpc('client_people', { _client_id: data.id })).error).toMatchObject(FORBIDDEN);
  expect((await admin.client.rpc('add_client_member', member)).error).toBeNull();
  const batch = { client_id: data.id, file_name: 'a.csv', file_hash: '0'.repeat(64), column_map: {} };
  const counts = { new_count: 1, changed_count: 0, same_count: 0, refused_count: 0 };
  await site.service
    .from('import_batches')
    .insert({ ...batch, ...counts })
    .throwOnError();
  const blocklist = { _client_id: data.id, _lines: [{ line: 1, text: 'example.com' }], _is_dry_run: false };
  expect((await user.client.rpc('add_do_not_contact', blocklist)).error).toBeNull();
  const text = { _client_id: data.id, _title: 'First mail', _text: 'Hello.' };
  const approvalId = (await admin.client.rpc('ask_for_approval', text).throwOnError()).data;
  const decision = { _client_id: data.id, _approval_id: approvalId, _number: 1, _verdict: 'yes' };
  const listRequest = { ...text, _rows: [{ line: 2, domain: 'acme.example' }], _is_dry_run: false };
  const listApproval = (await admin.client.rpc('ask_for_list_approval', listRequest).throwOnError()).data.id;
  const veto = { _client_id: data.id, _approval_id: listApproval, _number: 1, _lines: [2] };
  expect((await user.client.rpc('veto_rows', veto)).data).toBe(1);
  const comment = { _client_id: data.id, _approval_id: approvalId, _number: 1, _text: 'Well.' };
  expect((await user.client.rpc('comment_on_version', comment)).error).toBeNull();
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
    ...['approvals', 'approval_versions', 'approval_rows', 'approval_vetoes', 'client_meetings'],
    ...['client_leads', 'client_lead_changes', 'client_meeting_changes', 'client_meeting_months'],
    ...['approval_comments', 'client_files', 'client_notes'],
    ...['source_totals', 'campaign_texts', 'campaign_lists', 'client_alarms', 'client_reports', 'figure_quotes'],
  ];
  for (const table of tables) {
    expect((await application.from(table).select()).data).toEqual([]);
    expect((await adminApplication.from(table).select()).data).toEqual([]);
  }
  for (const table of [
    'campaign_sources',
    'inbound_events',
    'approval_decisions',
    'client_meeting_results',
    'client_fees',
  ]) {
    for (const client of [application, adminApplication])
      expect((await client.from(table).select('client_id')).data).toEqual([]);
  }
  for (const client of [application, adminApplication])
    expect((await client.rpc('list_library_texts')).error).toMatchObject({ code: '42501' });
  const days = { _client_id: data.id, _metric: 'sent', _from: '2026-01-01', _until: '2026-12-31' };
  for (const client of [application, adminApplication]) {
    expect((await client.rpc('client_imports', { _client_id: data.id })).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('figure_details', days)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('add_do_not_contact', blocklist)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('list_do_not_contact', { _client_id: data.id })).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('ask_for_approval', text)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('list_approvals', { _client_id: data.id })).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('decide_approval', decision)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('comment_on_version', comment)).error).toMatchObject({ code: '42501' });
    expect((await client.from('client_notes').insert(note)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('ask_for_list_approval', listRequest)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('veto_rows', veto)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('save_client_meeting', meeting)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('list_client_meetings', { _client_id: data.id })).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('list_campaign_sources', { _client_id: data.id })).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('start_client_report', week)).error).toMatchObject({ code: '42501' });
    expect((await client.rpc('client_report', { _id: report })).data).toBeNull();
    expect((await client.rpc('list_figure_quotes', { _client_id: data.id })).error).toMatchObject({ code: '42501' });
    const input = { _client_id: data.id, _file: {}, _rows: [], _is_dry_run: true };
    expect((await client.rpc('import_figures', input)).error).toMatchObject({ code: '42501' });
  }
  expect((await user.client.rpc('decide_approval', decision)).error).toBeNull();
  expect((await user.client.from('clients').select('name')).data).toEqual([{ name: 'Fjell AS' }]);
  expect((await user.client.from('import_batches').select('file_name')).data).toEqual([{ file_name: 'a.csv' }]);
});

test.each([
  'make_client',
  'make_admin',
  'revoke_access',
  'end_person_sessions',
  'reset_person_factors',
  'export_person',
  'delete_person',
])("The admin's session can call %s, but an application of the admin cannot", async (name) => {
  const { user: admin, application } = await addUserWithApplication('admin');
  const target = await site.signedIn('team');
  expect((await application.rpc(name, { _user_id: target.id })).error).toMatchObject(FORBIDDEN);
  expect((await target.client.from('user_roles').select('role, approved')).data).toEqual([
    { role: 'team', approved: true },
  ]);
  expect((await admin.client.rpc(name, { _user_id: target.id })).error).toBeNull();
});

test('An application of an admin cannot invite people or decide on registrations', async () => {
  const { user: admin, application } = await addUserWithApplication('admin');
  const pending = await site.signedIn('pending');
  const email = `guest-${crypto.randomUUID().slice(0, 8)}@example.com`;
  expect((await application.rpc('invite_person', { _email: email, _role: 'team' })).error).toMatchObject(FORBIDDEN);
  expect((await admin.client.rpc('list_people', { _search: email })).data).toEqual([]);
  const decision = { _user_id: pending.id, _approved: true };
  expect((await application.rpc('approve_team_member', decision)).error).toMatchObject(FORBIDDEN);
  expect((await admin.client.rpc('approve_team_member', decision)).error).toBeNull();
});

/** Functions that may call `auth.uid()`, which also returns a user ID for the token of an application. */
const AUTH_UID_CALLERS = [
  // Handles application tokens. Called by private.user_id() and private.impersonated_member().
  'private.session_user_id',
  // Checks the assurance level of the token's own session. Callers check the admin role separately.
  'private.has_second_factor',
  // Called only by functions for admins. Its result excludes the caller's own rows.
  'private.other_editors',
  // Returns earlier if private.is_admin() is false.
  'public.announce_editing',
];

test('Policies and functions identify the caller by private.user_id(), which is null for an application', async () => {
  const { rows } = await site.backend.database.query<{ name: string; source: string }>(
    `select format('%s.%s', pronamespace::regnamespace, proname) as name, pg_get_functiondef(oid) as source
     from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and prokind = 'f'
     union all
     select format('%s on %s.%s', policyname, schemaname, tablename), concat_ws(' ', qual, with_check) from pg_policies`,
  );
  const matching = (pattern: RegExp) => rows.filter(({ source }) => pattern.test(source)).map(({ name }) => name);
  expect(matching(/private\.(?:user_id|is_admin)\(\)/).length).toBeGreaterThan(50);
  expect(matching(/\bauth\.uid\b/i).sort()).toEqual([...AUTH_UID_CALLERS].sort());
  const sessionFunctions = ['private.impersonated_member', 'private.session_user_id', 'private.user_id'];
  expect(matching(/private\.session_user_id\(/).sort()).toEqual(sessionFunctions);
});
