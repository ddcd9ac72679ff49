import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cleanUp } from '../../packages/backend/src/auth/clean-up.ts';
import {
  createSignedInUser,
  enrolTotp,
  newClient,
  openSecondSession,
  totpCode,
} from '../../packages/backend/tests/support/factors.ts';
import { resetFactors } from '../../server/first-admin.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
  // TOTP codes change every 30 seconds. Freeze the clock so that no test crosses a boundary.
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(async () => {
  vi.useRealTimers();
  await site.close();
});

const sql = <Row>(text: string, values: unknown[] = []) =>
  site.backend.database.query<Row>(text, values as string[]).then((result) => result.rows);

/** Returns the status and code of an error from the official client. */
const readError = ({ error }: { error: { code?: string | undefined; status?: number | undefined } | null }) =>
  error && [error.status, error.code];

test('A user enrols an authenticator app, and their session and refreshed tokens become aal2', async () => {
  const { client, email } = await createSignedInUser(site);
  const enrolled = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'My phone', issuer: 'Fjord' });
  expect(enrolled.data).toMatchObject({ type: 'totp', friendly_name: 'My phone' });
  const { id = '', totp } = enrolled.data ?? {};
  expect(totp?.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#%]*<\/svg>$/);
  expect(totp?.uri).toBe(
    `otpauth://totp/Fjord:${encodeURIComponent(email)}?issuer=Fjord&secret=${totp?.secret}&algorithm=SHA1&digits=6&period=30`,
  );
  const unverified = await client.auth.mfa.listFactors();
  expect(unverified.data?.all).toMatchObject([{ id, status: 'unverified', friendly_name: 'My phone' }]);
  expect(unverified.data?.totp).toEqual([]);

  const challenge = await client.auth.mfa.challenge({ factorId: id });
  expect(challenge.data).toMatchObject({ type: 'totp' });
  expect(challenge.data?.expires_at).toBeGreaterThan(Date.now() / 1000 + 200);
  const wrongCode = await client.auth.mfa.verify({
    factorId: id,
    challengeId: challenge.data?.id ?? '',
    code: totpCode(totp?.secret ?? '', 9),
  });
  expect(readError(wrongCode)).toEqual([422, 'mfa_verification_failed']);
  expect(wrongCode.error?.message).toBe('Invalid TOTP code entered');
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => void events.push(event));
  const verification = await client.auth.mfa.verify({
    factorId: id,
    challengeId: challenge.data?.id ?? '',
    code: totpCode(totp?.secret ?? ''),
  });
  expect(verification.error).toBeNull();
  expect(events).toContain('MFA_CHALLENGE_VERIFIED');
  expect(verification.data?.user.factors).toMatchObject([{ id, status: 'verified', factor_type: 'totp' }]);
  expect(decodeJwt(verification.data?.access_token ?? '')).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'totp' }, { method: 'password' }],
  });
  const level = await client.auth.mfa.getAuthenticatorAssuranceLevel();
  expect(level.data).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' });

  const refreshed = await client.auth.refreshSession();
  expect(decodeJwt(refreshed.data.session?.access_token ?? '')).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'totp' }, { method: 'password' }],
  });
  expect((await client.auth.mfa.listFactors()).data?.totp).toHaveLength(1);
});

test('A new sign-in has aal1, reports aal2 as the next level, and reaches it with a code', async () => {
  const { client, email } = await createSignedInUser(site);
  const { id, secret } = await enrolTotp(client);
  const newSession = await openSecondSession(site.url, email);
  expect((await newSession.client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal2',
  });
  const verification = await newSession.client.auth.mfa.challengeAndVerify({ factorId: id, code: totpCode(secret) });
  expect(verification.error).toBeNull();
  expect(decodeJwt(verification.data?.access_token ?? '')).toMatchObject({ aal: 'aal2' });
});

