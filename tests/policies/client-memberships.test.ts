/** Memberships of clients. Tests viewers and approvers, invitations to unverified addresses, and mail settings. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { mailsTo, nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';

let site: TestBackend;
let admin: SupabaseClient;
let adminEmail: string;
let fjell: TestClient;
let havn: TestClient;

beforeAll(async () => {
  site = await startTestBackend();
  ({ client: admin, email: adminEmail } = await site.signedIn('admin'));
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
});
afterAll(() => site.close());

function addPerson(email: string, kind?: string, { id }: TestClient = fjell) {
  return admin.rpc('add_client_member', { _client_id: id, _email: email, ...(kind && { _kind: kind }) });
}

async function newViewer() {
  const user = await site.signedIn('client');
  await addPerson(user.email, 'viewer').throwOnError();
  return user;
}

function newGuest(): SupabaseClient {
  const auth = { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() };
  return createClient(site.url, PUBLISHABLE_KEY, { auth });
}

const newEmail = () => `guest-${crypto.randomUUID().slice(0, 8)}@example.com`;

/** Requests a sign-in link, and signs in with the code from its mail. */
async function signInByMail(email: string): Promise<SupabaseClient> {
  const guest = newGuest();
  expect((await guest.auth.signInWithOtp({ email, options: { shouldCreateUser: false } })).error).toBeNull();
  const code = await vi.waitFor(async () => {
    const mail = (await mailsTo(site.dataFolder, email)).find(({ subject }) => subject.includes('sign-in link'));
    return mail?.code ?? Promise.reject(new Error(`No sign-in link to ${email}`));
  }, 120_000);
  expect((await guest.auth.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull();
  return guest;
}

async function listClients(client: SupabaseClient): Promise<string[]> {
  return ((await client.from('clients').select('name')).data ?? []).map(({ name }) => name);
}

async function newText(title: string): Promise<string> {
  const text = { _client_id: fjell.id, _title: title, _text: 'Hello.' };
  return (await fjell.worker.client.rpc('ask_for_approval', text).throwOnError()).data;
}

async function newMeeting(): Promise<string> {
  const meeting = { _client_id: fjell.id, _starts_at: '2026-01-02T09:00:00Z', _met_with: 'Kari', _outcome: 'held' };
  return (await fjell.worker.client.rpc('save_client_meeting', meeting).throwOnError()).data;
}

function decide(client: SupabaseClient, _approval_id: string) {
  return client.rpc('decide_approval', { _client_id: fjell.id, _approval_id, _number: 1, _verdict: 'yes' });
}

function acceptMeeting(client: SupabaseClient, _id: string) {
  const answer = { _client_id: fjell.id, _id, _outcome: 'held', _answer: 'accepted' };
  return client.rpc('answer_client_meeting', answer);
}

function setMails(client: SupabaseClient, topics: string[], { id }: TestClient = fjell) {
  return client.rpc('set_my_client_mails', { _client_id: id, _notifications: topics });
}

async function readMemberships() {
  const members = await site.service.from('client_members').select().order('user_id').order('client_id').throwOnError();
  const invitations = await site.service
    .from('client_invitations')
    .select()
    .order('user_id')
    .order('client_id')
    .throwOnError();
  return [members.data, invitations.data];
}

describe('A viewer', () => {
  test('can read the same approvals as an approver, but cannot decide or answer', async () => {
    const viewer = await newViewer();
    const [text, meeting] = [await newText('First mail'), await newMeeting()];
    expect(await listClients(viewer.client)).toEqual(['Fjell AS']);
    const texts = await viewer.client.rpc('list_approvals', { _client_id: fjell.id }).throwOnError();
    expect(texts.data.map(({ title }: { title: string }) => title)).toContain('First mail');
    for (const response of [await decide(viewer.client, text), await acceptMeeting(viewer.client, meeting)]) {
      expect(response.error).toMatchObject({
        code: '42501',
        message: 'You can read this, but only approvers can decide.',
      });
    }
    const decisions = site.service.from('approval_decisions').select().eq('approval_id', text);
    expect((await decisions).data).toEqual([]);
    expect((await decide(fjell.member.client, text)).error).toBeNull();
    expect((await acceptMeeting(fjell.member.client, meeting)).error).toBeNull();
  });

  test('can be made an approver only by an admin, with effect from the next request', async () => {
    const viewer = await newViewer();
    const text = await newText('Second mail');
    const before = await readMemberships();
    const makeApprover = (client: SupabaseClient) =>
      client.from('client_members').update({ kind: 'approver' }).match({ client_id: fjell.id, user_id: viewer.id });
    const nonAdmins = [viewer, fjell.member, fjell.worker, havn.member, await site.signedIn('stranger')];
    for (const { client } of [...nonAdmins, { client: site.visitor }]) await makeApprover(client);
    expect(await readMemberships()).toEqual(before);
    expect((await makeApprover(admin)).error).toBeNull();
    expect((await decide(viewer.client, text)).error).toBeNull();
  });

  test('of one client can be an approver of another', async () => {
    const user = await site.signedIn('client');
    await addPerson(user.email, 'viewer').throwOnError();
    await addPerson(user.email, 'approver', havn).throwOnError();
    expect((await decide(user.client, await newText('Third mail'))).error?.code).toBe('42501');
    const text = { _client_id: havn.id, _title: 'Mail', _text: 'Hello.' };
    const { data } = await havn.worker.client.rpc('ask_for_approval', text).throwOnError();
    const decision = { _client_id: havn.id, _approval_id: data, _number: 1, _verdict: 'yes' };
    expect((await user.client.rpc('decide_approval', decision)).error).toBeNull();
  });
});

describe('A person added by email address', () => {
  test('can sign in through the mail without an account and sees the client', async () => {
    const email = newEmail();
    expect((await addPerson(` ${email.toUpperCase()}`, 'viewer')).data).toBe('invited');
    const { data: people } = await fjell.worker.client.rpc('client_people', { _client_id: fjell.id }).throwOnError();
    expect(people.find((user: { email: string }) => user.email === email)).toMatchObject({
      kind: 'viewer',
      is_waiting: true,
      is_team: false,
    });
    const guest = await signInByMail(email);
    expect(await listClients(guest)).toEqual(['Fjell AS']);
    expect((await guest.from('client_members').select('kind')).data).toEqual([{ kind: 'viewer' }]);
    expect((await guest.auth.getUser()).data.user?.app_metadata['has_client']).toBe(true);
    expect((await site.service.from('client_invitations').select().eq('address', email)).data).toEqual([]);
  });

  test('gets a mail with the inviter, the client, the purpose and the open approvals', async () => {
    const nes = await newClient(site, admin, 'Nes AS');
    const text = { _client_id: nes.id, _title: 'First mail', _text: 'Hello.', _due_on: '2099-03-03' };
    await nes.worker.client.rpc('ask_for_approval', text).throwOnError();
    const email = newEmail();
    await addPerson(email, 'approver', nes).throwOnError();
    const mail = await nextMail(site.dataFolder, email);
    expect(mail.subject).toBe(`${adminEmail} invites you to the client portal of Nes AS`);
    expect(mail.text).toContain('approve texts and lists before we use them');
    expect(mail.text).toContain('To approve: “First mail”, by 3 March 2099');
    expect(mail.text).toContain('They can be used once and expire after seven days.');
    // A user who already has an account gets a mail without a sign-in code.
    const existingUser = await site.signedIn('client');
    expect((await addPerson(existingUser.email, 'viewer', nes)).data).toBe('added');
    const addedMail = await nextMail(site.dataFolder, existingUser.email);
    expect(addedMail.subject).toBe(`${adminEmail} added you to the client portal of Nes AS`);
    expect(addedMail.text).toContain(`/client-dashboard?client=${nes.id}`);
    expect(addedMail.code).toBe('');
    // Adding the same user again changes nothing and sends no mail.
    await addPerson(existingUser.email, 'viewer', nes).throwOnError();
    expect(await mailsTo(site.dataFolder, existingUser.email)).toHaveLength(1);
  });

  test('can use the link and the code of the invitation for exactly seven days', async () => {
    const [expiredEmail, validEmail] = [newEmail(), newEmail()];
    const backdate = (email: string, minutes: number) =>
      site.backend.database.query(
        `update backend.mailed_tokens set expires_at = expires_at - make_interval(mins => $2::int) where recipient = $1`,
        [email, minutes],
      );
    for (const email of [expiredEmail, validEmail]) await addPerson(email).throwOnError();
    await backdate(expiredEmail, 7 * 24 * 60 + 1);
    await backdate(validEmail, 7 * 24 * 60 - 5);
    const verify = async (email: string) =>
      newGuest().auth.verifyOtp({ email, token: (await nextMail(site.dataFolder, email)).code, type: 'email' });
    expect((await verify(expiredEmail)).error?.code).toBe('otp_expired');
    expect((await verify(validEmail)).error).toBeNull();
  });

  test('becomes a member only when the owner of the address signs in, not another person', async () => {
    const email = newEmail();
    const squatter = newGuest();
    const signUp = await squatter.auth.signUp({ email, password: PASSWORD });
    await squatter.rpc('register_with_role', { _user_id: signUp.data.user?.id, _role: 'client' }).throwOnError();
    expect((await addPerson(email)).data).toBe('invited');
    expect(await listClients(squatter)).toEqual([]);
    expect((await squatter.from('client_invitations').select()).data).toEqual([]);
    expect((await squatter.from('client_members').select()).data).toEqual([]);

    const owner = await signInByMail(email);
    expect(await listClients(owner)).toEqual(['Fjell AS']);
    expect(await listClients(squatter)).toEqual([]);
    expect((await newGuest().auth.signInWithPassword({ email, password: PASSWORD })).error).not.toBeNull();
  });

  test('does not become a member by verifying a different address', async () => {
    const email = newEmail();
    const { data } = await site.service.auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    const id = data.user?.id ?? '';
    await site.service.from('user_roles').insert({ user_id: id, role: 'client', approved: true }).throwOnError();
    await site.backend.database.query('delete from private.verified_addresses where user_id = $1', [id]);
    expect((await addPerson(email)).data).toBe('invited');
    const otherEmail = newEmail();
    await site.backend.database.query('update auth.users set email = $2 where id = $1', [id, otherEmail]);
    const user = await signInByMail(otherEmail);
    expect(await listClients(user)).toEqual([]);
    await site.backend.database.query('update auth.users set email = $2 where id = $1', [id, email]);
    await site.backend.database.query('insert into private.verified_addresses (user_id, address) values ($1, $2)', [
      id,
      email,
    ]);
    expect(await listClients(user)).toEqual(['Fjell AS']);
  });

  test('loses the invitation when an admin withdraws it or their role changes', async () => {
    const [withdrawnEmail, demotedEmail] = [newEmail(), newEmail()];
    for (const email of [withdrawnEmail, demotedEmail]) await addPerson(email).throwOnError();
    const invitations = await admin.from('client_invitations').select('user_id, address').throwOnError();
    const findUserId = (email: string) => invitations.data.find(({ address }) => address === email)?.user_id;
    const before = await readMemberships();
    for (const { client } of [fjell.member, fjell.worker, havn.member]) {
      await client.from('client_invitations').delete().eq('client_id', fjell.id);
    }
    expect(await readMemberships()).toEqual(before);
    await admin.from('client_invitations').delete().eq('user_id', findUserId(withdrawnEmail)).throwOnError();
    await site.service
      .from('user_roles')
      .update({ role: 'team' })
      .eq('user_id', findUserId(demotedEmail))
      .throwOnError();
    for (const email of [withdrawnEmail, demotedEmail])
      expect(await listClients(await signInByMail(email))).toEqual([]);
  });

  test('is not changed when added again while invited or already a member', async () => {
    const email = newEmail();
    await addPerson(email, 'viewer').throwOnError();
    const before = await readMemberships();
    expect((await addPerson(email)).data).toBe('invited');
    expect((await addPerson(fjell.member.email, 'viewer')).data).toBe('added');
    expect(await readMemberships()).toEqual(before);
  });

  test.each(['owner', ''])('cannot be added as %j', async (kind) => {
    const user = await site.signedIn('client');
    const { error } = await admin.rpc('add_client_member', { _client_id: fjell.id, _email: user.email, _kind: kind });
    expect(error?.code).toBe('23514');
  });
});

describe('Mails', () => {
  test('about open approvals are sent only to approvers who subscribed to them', async () => {
    const [viewer, unsubscribed] = [await newViewer(), await site.signedIn('client')];
    await addPerson(unsubscribed.email).throwOnError();
    await setMails(unsubscribed.client, ['report']).throwOnError();
    await newText('Fourth mail');
    const countMails = async (email: string) =>
      (await mailsTo(site.dataFolder, email)).filter(({ text }) => text.includes('Fourth mail')).length;
    await expect.poll(() => countMails(fjell.member.email)).toBe(1);
    expect(await countMails(viewer.email)).toBe(0);
    expect(await countMails(unsubscribed.email)).toBe(0);
    await setMails(unsubscribed.client, ['waiting']).throwOnError();
    await newText('Fifth mail');
    // The first mail to this user is about the membership.
    expect((await nextMail(site.dataFolder, unsubscribed.email, 2)).text).toContain('Fifth mail');
  });

  test('can be set only by the member for their own clients, even without a verified address', async () => {
    const before = await readMemberships();
    const callers = [fjell.worker, havn.member, await site.signedIn('client'), await site.signedIn('stranger')];
    for (const { client } of [...callers, { client: site.visitor }, { client: admin }]) {
      expect((await setMails(client, [])).error?.code).toBe('42501');
    }
    expect((await setMails(fjell.member.client, [], havn)).error?.code).toBe('42501');
    expect((await setMails(fjell.member.client, ['everything'])).error?.code).toBe('23514');
    expect(
      (await fjell.member.client.from('client_members').update({ notifications: [] }).eq('client_id', fjell.id)).error
        ?.code,
    ).toBe('42501');
    expect(await readMemberships()).toEqual(before);
    const user = await newViewer();
    await site.backend.database.query('delete from private.verified_addresses where user_id = $1', [user.id]);
    await setMails(user.client, []).throwOnError();
    expect((await user.client.from('client_members').select('notifications')).data).toEqual([{ notifications: [] }]);
  });
});
