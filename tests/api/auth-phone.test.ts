import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { type FakeTwilio, startFakeTwilio } from '../../packages/backend/tests/support/fake-twilio.ts';
import { messagesTo, nextCode } from '../../packages/backend/tests/support/received-messages.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';

let site: TestBackend;
let unconfirmedSite: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ AUTH_PHONE: 'on' });
  unconfirmedSite = await startTestBackend({ AUTH_PHONE: 'on', AUTH_CONFIRM_PHONE: 'off' });
});
afterAll(async () => {
  await site.close();
  await unconfirmedSite.close();
});

let nextNumber = 4790000000;
const newPhone = () => String(nextNumber++);
const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;

function newClient(url = site.url): SupabaseClient {
  const auth = { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() };
  return createClient(url, PUBLISHABLE_KEY, { auth });
}

/** Creates an account with a new number and signs in with a code. */
async function createSignedInUser() {
  const phone = newPhone();
  const client = newClient();
  await client.auth.signInWithOtp({ phone });
  const { data, error } = await client.auth.verifyOtp({
    phone,
    type: 'sms',
    token: await nextCode(site.dataFolder, phone),
  });
  if (error || !data.user) throw error ?? new Error('No user');
  return { phone, client, id: data.user.id };
}

async function backdateSessions(userId: string): Promise<void> {
  await site.backend.database.query(
    `update auth.sessions set created_at = now() - interval '2 days' where user_id = $1`,
    [userId],
  );
}

describe('Signing in with a code', () => {
  test('The first code for an unknown number creates an account and works once', async () => {
    const phone = newPhone();
    const client = newClient();
    const response = await client.auth.signInWithOtp({ phone: `+${phone}`, options: { data: { name: 'Ada' } } });
    expect(response).toEqual({ data: { user: null, session: null, messageId: undefined }, error: null });
    const token = await nextCode(site.dataFolder, phone);
    expect((await messagesTo(site.dataFolder, phone))[0]).toBe(`Your Signalfjord code is ${token}. Do not share it.`);
    const { data, error } = await client.auth.verifyOtp({ phone: `+${phone}`, token, type: 'sms' });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      phone,
      email: '',
      phone_confirmed_at: expect.any(String),
      app_metadata: { provider: 'phone', providers: ['phone'] },
      user_metadata: { name: 'Ada', phone, phone_verified: true },
      identities: [{ provider: 'phone', identity_data: { phone, phone_verified: true } }],
    });
    expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({
      phone,
      email: '',
      is_anonymous: false,
      amr: [{ method: 'otp' }],
    });
    const reused = await newClient().auth.verifyOtp({ phone, token, type: 'sms' });
    expect(reused.error).toMatchObject({
      status: 403,
      code: 'otp_expired',
      message: 'Token has expired or is invalid',
    });
  });

  test('A new code signs in to the same account and invalidates the previous code', async () => {
    const { phone, id } = await createSignedInUser();
    const client = newClient();
    await client.auth.signInWithOtp({ phone, options: { shouldCreateUser: false } });
    const firstCode = await nextCode(site.dataFolder, phone, 2);
    await client.auth.signInWithOtp({ phone });
    const secondCode = await nextCode(site.dataFolder, phone, 3);
    if (firstCode !== secondCode) {
      expect((await client.auth.verifyOtp({ phone, token: firstCode, type: 'sms' })).error).not.toBeNull();
    }
    const { data } = await client.auth.verifyOtp({ phone, token: secondCode, type: 'sms' });
    expect(data.user?.id).toBe(id);
  });

  test('If shouldCreateUser is false, the response for an unknown number is the same, but no message is sent', async () => {
    const { phone } = await createSignedInUser();
    const unknown = newPhone();
    const options = { shouldCreateUser: false };
    const response = await newClient().auth.signInWithOtp({ phone: unknown, options });
    expect(response).toEqual(await newClient().auth.signInWithOtp({ phone, options }));
    await nextCode(site.dataFolder, phone, 2);
    expect(await messagesTo(site.dataFolder, unknown)).toEqual([]);
  });

  test('A code works only for its own number and purpose', async () => {
    const { phone, client } = await createSignedInUser();
    const otherUser = await createSignedInUser();
    await client.auth.signInWithOtp({ phone });
    const token = await nextCode(site.dataFolder, phone, 2);
    const otherNumber = await newClient().auth.verifyOtp({ phone: otherUser.phone, token, type: 'sms' });
    expect(otherNumber.error).toMatchObject({ code: 'otp_expired' });
    const asChange = await newClient().auth.verifyOtp({ phone, token, type: 'phone_change' });
    expect(asChange.error).toMatchObject({ code: 'otp_expired' });
    expect((await newClient().auth.verifyOtp({ phone, token, type: 'sms' })).error).toBeNull();
  });

  test('Two requests with the same code create one session', async () => {
    const { phone, client } = await createSignedInUser();
    await client.auth.signInWithOtp({ phone });
    const token = await nextCode(site.dataFolder, phone, 2);
    const responses = await Promise.all([1, 2, 3].map(() => newClient().auth.verifyOtp({ phone, token, type: 'sms' })));
    expect(responses.filter(({ error }) => !error)).toHaveLength(1);
  });
});