test("Verifying a factor ends only the account's aal1 sessions", async () => {
  const { client, email } = await createSignedInUser(site);
  const firstStep = await openSecondSession(site.url, email);
  const { id, secret } = await enrolTotp(client);
  expect((await firstStep.client.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
  const second = await openSecondSession(site.url, email);
  await second.client.auth.mfa.challengeAndVerify({ factorId: id, code: totpCode(secret) });
  expect((await client.auth.getUser()).error).toBeNull();
});

test('Factor names are unique, an account can have ten factors, and unfinished enrolments are removed', async () => {
  const { client, user } = await createSignedInUser(site);
  const enrol = (friendlyName?: string) =>
    client.auth.mfa.enroll({ factorType: 'totp', ...(friendlyName === undefined ? {} : { friendlyName }) });
  expect((await enrol()).error).toBeNull();
  const duplicate = await enrol();
  expect(readError(duplicate)).toEqual([422, 'mfa_factor_name_conflict']);
  expect(duplicate.error?.message).toBe('A factor with the friendly name "" for this user already exists');
  for (let count = 1; count < 10; count++) expect((await enrol(`Phone ${count}`)).error).toBeNull();
  expect(readError(await enrol('One more'))).toEqual([422, 'too_many_enrolled_mfa_factors']);
  await sql(`update auth.mfa_factors set created_at = now() - interval '6 minutes' where user_id = $1`, [user.id]);
  expect((await enrol('One more')).error).toBeNull();
  expect((await client.auth.mfa.listFactors()).data?.all).toHaveLength(1);

  await sql(`update auth.mfa_factors set created_at = now() - interval '2 days' where user_id = $1`, [user.id]);
  await cleanUp(site.backend.database);
  expect((await client.auth.mfa.listFactors()).data?.all).toEqual([]);
});

test('Each invalid request has its own error code', async () => {
  const { client, session } = await createSignedInUser(site);
  const mfa = client.auth.mfa;
  // @ts-expect-error The client's types do not allow this factor type.
  const unknownType = await mfa.enroll({ factorType: 'fingerprint' });
  expect(readError(unknownType)).toEqual([400, 'validation_failed']);
  expect(unknownType.error?.message).toBe('factor_type needs to be totp, phone, or webauthn');
  const unknownId = crypto.randomUUID();
  expect(readError(await mfa.challenge({ factorId: unknownId }))).toEqual([404, 'mfa_factor_not_found']);
  expect(readError(await mfa.unenroll({ factorId: unknownId }))).toEqual([404, 'mfa_factor_not_found']);
  expect(readError(await mfa.challenge({ factorId: 'mine' }))).toEqual([404, 'validation_failed']);
  const { id, secret } = await enrolTotp(client);
  expect(readError(await mfa.verify({ factorId: id, challengeId: unknownId, code: totpCode(secret) }))).toEqual([
    422,
    'mfa_factor_not_found',
  ]);
  const challenge = await mfa.challenge({ factorId: id });
  const challengeId = challenge.data?.id ?? '';
  expect(readError(await mfa.verify({ factorId: id, challengeId, code: '' }))).toEqual([400, 'validation_failed']);
  await sql(`update auth.mfa_challenges set created_at = now() - interval '6 minutes' where id = $1`, [challengeId]);
  expect(readError(await mfa.verify({ factorId: id, challengeId, code: totpCode(secret) }))).toEqual([
    422,
    'mfa_challenge_expired',
  ]);
  const secondChallenge = await mfa.challenge({ factorId: id });
  await sql(`update auth.mfa_challenges set ip_address = '203.0.113.9' where id = $1`, [secondChallenge.data?.id]);
  expect(
    readError(await mfa.verify({ factorId: id, challengeId: secondChallenge.data?.id ?? '', code: totpCode(secret) })),
  ).toEqual([422, 'mfa_ip_address_mismatch']);
  const anonymous = await fetch(`${site.url}/auth/v1/factors`, { method: 'POST', body: '{}' });
  expect(anonymous.status).toBe(401);
  expect(session.user.factors).toBeUndefined();
});

test('Removing or adding a verified factor requires aal2, and removing one returns the session to aal1', async () => {
  const { client, email } = await createSignedInUser(site);
  const { id } = await enrolTotp(client);
  const attacker = await openSecondSession(site.url, email);
  const removal = await attacker.client.auth.mfa.unenroll({ factorId: id });
  expect(readError(removal)).toEqual([422, 'insufficient_aal']);
  expect(removal.error?.message).toBe('AAL2 required to unenroll verified factor');
  const enrolled = await attacker.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Mine' });
  expect(readError(enrolled)).toEqual([403, 'insufficient_aal']);
  expect(enrolled.error?.message).toBe('AAL2 required to enroll a new factor');

  const { data } = await client.auth.mfa.unenroll({ factorId: id });
  expect(data).toEqual({ id });
  const { data: refreshed } = await client.auth.refreshSession();
  expect(decodeJwt(refreshed.session?.access_token ?? '')).toMatchObject({
    aal: 'aal1',
    amr: [{ method: 'password' }],
  });
  expect((await client.auth.mfa.listFactors()).data?.all).toEqual([]);
});

test('If a second factor exists, email and password changes require aal2', async () => {
  const { client, email } = await createSignedInUser(site);
  await enrolTotp(client);
  const newSession = await openSecondSession(site.url, email);
  for (const attributes of [{ password: 'Another-2026-fjord' }, { email: 'elsewhere@example.com' }]) {
    const response = await newSession.client.auth.updateUser(attributes);
    expect(readError(response)).toEqual([401, 'insufficient_aal']);
    expect(response.error?.message).toBe('AAL2 session is required to update email or password when MFA is enabled.');
  }
  expect((await newSession.client.auth.updateUser({ data: { name: 'Kari' } })).error).toBeNull();
  expect((await client.auth.updateUser({ password: 'Another-2026-fjord' })).error).toBeNull();
});

test("The service role lists and deletes an account's factors, and its sessions return to aal1", async () => {
  const { client, user } = await createSignedInUser(site);
  const { id } = await enrolTotp(client);
  const mfa = site.service.auth.admin.mfa;
  expect((await mfa.listFactors({ userId: user.id })).data?.factors).toMatchObject([{ id, status: 'verified' }]);
  const { client: otherClient } = await createSignedInUser(site);
  expect(readError(await otherClient.auth.admin.mfa.listFactors({ userId: user.id }))).toEqual([403, 'not_admin']);
  expect(readError(await mfa.deleteFactor({ userId: user.id, id: crypto.randomUUID() }))).toEqual([
    404,
    'mfa_factor_not_found',
  ]);
  expect(readError(await mfa.listFactors({ userId: crypto.randomUUID() }))).toEqual([404, 'user_not_found']);
  // The official client nests this response in a second `data` object.
  expect((await mfa.deleteFactor({ userId: user.id, id })).data).toMatchObject({ data: { id } });
  expect((await mfa.listFactors({ userId: user.id })).data?.factors).toEqual([]);
  const { data } = await client.auth.refreshSession();
  expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ aal: 'aal1' });
});

