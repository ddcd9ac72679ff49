import type { SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  createSignedInUser,
  enrolTotp,
  newClient,
  openSecondSession,
} from '../../packages/backend/tests/support/factors.ts';
import { resetFactors } from '../../server/first-admin.ts';
import { SecurityKey } from '../support/security-key.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let relyingParty: { rpId: string; origin: string };
beforeAll(async () => {
  site = await startTestBackend();
  relyingParty = { rpId: new URL(site.url).hostname, origin: site.url };
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(async () => {
  vi.useRealTimers();
  await site.close();
});

const readError = ({ error }: { error: { code?: unknown; status?: unknown } | null }) =>
  error && [error.status, error.code];

async function register(client: SupabaseClient, key: SecurityKey) {
  const { data, error } = await client.auth.passkey.startRegistration();
  if (error) throw error;
  return client.auth.passkey.verifyRegistration({
    challengeId: data.challenge_id,
    credential: key.register({ ...relyingParty, challenge: data.options.challenge }),
  });
}

async function start(client: SupabaseClient) {
  const { data, error } = await client.auth.passkey.startAuthentication();
  if (error) throw error;
  return { challengeId: data.challenge_id, challenge: data.options.challenge, options: data.options };
}

async function addAccountWithPasskey() {
  const account = await createSignedInUser(site);
  const key = new SecurityKey();
  const { data, error } = await register(account.client, key);
  if (error) throw error;
  return { ...account, key, passkey: data };
}

test('A user registers a passkey and signs in with it, without an email address', async () => {
  const { client, user } = await createSignedInUser(site);
  const { data: options } = await client.auth.passkey.startRegistration();
  expect(options?.options).toMatchObject({
    rp: { id: relyingParty.rpId },
    user: { id: Buffer.from(user.id).toString('base64url'), name: user.email },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  expect(options?.expires_at).toBeGreaterThan(Date.now() / 1000 + 200);
  const key = new SecurityKey();
  const registered = await client.auth.passkey.verifyRegistration({
    challengeId: options?.challenge_id ?? '',
    credential: key.register({ ...relyingParty, challenge: options?.options.challenge ?? '' }),
  });
  expect(registered.data).toMatchObject({ friendly_name: 'Passkey' });

  const visitor = newClient(site.url);
  const events: string[] = [];
  visitor.auth.onAuthStateChange((event) => void events.push(event));
  const { challengeId, challenge, options: request } = await start(visitor);
  expect(request).toMatchObject({ rpId: relyingParty.rpId, userVerification: 'required' });
  expect(request).not.toHaveProperty('allowCredentials');
  const signIn = await visitor.auth.passkey.verifyAuthentication({
    challengeId,
    credential: key.authenticate({ ...relyingParty, challenge, userHandle: user.id }),
  });
  expect(signIn.error).toBeNull();
  expect(signIn.data?.user?.id).toBe(user.id);
  expect(events).toContain('SIGNED_IN');
  expect(decodeJwt(signIn.data?.session?.access_token ?? '')).toMatchObject({
    aal: 'aal1',
    amr: [{ method: 'passkey' }],
  });
});

test('Users list, rename and delete their passkeys, and a deleted passkey cannot sign in', async () => {
  const { client, key, passkey, user } = await addAccountWithPasskey();
  const api = client.auth.passkey;
  expect((await api.list()).data).toEqual([
    { id: passkey.id, friendly_name: 'Passkey', created_at: passkey.created_at },
  ]);
  expect((await api.update({ passkeyId: passkey.id, friendlyName: 'Blue key' })).data).toMatchObject({
    id: passkey.id,
    friendly_name: 'Blue key',
  });
  expect(readError(await api.update({ passkeyId: passkey.id, friendlyName: '' }))).toEqual([400, 'validation_failed']);
  expect(readError(await register(client, key))).toEqual([422, 'webauthn_credential_exists']);
  const secondRegistration = await client.auth.passkey.startRegistration();
  expect(secondRegistration.data?.options.excludeCredentials).toMatchObject([{ id: key.id }]);

  const { challengeId, challenge } = await start(client);
  const credential = key.authenticate({ ...relyingParty, challenge, userHandle: user.id });
  expect((await newClient(site.url).auth.passkey.verifyAuthentication({ challengeId, credential })).error).toBeNull();
  expect((await api.list()).data?.[0]?.last_used_at).toBeTruthy();
  expect((await api.delete({ passkeyId: passkey.id })).error).toBeNull();
  expect((await api.list()).data).toEqual([]);
  expect(readError(await api.delete({ passkeyId: passkey.id }))).toEqual([404, 'validation_failed']);
  const afterDeletion = await start(client);
  const response = await newClient(site.url).auth.passkey.verifyAuthentication({
    challengeId: afterDeletion.challengeId,
    credential: key.authenticate({ ...relyingParty, challenge: afterDeletion.challenge, userHandle: user.id }),
  });
  expect(readError(response)).toEqual([400, 'webauthn_verification_failed']);
});

test('With a second factor, adding and deleting passkeys requires aal2, and ten passkeys are allowed', async () => {
  const { client, email, passkey } = await addAccountWithPasskey();
  await enrolTotp(client);
  const attacker = await openSecondSession(site.url, email);
  expect(readError(await attacker.client.auth.passkey.startRegistration())).toEqual([403, 'insufficient_aal']);
  expect(readError(await attacker.client.auth.passkey.delete({ passkeyId: passkey.id }))).toEqual([
    403,
    'insufficient_aal',
  ]);
  for (let count = 1; count < 10; count++) expect((await register(client, new SecurityKey())).error).toBeNull();
  expect(readError(await client.auth.passkey.startRegistration())).toEqual([422, 'too_many_passkeys']);
});

test("The service role lists and deletes an account's passkeys", async () => {
  const { client, user, passkey } = await addAccountWithPasskey();
  const admin = site.service.auth.admin.passkey;
  expect((await admin.listPasskeys({ userId: user.id })).data).toMatchObject([{ id: passkey.id }]);
  expect(readError(await client.auth.admin.passkey.listPasskeys({ userId: user.id }))).toEqual([403, 'not_admin']);
  expect((await admin.deletePasskey({ userId: user.id, passkeyId: passkey.id })).error).toBeNull();
  expect((await admin.listPasskeys({ userId: user.id })).data).toEqual([]);
});

test('The command line removes the passkeys of a user who lost their device', async () => {
  const { user } = await addAccountWithPasskey();
  expect(await resetFactors(site.backend.database, user.email ?? '')).toBe(0);
  expect((await site.service.auth.admin.passkey.listPasskeys({ userId: user.id })).data).toEqual([]);
});

test('A challenge that is used, expired, foreign or for another purpose is rejected', async () => {
  const { client, key, user } = await addAccountWithPasskey();
  const visitor = newClient(site.url);
  const first = await start(visitor);
  const credential = key.authenticate({ ...relyingParty, challenge: first.challenge, userHandle: user.id });
  const authenticate = () =>
    newClient(site.url).auth.passkey.verifyAuthentication({ challengeId: first.challengeId, credential });
  const outcomes = await Promise.all([authenticate(), authenticate()]);
  expect(outcomes.filter(({ error }) => error === null)).toHaveLength(1);
  expect(readError(await authenticate())).toEqual([400, 'webauthn_challenge_not_found']);

  const overdue = await start(visitor);
  await site.backend.database.query(
    `update auth.webauthn_challenges set expires_at = now() - interval '1 second' where id = $1`,
    [overdue.challengeId],
  );
  const expiredVerification = await visitor.auth.passkey.verifyAuthentication({
    challengeId: overdue.challengeId,
    credential: key.authenticate({ ...relyingParty, challenge: overdue.challenge }),
  });
  expect(readError(expiredVerification)).toEqual([400, 'webauthn_challenge_expired']);

  const { data: registration } = await client.auth.passkey.startRegistration();
  const otherUser = await createSignedInUser(site);
  const foreign = await otherUser.client.auth.passkey.verifyRegistration({
    challengeId: registration?.challenge_id ?? '',
    credential: new SecurityKey().register({ ...relyingParty, challenge: registration?.options.challenge ?? '' }),
  });
  expect(readError(foreign)).toEqual([400, 'webauthn_challenge_not_found']);
  const registered = await client.auth.passkey.verifyRegistration({
    challengeId: registration?.challenge_id ?? '',
    credential: new SecurityKey().register({ ...relyingParty, challenge: registration?.options.challenge ?? '' }),
  });
  expect(registered.error).toBeNull();
});

test('A passkey with a wrong origin, user or counter, or without user verification is rejected', async () => {
  const { key, user } = await addAccountWithPasskey();
  const stranger = await createSignedInUser(site);
  const sign = async (overrides: Partial<Parameters<SecurityKey['authenticate']>[0]>) => {
    const visitor = newClient(site.url);
    const { challengeId, challenge } = await start(visitor);
    const credential = key.authenticate({ ...relyingParty, challenge, userHandle: user.id, ...overrides });
    return visitor.auth.passkey.verifyAuthentication({ challengeId, credential });
  };
  const verificationError = [400, 'webauthn_verification_failed'];
  expect(readError(await sign({ origin: 'https://fjord.example' }))).toEqual(verificationError);
  expect(readError(await sign({ rpId: 'fjord.example' }))).toEqual(verificationError);
  expect(readError(await sign({ challenge: 'AAAA' }))).toEqual(verificationError);
  expect(readError(await sign({ userVerified: false }))).toEqual(verificationError);
  expect(readError(await sign({ userHandle: stranger.user.id }))).toEqual(verificationError);
  expect((await sign({})).error).toBeNull();
  key.counter = 1;
  expect(readError(await sign({}))).toEqual(verificationError);
  key.counter = 20;
  expect((await sign({})).error).toBeNull();
});

test('A banned or unconfirmed account cannot sign in with its passkey', async () => {
  const { key, user } = await addAccountWithPasskey();
  const sign = async () => {
    const visitor = newClient(site.url);
    const { challengeId, challenge } = await start(visitor);
    return visitor.auth.passkey.verifyAuthentication({
      challengeId,
      credential: key.authenticate({ ...relyingParty, challenge }),
    });
  };
  await site.service.auth.admin.updateUserById(user.id, { ban_duration: '1h' });
  expect(readError(await sign())).toEqual([400, 'user_banned']);
  await site.service.auth.admin.updateUserById(user.id, { ban_duration: 'none' });
  expect((await sign()).error).toBeNull();
  await site.backend.database.query('update auth.users set email_confirmed_at = null where id = $1', [user.id]);
  expect(readError(await sign())).toEqual([403, 'email_not_confirmed']);
});

test('A security key can be enrolled and verified as a second factor, and its counter is stored', async () => {
  const { client, email, user } = await createSignedInUser(site);
  const enrolled = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Blue key' });
  const factorId = enrolled.data?.id ?? '';
  expect(enrolled.data).toEqual({ id: factorId, type: 'webauthn', friendly_name: 'Blue key' });
  const key = new SecurityKey();
  const requestChallenge = async (sessionClient: SupabaseClient) => {
    const { data, error } = await sessionClient.auth.mfa.challenge({
      factorId,
      webauthn: { rpId: relyingParty.rpId, rpOrigins: [relyingParty.origin] },
    });
    if (error) throw error;
    return data;
  };
  const verify = (sessionClient: SupabaseClient, challengeId: string, type: 'create' | 'request', credential: object) =>
    sessionClient.auth.mfa.verify({
      factorId,
      challengeId,
      webauthn: {
        type,
        rpId: relyingParty.rpId,
        rpOrigins: [relyingParty.origin],
        // The official client calls `toJSON` on the browser's credential.
        credential_response: { ...credential, toJSON: () => credential },
      },
    } as never);

  const create = await requestChallenge(client);
  expect(create.webauthn.type).toBe('create');
  const creation = create.webauthn.credential_options.publicKey;
  const wrongOrigin = key.register({
    ...relyingParty,
    challenge: creation.challenge as ArrayBuffer,
    origin: 'https://fjord.example',
  });
  expect(readError(await verify(client, create.id, 'create', wrongOrigin))).toEqual([422, 'mfa_verification_failed']);
  const registered = key.register({ ...relyingParty, challenge: creation.challenge as ArrayBuffer });
  expect(readError(await verify(client, create.id, 'request', registered))).toEqual([422, 'mfa_verification_failed']);
  const verification = await verify(client, create.id, 'create', registered);
  expect(verification.error).toBeNull();
  expect(decodeJwt(verification.data?.access_token ?? '')).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'mfa/webauthn' }, { method: 'password' }],
  });

  const newSession = await openSecondSession(site.url, email);
  const request = await requestChallenge(newSession.client);
  expect(request.webauthn.type).toBe('request');
  const challenge = request.webauthn.credential_options.publicKey.challenge as ArrayBuffer;
  const otherKey = new SecurityKey();
  expect(
    readError(await verify(newSession.client, request.id, 'create', otherKey.register({ ...relyingParty, challenge }))),
  ).toEqual([422, 'mfa_verification_failed']);
  expect(
    readError(
      await verify(newSession.client, request.id, 'request', otherKey.authenticate({ ...relyingParty, challenge })),
    ),
  ).toEqual([422, 'mfa_verification_failed']);
  expect(
    (await verify(newSession.client, request.id, 'request', key.authenticate({ ...relyingParty, challenge }))).error,
  ).toBeNull();
  const { rows } = await site.backend.database.query(
    `select web_authn_credential #> '{authenticator,signCount}' as count from auth.mfa_factors where user_id = $1`,
    [user.id],
  );
  expect(rows).toEqual([{ count: 1 }]);

  const clone = await requestChallenge(newSession.client);
  key.counter = 0;
  const cloned = key.authenticate({
    ...relyingParty,
    challenge: clone.webauthn.credential_options.publicKey.challenge as ArrayBuffer,
  });
  expect(readError(await verify(newSession.client, clone.id, 'request', cloned))).toEqual([
    422,
    'mfa_verification_failed',
  ]);
});