describe('Signing up with a password', () => {
  test('The code confirms the number, and the password works only afterwards', async () => {
    const phone = newPhone();
    const { data, error } = await newClient().auth.signUp({ phone, password: PASSWORD, options: { data: { n: 1 } } });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({ phone, email: '', confirmation_sent_at: expect.any(String) });
    expect(data.user?.user_metadata).toMatchObject({ n: 1, phone, phone_verified: false });
    const denied = await newClient().auth.signInWithPassword({ phone, password: PASSWORD });
    expect(denied.error).toMatchObject({ status: 400, code: 'phone_not_confirmed', message: 'Phone not confirmed' });
    const token = await nextCode(site.dataFolder, phone);
    expect((await newClient().auth.verifyOtp({ phone, token, type: 'sms' })).error).toBeNull();
    const signIn = await newClient().auth.signInWithPassword({ phone: `+${phone}`, password: PASSWORD });
    expect(signIn.data.user).toMatchObject({ phone, user_metadata: { n: 1, phone_verified: true } });
    expect(decodeJwt(signIn.data.session?.access_token ?? '')).toMatchObject({ amr: [{ method: 'password' }] });
    const wrongPassword = await newClient().auth.signInWithPassword({ phone, password: 'Another-2026-x' });
    expect(wrongPassword.error).toMatchObject({ status: 400, code: 'invalid_credentials' });
  });

  test('Signing up with a known number looks like a new sign-up and sends no message', async () => {
    const { phone, id } = await createSignedInUser();
    const { data, error } = await newClient().auth.signUp({ phone, password: PASSWORD });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ phone, identities: [], app_metadata: { provider: 'phone' } });
    expect(data.user?.id).not.toBe(id);
    await site.service.auth.admin.getUserById(id);
    expect(await messagesTo(site.dataFolder, phone)).toHaveLength(1);
  });

  test('A stranger who signed up with a number gets no access when its owner confirms a later sign-up', async () => {
    const phone = newPhone();
    await newClient().auth.signUp({ phone, password: 'Stranger-2026-x', options: { data: { theirs: true } } });
    await nextCode(site.dataFolder, phone);
    await newClient().auth.signUp({ phone, password: PASSWORD });
    const token = await nextCode(site.dataFolder, phone, 2);
    const { data } = await newClient().auth.verifyOtp({ phone, token, type: 'sms' });
    expect(data.user?.user_metadata).not.toHaveProperty('theirs');
    const strangerSignIn = await newClient().auth.signInWithPassword({ phone, password: 'Stranger-2026-x' });
    expect(strangerSignIn.error).toMatchObject({ code: 'invalid_credentials' });
    expect((await newClient().auth.signInWithPassword({ phone, password: PASSWORD })).error).toBeNull();
  });

  test('No code is sent if the transaction of a sign-up or a number change fails', async () => {
    const [phone, next] = [newPhone(), newPhone()];
    const { client } = await createSignedInUser();
    const { database } = site.backend;
    await database.script(`
      create function auth.refuse() returns trigger language plpgsql as $$ begin raise 'Not kept'; end $$;
      create trigger refuse before insert on auth.audit_log_entries for each row execute function auth.refuse();`);
    expect((await newClient().auth.signUp({ phone, password: PASSWORD })).error).toMatchObject({ status: 500 });
    expect((await client.auth.updateUser({ phone: next })).error).toMatchObject({ status: 500 });
    await database.script('drop trigger refuse on auth.audit_log_entries; drop function auth.refuse()');
    // Codes are sent within 500 ms of the response. Below, the same requests succeed and send codes.
    await wait(700);
    expect([await messagesTo(site.dataFolder, phone), await messagesTo(site.dataFolder, next)]).toEqual([[], []]);
    expect((await newClient().auth.signUp({ phone, password: PASSWORD })).error).toBeNull();
    expect((await client.auth.updateUser({ phone: next })).error).toBeNull();
    await Promise.all([nextCode(site.dataFolder, phone), nextCode(site.dataFolder, next)]);
  });

  test('Resending the confirmation sends a new code', async () => {
    const phone = newPhone();
    await newClient().auth.signUp({ phone, password: PASSWORD });
    await nextCode(site.dataFolder, phone);
    expect((await newClient().auth.resend({ phone, type: 'sms' })).error).toBeNull();
    const token = await nextCode(site.dataFolder, phone, 2);
    expect((await newClient().auth.verifyOtp({ phone, token, type: 'sms' })).error).toBeNull();
    expect((await newClient().auth.signInWithPassword({ phone, password: PASSWORD })).error).toBeNull();
    const unknown = await newClient().auth.resend({ phone: newPhone(), type: 'sms' });
    expect(unknown.error).toBeNull();
  });

  test('Without confirmation, signing up also signs the user in', async () => {
    const phone = newPhone();
    const { data, error } = await newClient(unconfirmedSite.url).auth.signUp({ phone, password: PASSWORD });
    expect(error).toBeNull();
    expect(data.session?.user).toMatchObject({ phone, phone_confirmed_at: expect.any(String) });
    const duplicate = await newClient(unconfirmedSite.url).auth.signUp({ phone, password: PASSWORD });
    expect(duplicate.error).toMatchObject({ status: 422, code: 'user_already_exists' });
    expect(
      (await newClient(unconfirmedSite.url).auth.signInWithPassword({ phone, password: PASSWORD })).error,
    ).toBeNull();
    expect(await messagesTo(unconfirmedSite.dataFolder, phone)).toEqual([]);
  });
});