test('The command line resets the factors of a user who lost them, and ends the sessions of the user', async () => {
  const { client, email } = await createSignedInUser(site);
  await enrolTotp(client);
  await client.auth.mfa.recoveryCodes.generate();
  expect(await resetFactors(site.backend.database, email.toUpperCase())).toBe(2);
  expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
  const newSession = await openSecondSession(site.url, email);
  expect((await newSession.client.auth.mfa.getAuthenticatorAssuranceLevel()).data?.nextLevel).toBe('aal1');
  expect(await resetFactors(site.backend.database, 'nobody@example.com')).toBeNull();
});

test('A code is accepted once, even for two concurrent requests', async () => {
  const { client, email } = await createSignedInUser(site);
  const { id, secret } = await enrolTotp(client);
  const code = totpCode(secret);
  const stolenSessions = await Promise.all([1, 2, 3].map(() => openSecondSession(site.url, email)));
  const outcomes = await Promise.all(
    stolenSessions.map((attacker) => attacker.client.auth.mfa.challengeAndVerify({ factorId: id, code })),
  );
  expect(outcomes.filter(({ error }) => error === null)).toHaveLength(1);
  const newSession = await openSecondSession(site.url, email);
  const replayed = await newSession.client.auth.mfa.challengeAndVerify({ factorId: id, code });
  expect(readError(replayed)).toEqual([422, 'mfa_verification_failed']);
  const older = await newSession.client.auth.mfa.challengeAndVerify({ factorId: id, code: totpCode(secret, -1) });
  expect(readError(older)).toEqual([422, 'mfa_verification_failed']);
  const nextCode = await newSession.client.auth.mfa.challengeAndVerify({ factorId: id, code: totpCode(secret, 1) });
  expect(nextCode.error).toBeNull();
});

test('Guessing stops after ten codes across all challenges, sessions and factors', async () => {
  const { client, email, user } = await createSignedInUser(site);
  const first = await enrolTotp(client, 'First');
  const { data: second } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Second' });
  const attacker = await openSecondSession(site.url, email);
  const guess = (code: string) => attacker.client.auth.mfa.challengeAndVerify({ factorId: first.id, code });
  for (let count = 0; count < 9; count++) {
    expect(readError(await guess(totpCode(first.secret, 50 + count)))).toEqual([422, 'mfa_verification_failed']);
  }
  const secondFactorGuess = await client.auth.mfa.challengeAndVerify({
    factorId: second?.id ?? '',
    code: totpCode(second?.totp.secret ?? '', 50),
  });
  expect(readError(secondFactorGuess)).toEqual([422, 'mfa_verification_failed']);
  expect(readError(await guess(totpCode(first.secret)))).toEqual([429, 'over_request_rate_limit']);

  await sql(`update backend.factor_guesses set hour_begins = now() - interval '2 hours' where user_id = $1`, [user.id]);
  expect((await guess(totpCode(first.secret))).error).toBeNull();
  expect(await sql('select from backend.factor_guesses where user_id = $1', [user.id])).toEqual([]);
});

