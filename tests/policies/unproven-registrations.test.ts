/** Approving people whose address nobody has proven: the approval counts with the proof, and never before. */
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../backend/http/keys.ts';
import { nextMail } from '../support/received-mails.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

/** Reads the role row as it is, past all policies. */
async function roleOf(id: string): Promise<{ role: string; approved: boolean } | null> {
  const { data } = await site.service.from('user_roles').select('role, approved').eq('user_id', id).maybeSingle();
  return data;
}

type Admin = Awaited<ReturnType<TestBackend['signedIn']>>;

const decide = (admin: Admin, id: string, approved: boolean) =>
  admin.client.rpc('approve_team_member', { _user_id: id, _approved: approved });

/** Signs somebody up who waits: nobody has shown that the address is theirs. */
async function unprovenPerson() {
  const email = `unproven-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const client = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false, autoRefreshToken: false } });
  const { data } = await client.auth.signUp({ email, password: 'Password-1' });
  const id = data.user?.id ?? '';
  await client.rpc('register_with_role', { _user_id: id, _role: 'team' }).throwOnError();
  return { id, email, client };
}

/** Opens a mail in another browser, as POST /verify does when its first code comes back. */
async function openMail(email: string) {
  const { data } = await site.service.auth.admin.generateLink({ type: 'magiclink', email });
  const client = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false, autoRefreshToken: false } });
  const token_hash = data.properties?.hashed_token ?? '';
  expect((await client.auth.verifyOtp({ type: 'magiclink', token_hash })).error).toBeNull();
  return client;
}

test('It is recorded, gives no role, and counts from the moment in which the owner opens a mail', async () => {
  const [admin, person] = [await site.signedIn('admin'), await unprovenPerson()];
  expect((await admin.client.rpc('unproven_registrations')).data).toContainEqual({
    user_id: person.id,
    is_approved: false,
  });
  expect((await decide(admin, person.id, true)).error).toBeNull();
  expect(await roleOf(person.id)).toEqual({ role: 'team', approved: false });
  expect((await person.client.rpc('confirm_my_address')).data).toEqual([{ is_proven: false, approval_waits: true }]);
  expect((await nextMail(site.dataFolder, person.email)).subject).toMatch(/one step is left/);
  expect((await decide(admin, person.id, true)).error?.message).toBe(
    'Somebody has decided about this registration already.',
  );
  expect((await admin.client.rpc('unproven_registrations')).data).toContainEqual({
    user_id: person.id,
    is_approved: true,
  });

  const owner = await openMail(person.email);
  expect(await roleOf(person.id)).toEqual({ role: 'team', approved: true });
  expect((await owner.rpc('confirm_my_address')).data).toEqual([{ is_proven: true, approval_waits: false }]);
  expect((await person.client.rpc('confirm_my_address')).error).toMatchObject({ code: '42501' });
  expect((await nextMail(site.dataFolder, person.email, 2)).subject).toBe('Your registration is approved');
  expect((await admin.client.rpc('unproven_registrations')).data).not.toContainEqual(
    expect.objectContaining({ user_id: person.id }),
  );
});

test('A proven one counts at once', async () => {
  const [admin, person] = [await site.signedIn('admin'), await unprovenPerson()];
  await openMail(person.email);
  expect((await decide(admin, person.id, true)).error).toBeNull();
  expect(await roleOf(person.id)).toEqual({ role: 'team', approved: true });
});

test('It can still be rejected, and a later proof then gives nothing', async () => {
  const [admin, person] = [await site.signedIn('admin'), await unprovenPerson()];
  await decide(admin, person.id, true);
  expect((await decide(admin, person.id, false)).error).toBeNull();
  expect(await roleOf(person.id)).toBeNull();
  await openMail(person.email);
  expect(await roleOf(person.id)).toBeNull();
  await admin.client.rpc('restore_team_member', { _user_id: person.id }).throwOnError();
  expect(await roleOf(person.id)).toEqual({ role: 'team', approved: false });
});

test('Who waits for a first decision gains nothing by a proof', async () => {
  const person = await unprovenPerson();
  const owner = await openMail(person.email);
  expect(await roleOf(person.id)).toEqual({ role: 'team', approved: false });
  expect((await owner.rpc('confirm_my_address')).data).toEqual([{ is_proven: true, approval_waits: false }]);
});

test('Others than admins do not see whose address is proven', async () => {
  for (const person of ['stranger', 'pending', 'client', 'team'] as const) {
    const { client } = await site.signedIn(person);
    expect((await client.rpc('unproven_registrations')).error).toMatchObject({ code: '42501' });
  }
  expect((await site.visitor.rpc('confirm_my_address')).error).not.toBeNull();
});