describe('Changing the number', () => {
  test('The code sent to the new number changes it, and codes for the old number become invalid', async () => {
    const { phone, client, id } = await createSignedInUser();
    const newNumber = newPhone();
    await newClient().auth.signInWithOtp({ phone });
    const oldCode = await nextCode(site.dataFolder, phone, 2);
    const response = await client.auth.updateUser({ phone: newNumber });
    expect(response.data.user).toMatchObject({ phone, new_phone: newNumber, phone_change_sent_at: expect.any(String) });
    const token = await nextCode(site.dataFolder, newNumber);
    const { data, error } = await client.auth.verifyOtp({ phone: newNumber, token, type: 'phone_change' });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id, phone: newNumber, identities: [{ identity_data: { phone: newNumber } }] });
    expect((await newClient().auth.verifyOtp({ phone, token: oldCode, type: 'sms' })).error?.code).toBe('otp_expired');
  });

  test('An account with an email address can add a number to sign in with', async () => {
    const client = newClient();
    const email = newEmail();
    const created = await client.auth.signUp({ email, password: PASSWORD });
    const phone = newPhone();
    await client.auth.updateUser({ phone });
    const token = await nextCode(site.dataFolder, phone);
    const { data } = await client.auth.verifyOtp({ phone, token, type: 'phone_change' });
    expect(data.user).toMatchObject({
      id: created.data.user?.id,
      email,
      phone,
      app_metadata: { provider: 'email', providers: ['email', 'phone'] },
    });
    expect((await newClient().auth.signInWithPassword({ phone, password: PASSWORD })).error).toBeNull();
  });

  test("Changing to another user's number returns the usual response and sends that user no message", async () => {
    const { client } = await createSignedInUser();
    const otherUser = await createSignedInUser();
    const { data, error } = await client.auth.updateUser({ phone: otherUser.phone });
    expect(error).toBeNull();
    expect(data.user?.new_phone).toBe(otherUser.phone);
    expect((await client.auth.resend({ phone: otherUser.phone, type: 'phone_change' })).error).toBeNull();
    const freePhone = newPhone();
    await client.auth.updateUser({ phone: freePhone });
    await nextCode(site.dataFolder, freePhone);
    expect(await messagesTo(site.dataFolder, otherUser.phone)).toHaveLength(1);
  });

  test('Resending sends the code to the new number', async () => {
    const { phone, client } = await createSignedInUser();
    const newNumber = newPhone();
    await client.auth.updateUser({ phone: newNumber });
    await nextCode(site.dataFolder, newNumber);
    await client.auth.resend({ phone, type: 'phone_change' });
    const token = await nextCode(site.dataFolder, newNumber, 2);
    expect((await client.auth.verifyOtp({ phone: newNumber, token, type: 'phone_change' })).error).toBeNull();
  });

  test('An old session needs reauthentication for a new number or a first email address', async () => {
    const { phone, client, id } = await createSignedInUser();
    await backdateSessions(id);
    const expectedError = { status: 400, code: 'reauthentication_needed' };
    expect((await client.auth.updateUser({ phone: newPhone() })).error).toMatchObject(expectedError);
    expect((await client.auth.updateUser({ email: newEmail() })).error).toMatchObject(expectedError);
    expect((await client.auth.updateUser({ password: PASSWORD })).error).toMatchObject(expectedError);
    expect((await client.auth.updateUser({ data: { name: 'Ada' } })).error).toBeNull();

    expect((await client.auth.reauthenticate()).error).toBeNull();
    const nonce = await nextCode(site.dataFolder, phone, 2);
    expect((await client.auth.updateUser({ password: PASSWORD, nonce })).error).toBeNull();
    expect((await client.auth.updateUser({ phone: newPhone(), nonce })).error).toMatchObject({
      code: 'reauthentication_not_valid',
    });
    const withPassword = { phone: newPhone(), current_password: PASSWORD };
    expect((await client.auth.updateUser(withPassword)).error).toBeNull();
  });

  test('Without confirmation, the number changes immediately unless another account has it', async () => {
    const client = newClient(unconfirmedSite.url);
    const [phone, takenPhone, next] = [newPhone(), newPhone(), newPhone()];
    await newClient(unconfirmedSite.url).auth.signUp({ phone: takenPhone, password: PASSWORD });
    await client.auth.signUp({ phone, password: PASSWORD });
    expect((await client.auth.updateUser({ phone: takenPhone })).error).toMatchObject({
      status: 422,
      code: 'phone_exists',
    });
    expect((await client.auth.updateUser({ phone: next })).data.user).toMatchObject({ phone: next });
  });
});

