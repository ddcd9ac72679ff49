/** Team registrations by users with an unconfirmed email address, and the mail about such a registration. */
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { mailsTo, nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

/** Reads the role row with the service role, which bypasses all policies. */
async function readRole(id: string): Promise<{ role: string; approved: boolean } | null> {
  const { data } = await site.service.from('user_roles').select('role, approved').eq('user_id', id).maybeSingle();
  return data;
}

type Admin = Awaited<ReturnType<TestBackend['signedIn']>>;

const decide = (admin: Admin, id: string, approved: boolean) =>
  admin.client.rpc('approve_team_member', { _user_id: id, _approved: approved });

/** Signs up a user with an unconfirmed address. */
async function signUpUnconfirmed(role: 'team' | 'client' = 'team') {
  const email = `unconfirmed-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const client = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false, autoRefreshToken: false } });
  const { data } = await client.auth.signUp({ email, password: 'Password-1' });
  const id = data.user?.id ?? '';
  await client.rpc('register_with_role', { _user_id: id, _role: role }).throwOnError();
  return { id, email, client };
}

/** Signs in with the link of a mail in another browser, which confirms the address. */
async function openMail(email: string) {
  const { data } = await site.service.auth.admin.generateLink({ type: 'magiclink', email });
  const client = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false, autoRefreshToken: false } });
  const token_hash = data.properties?.hashed_token ?? '';
  expect((await client.auth.verifyOtp({ type: 'magiclink', token_hash })).error).toBeNull();
  return client;
}

test('An approval takes effect immediately, whether or not the address is confirmed', async () => {
  const admin = await site.signedIn('admin');
  for (const isConfirmed of [false, true]) {
    const user = await signUpUnconfirmed();
    if (isConfirmed) await openMail(user.email);
    expect((await decide(admin, user.id, true)).error).toBeNull();
    expect(await readRole(user.id)).toEqual({ role: 'team', approved: true });
    expect((await nextMail(site.dataFolder, user.email)).subject).toBe('Your registration is approved');
    expect((await decide(admin, user.id, true)).error?.message).toBe(
      'Someone has already decided on this registration.',
    );
  }
});

test('Only admins see which pending users have not confirmed their address', async () => {
  const [admin, user] = [await site.signedIn('admin'), await signUpUnconfirmed()];
  expect((await admin.client.rpc('unverified_registrations')).data).toContain(user.id);
  expect((await user.client.rpc('confirm_my_address')).data).toBe(false);
  const owner = await openMail(user.email);
  expect((await owner.rpc('confirm_my_address')).data).toBe(true);
  expect((await admin.client.rpc('unverified_registrations')).data).not.toContain(user.id);
  // Confirming the address does not approve the registration.
  expect(await readRole(user.id)).toEqual({ role: 'team', approved: false });
  for (const role of ['stranger', 'pending', 'client', 'team'] as const) {
    const { client } = await site.signedIn(role);
    expect((await client.rpc('unverified_registrations')).error).toMatchObject({ code: '42501' });
  }
  expect((await site.visitor.rpc('confirm_my_address')).error).not.toBeNull();
});

test('An approved user cannot be assigned to a client until they confirm their address', async () => {
  const [admin, user] = [await site.signedIn('admin'), await signUpUnconfirmed()];
  await decide(admin, user.id, true);
  const { data: client } = await admin.client
    .from('clients')
    .insert({ name: 'Nordvik' })
    .select('id')
    .single()
    .throwOnError();
  const assign = () => admin.client.from('client_assignments').insert({ client_id: client.id, user_id: user.id });
  expect((await assign()).error).toMatchObject({ code: '23514' });
  await openMail(user.email);
  expect((await assign()).error).toBeNull();
});

test('Every admin gets one mail about a team registration, and none about a client registration', async () => {
  const admin = await site.signedIn('admin');
  const [client, user] = [await signUpUnconfirmed('client'), await signUpUnconfirmed()];
  const mail = await nextMail(site.dataFolder, admin.email);
  expect(mail.subject).toBe(`New team registration: ${user.email}`);
  expect(mail.text).toMatch(/\/admin\/dashboard\?from=mail$/m);
  expect((await user.client.rpc('register_with_role', { _user_id: user.id, _role: 'team' })).error).not.toBeNull();
  const secondUser = await signUpUnconfirmed();
  // Mails are sent in order, so a duplicate or a mail about the client would be the second mail.
  expect((await nextMail(site.dataFolder, admin.email, 2)).subject).toBe(`New team registration: ${secondUser.email}`);
  expect(await readRole(client.id)).toEqual({ role: 'client', approved: true });
});

test('Admins get at most 60 mails about registrations within an hour', async () => {
  const admin = await site.signedIn('admin');
  await site.backend.database.query(
    `do $$ begin for turn in 1..60 loop perform private.count_for_subject('registration mail', '', 60, '1 hour'); end loop; end $$`,
  );
  const user = await signUpUnconfirmed();
  expect(await mailsTo(site.dataFolder, admin.email)).toEqual([]);
  expect((await admin.client.rpc('unverified_registrations')).data).toContain(user.id);
});