test('Guessing stops after thirty codes a day', async () => {
  const { client, email, user } = await createSignedInUser(site);
  const { id, secret } = await enrolTotp(client);
  await sql('insert into backend.factor_guesses (user_id, in_day) values ($1, 30)', [user.id]);
  const attacker = await openSecondSession(site.url, email);
  const response = await attacker.client.auth.mfa.challengeAndVerify({ factorId: id, code: totpCode(secret) });
  expect(readError(response)).toEqual([429, 'over_request_rate_limit']);
});

test("A user cannot use or remove another user's factor, and cannot use a challenge of another factor", async () => {
  const owner = await createSignedInUser(site);
  const { id, secret } = await enrolTotp(owner.client);
  const challenge = await owner.client.auth.mfa.challenge({ factorId: id });
  const challengeId = challenge.data?.id ?? '';
  const attacker = await createSignedInUser(site);
  const attackersFactor = await enrolTotp(attacker.client);
  const { mfa } = attacker.client.auth;
  expect(readError(await mfa.challenge({ factorId: id }))).toEqual([404, 'mfa_factor_not_found']);
  expect(readError(await mfa.unenroll({ factorId: id }))).toEqual([404, 'mfa_factor_not_found']);
  expect(readError(await mfa.verify({ factorId: id, challengeId, code: totpCode(secret) }))).toEqual([
    404,
    'mfa_factor_not_found',
  ]);
  expect(
    readError(await mfa.verify({ factorId: attackersFactor.id, challengeId, code: totpCode(attackersFactor.secret) })),
  ).toEqual([422, 'mfa_factor_not_found']);
  const verification = await owner.client.auth.mfa.verify({ factorId: id, challengeId, code: totpCode(secret) });
  expect(verification.error).toBeNull();
  const reused = await owner.client.auth.mfa.verify({ factorId: id, challengeId, code: totpCode(secret, 1) });
  expect(readError(reused)).toEqual([422, 'mfa_ip_address_mismatch']);
});

test('A refresh token stolen at aal1 cannot be upgraded to aal2', async () => {
  const { client, session } = await createSignedInUser(site);
  await client.auth.refreshSession();
  await enrolTotp(client);
  // The first token was used and the second was revoked, both within the reuse interval for lost responses.
  const stolenRefresh = await newClient(site.url).auth.refreshSession({ refresh_token: session.refresh_token });
  expect(readError(stolenRefresh)).toEqual([400, 'refresh_token_already_used']);
  expect(stolenRefresh.data.session).toBeNull();
});

test('An access token from before the second factor stays aal1', async () => {
  const { client, session } = await createSignedInUser(site);
  const { id } = await enrolTotp(client);
  const response = await fetch(`${site.url}/auth/v1/factors/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${session.access_token}`, 'x-supabase-api-version': '2024-01-01' },
  });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ code: 'insufficient_aal' });
  expect((await client.auth.mfa.unenroll({ factorId: id })).error).toBeNull();
});

test('An enrolment that another session started earlier cannot be used once a factor exists', async () => {
  const { client, email } = await createSignedInUser(site);
  const attacker = await openSecondSession(site.url, email);
  const attackerFactor = await attacker.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Planted' });
  const { id } = await enrolTotp(client);
  // Verification deletes pending enrolments of the same type. The row is inserted again to test that it is rejected.
  expect((await client.auth.mfa.listFactors()).data?.all.map((factor) => factor.id)).toEqual([id]);
  await sql(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
     select $1, user_id, 'Planted', 'totp', 'unverified', $2, now(), now() from auth.mfa_factors where id = $3`,
    [attackerFactor.data?.id, attackerFactor.data?.totp.secret, id],
  );
  const newSession = await openSecondSession(site.url, email);
  const response = await newSession.client.auth.mfa.challengeAndVerify({
    factorId: attackerFactor.data?.id ?? '',
    code: totpCode(attackerFactor.data?.totp.secret ?? ''),
  });
  expect(readError(response)).toEqual([403, 'insufficient_aal']);
});