describe('Numbers and channels', () => {
  test.each(['1-555-555-1212', '0047900', 'abc', '+', `1${'5'.repeat(15)}`])(
    '%s is not a valid number',
    async (phone) => {
      const expectedError = {
        status: 400,
        code: 'validation_failed',
        message: 'Invalid phone number format (E.164 required)',
      };
      const { error } = await newClient().auth.signUp({ phone, password: PASSWORD });
      expect(error).toMatchObject(expectedError);
    },
  );

  test('WhatsApp needs a provider, and other channels are rejected', async () => {
    for (const channel of ['whatsapp', 'pigeon'] as 'whatsapp'[]) {
      const { error } = await newClient().auth.signInWithOtp({ phone: newPhone(), options: { channel } });
      expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
      expect(error?.message).toMatch(/^Invalid channel, supported values are 'sms' or 'whatsapp'/);
    }
  });

  test('Every endpoint rejects an email address together with a number', async () => {
    const body = { email: newEmail(), phone: newPhone(), password: PASSWORD, type: 'sms', token: '123456' };
    for (const path of ['/signup', '/otp', '/token?grant_type=password', '/verify', '/resend']) {
      const response = await fetch(`${site.url}/auth/v1${path}`, { method: 'POST', body: JSON.stringify(body) });
      expect({ path, status: response.status }).toEqual({ path, status: 400 });
      expect((await response.json()).msg).toMatch(/^Only an email address or phone number should be provided/);
    }
  });

  test('The service role creates, changes and confirms accounts with numbers', async () => {
    const { admin } = site.service.auth;
    const phone = newPhone();
    const created = await admin.createUser({ phone: `+${phone}`, password: PASSWORD, phone_confirm: true });
    expect(created.data.user).toMatchObject({ phone, email: '', phone_confirmed_at: expect.any(String) });
    expect((await newClient().auth.signInWithPassword({ phone, password: PASSWORD })).error).toBeNull();
    const duplicate = await admin.createUser({ phone });
    expect(duplicate.error).toMatchObject({ status: 422, code: 'phone_exists' });
    const id = created.data.user?.id ?? '';
    const newNumber = newPhone();
    expect((await admin.updateUserById(id, { phone: newNumber })).data.user).toMatchObject({
      phone: newNumber,
      identities: [{ provider: 'phone', identity_data: { phone: newNumber } }],
    });
    await newClient().auth.signInWithOtp({ phone: newNumber });
    const oldCode = await nextCode(site.dataFolder, newNumber);
    const latestPhone = newPhone();
    await admin.updateUserById(id, { phone: latestPhone });
    expect((await newClient().auth.verifyOtp({ phone: newNumber, token: oldCode, type: 'sms' })).error?.code).toBe(
      'otp_expired',
    );
    const email = newEmail();
    const withEmail = await admin.updateUserById(id, { email, email_confirm: true });
    expect(withEmail.data.user).toMatchObject({ email, app_metadata: { providers: ['phone', 'email'] } });
    expect((await newClient().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });
});

describe('An SMS provider', () => {
  let twilio: FakeTwilio;
  let twilioSite: TestBackend;
  beforeAll(async () => {
    twilio = await startFakeTwilio();
    twilioSite = await startTestBackend({
      AUTH_PHONE: 'on',
      SMS_URL: twilio.url,
      SMS_ACCOUNT_SID: 'AC1',
      SMS_AUTH_TOKEN: 'geheim',
      SMS_FROM: '+4790000000',
    });
  });
  afterAll(async () => {
    await twilioSite.close();
    await twilio.close();
  });

  test('Codes are sent through the provider by text message or WhatsApp, and the settings name it', async () => {
    const phone = newPhone();
    const client = newClient(twilioSite.url);
    await client.auth.signInWithOtp({ phone, options: { channel: 'whatsapp' } });
    await expect.poll(() => twilio.received).toHaveLength(1);
    const [sentMessage] = twilio.received;
    expect(sentMessage?.fields).toMatchObject({ To: `whatsapp:+${phone}` });
    const token = /\d{6}/.exec(sentMessage?.fields['Body'] ?? '')?.[0] ?? '';
    const { data } = await client.auth.verifyOtp({ phone, token, type: 'sms' });
    const headers = { authorization: `Bearer ${data.session?.access_token}` };
    const reauthenticated = await fetch(`${twilioSite.url}/auth/v1/reauthenticate`, { headers });
    expect(await reauthenticated.json()).toEqual({ message_id: 'SM1' });

    twilio.response = { status: 401, body: { message: 'Authenticate AC1 geheim' } };
    expect((await client.auth.reauthenticate()).error).toMatchObject({
      status: 422,
      code: 'sms_send_failed',
      message: 'Error sending confirmation OTP to provider',
    });
    const settings = await (await fetch(`${twilioSite.url}/auth/v1/settings`)).json();
    expect(settings).toMatchObject({ external: { phone: true }, sms_provider: 'twilio', phone_autoconfirm: false });
  });
});

test('When phone sign-in is disabled, requests with a number are rejected with this reason, and no code is accepted', async () => {
  const disabled = await startTestBackend();
  const phone = newPhone();
  const visitor = newClient(disabled.url);
  const responses = [
    await visitor.auth.signUp({ phone, password: PASSWORD }),
    await visitor.auth.signInWithPassword({ phone, password: PASSWORD }),
    await visitor.auth.signInWithOtp({ phone }),
    await visitor.auth.resend({ phone, type: 'sms' }),
  ];
  expect(responses.map(({ error }) => error?.message)).toEqual([
    'Phone signups are disabled',
    'Phone logins are disabled',
    'Unsupported phone provider',
    'Phone logins are disabled',
  ]);
  for (const { error } of responses) expect(error).toMatchObject({ status: 400, code: 'phone_provider_disabled' });
  const code = await visitor.auth.verifyOtp({ phone, token: '123456', type: 'sms' });
  expect(code.error).toMatchObject({ status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' });
  const response = await fetch(`${disabled.url}/auth/v1/user`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${(await disabled.signedIn('client')).token}` },
    body: JSON.stringify({ phone }),
  });
  expect(response.headers.get('x-sb-error-code')).toBe('phone_provider_disabled');
  await disabled.close();
});
