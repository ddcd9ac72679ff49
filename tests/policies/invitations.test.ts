/** Invitations. Tests the account of an invited user, and who can sign in to it. */
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { labelledRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';

describe.each<[title: string, environment: Record<string, string>]>([
  ['by default', {}],
  ['with sign-ups confirmed by mail', { AUTH_CONFIRM_EMAIL: 'on' }],
  ['with sign-ups disabled', { AUTH_SIGNUPS: 'off' }],
])('An invitation %s', (_title, environment) => {
  let site: TestBackend;
  beforeAll(async () => {
    site = await startTestBackend(environment);
  });
  afterAll(() => site.close());

  const newEmail = () => `guest-${crypto.randomUUID().slice(0, 8)}@example.com`;

  function newClient() {
    const auth = { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() };
    return createClient(site.url, PUBLISHABLE_KEY, { auth });
  }

  /** Invites an address, as the people screen does. */
  async function invite(email = newEmail(), role = 'team') {
    const admin = await site.signedIn('admin');
    await admin.client.rpc('invite_person', { _email: email, _role: role }).throwOnError();
    return { admin, email };
  }

  test('signs in its recipient with the role and is logged', async () => {
    const { admin, email } = await invite();
    const listPeople = () => admin.client.rpc('list_people', { _search: email }).throwOnError();
    expect((await listPeople()).data).toMatchObject([{ status: 'team', invited: true }]);
    const guest = newClient();
    const { code, subject } = await nextMail(site.dataFolder, email);
    expect(subject).toBe(`${admin.email} invites you to the team`);
    const { data, error } = await guest.auth.verifyOtp({ email, token: code, type: 'email' });
    expect(error).toBeNull();
    const { data: roles } = await guest.from('user_roles').select('role, approved');
    expect(roles).toEqual([{ role: 'team', approved: true }]);
    expect((await listPeople()).data).toMatchObject([{ status: 'team', invited: false }]);
    const { data: logEntries } = await admin.client.from('people_log').select().eq('person_id', data.user?.id);
    expect(logEntries).toMatchObject([{ action: 'invited', actor_id: admin.id, role: 'team' }]);
    expect(data.user?.identities).toMatchObject([{ provider: 'email', email, user_id: data.user?.id }]);
  });

  test('cannot be used by a visitor who only knows the address', async () => {
    const { admin, email } = await invite();
    const strangerClient = newClient();
    for (const password of [PASSWORD, '']) {
      expect((await strangerClient.auth.signInWithPassword({ email, password })).data.session).toBeNull();
    }
    expect((await strangerClient.auth.signUp({ email, password: PASSWORD })).data.session).toBeNull();
    expect((await strangerClient.auth.signInWithPassword({ email, password: PASSWORD })).data.session).toBeNull();
    const { data } = await admin.client.rpc('list_people', { _search: email }).throwOnError();
    expect(data).toMatchObject([{ status: 'team', invited: true, sessions: 0 }]);
  });

  test('can be repeated with another role until the recipient has signed in', async () => {
    const { admin, email } = await invite();
    await invite(` ${email.toUpperCase()} `.trim(), 'client');
    const { data } = await admin.client.rpc('list_people', { _search: email }).throwOnError();
    expect(data).toMatchObject([{ status: 'client', invited: true, total: 1 }]);
    const { code } = await nextMail(site.dataFolder, email, 2);
    expect((await newClient().auth.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull();
    const { error } = await admin.client.rpc('invite_person', { _email: email, _role: 'team' });
    expect(error?.message).toBe('This address already has an account. Find it in the list and change its role there.');
  });

  test('is withdrawn by deleting the invited account', async () => {
    const { admin, email } = await invite();
    const { code } = await nextMail(site.dataFolder, email);
    const { data } = await admin.client.rpc('list_people', { _search: email }).throwOnError();
    await admin.client.rpc('delete_person', { _user_id: (data as { id: string }[])[0]?.id }).throwOnError();
    expect((await newClient().auth.verifyOtp({ email, token: code, type: 'email' })).error?.code).toBe('otp_expired');
  });

  test.each(labelledRoles(['client', 'admin', 'stranger']))(
    'is rejected for the address of %s',
    async (_label, role) => {
      const [admin, user] = [await site.signedIn('admin'), await site.signedIn(role)];
      await site.backend.database.query('update auth.users set last_sign_in_at = now() where id = $1', [user.id]);
      const { error, status } = await admin.client.rpc('invite_person', { _email: user.email, _role: 'team' });
      expect(status).toBe(409);
      expect(error?.message).toBe(
        'This address already has an account. Find it in the list and change its role there.',
      );
      const { data } = await admin.client.rpc('list_people', { _search: user.email }).throwOnError();
      expect(data).toMatchObject([{ status: role === 'stranger' ? 'none' : role }]);
    },
  );

  test('creates one account when two admins invite the same address concurrently', async () => {
    const email = newEmail();
    await Promise.all([invite(email), invite(email)]);
    const { admin } = await invite();
    expect((await admin.client.rpc('list_people', { _search: email })).data).toHaveLength(1);
  });

  test.each(['', 'kari', 'a b@example.com', 'a@b@c', `${'x'.repeat(260)}@example.com`])(
    'is rejected for the invalid address %j',
    async (email) => {
      const admin = await site.signedIn('admin');
      const { error } = await admin.client.rpc('invite_person', { _email: email, _role: 'team' });
      expect(error?.message).toBe('Invalid email address');
    },
  );

  test.each(['admin', 'owner', ''])('cannot grant the role %j', async (role) => {
    const [admin, email] = [await site.signedIn('admin'), newEmail()];
    const { error } = await admin.client.rpc('invite_person', { _email: email, _role: role });
    expect(error?.message).toBe('Choose a role for the invitation: client or team member.');
    expect((await admin.client.rpc('list_people', { _search: email })).data).toEqual([]);
  });
});
