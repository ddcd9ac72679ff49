import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSignedInUser, enrolTotp, openSecondSession, totpCode } from './support/factors.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
  // Freeze the clock, because codes change every half minute.
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(async () => {
  vi.useRealTimers();
  await site.close();
});

const pickError = ({ error }: { error: { code?: string | undefined; status?: number | undefined } | null }) =>
  error && [error.status, error.code];

async function signUpWithCodes() {
  const account = await createSignedInUser(site);
  const app = await enrolTotp(account.client);
  const { data, error } = await account.client.auth.mfa.recoveryCodes.generate();
  if (error) throw error;
  return { ...account, app, codes: data.codes, factorId: data.id };
}

test('A user with a factor can create ten recovery codes, and each code works once, in any spelling', async () => {
  const { client, email, codes, factorId } = await signUpWithCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[2-9a-hj-kmnp-z]{16}$/);
  const { recoveryCodes } = client.auth.mfa;
  expect((await recoveryCodes.getStatus()).data).toEqual({
    id: factorId,
    type: 'recovery_code',
    total: 10,
    remaining: 10,
  });
  expect((await client.auth.mfa.listFactors()).data?.recovery_code).toMatchObject([
    { id: factorId, friendly_name: 'Recovery codes', status: 'verified' },
  ]);

  const [first = '', second = ''] = codes;
  const newSession = await openSecondSession(site.url, email);
  const input = `${first.slice(0, 4)}-${first.slice(4, 8)} ${first.slice(8)} `.toUpperCase();
  const verification = await newSession.client.auth.mfa.recoveryCodes.verify({ code: input });
  expect(verification.error).toBeNull();
  expect(decodeJwt(verification.data?.access_token ?? '')).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'mfa/recovery_code' }, { method: 'password' }],
  });
  expect((await recoveryCodes.getStatus()).data).toMatchObject({ total: 10, remaining: 9 });
  expect(pickError(await newSession.client.auth.mfa.recoveryCodes.verify({ code: first }))).toEqual([
    422,
    'mfa_verification_failed',
  ]);
  expect((await newSession.client.auth.mfa.recoveryCodes.verify({ code: second })).error).toBeNull();
});

test('A new set replaces the old one, and a set can be deleted', async () => {
  const { client, codes, factorId } = await signUpWithCodes();
  const { recoveryCodes } = client.auth.mfa;
  expect(pickError(await recoveryCodes.generate())).toEqual([422, 'mfa_verified_factor_exists']);
  const { data } = await recoveryCodes.regenerate();
  expect(data).toMatchObject({ id: factorId, type: 'recovery_code', friendly_name: 'Recovery codes', total: 10 });
  expect(pickError(await recoveryCodes.verify({ code: codes[0] ?? '' }))).toEqual([422, 'mfa_verification_failed']);
  expect((await recoveryCodes.verify({ code: data?.codes[0] ?? '' })).error).toBeNull();
  expect((await recoveryCodes.unenroll()).data).toEqual({ id: factorId });
  // The session was last raised with a code of that set.
  const { data: refreshed } = await client.auth.refreshSession();
  expect(decodeJwt(refreshed.session?.access_token ?? '')).toMatchObject({ aal: 'aal1' });
  expect(pickError(await recoveryCodes.getStatus())).toEqual([404, 'mfa_factor_not_found']);
});

test('Codes require another factor, and a session at the second assurance level', async () => {
  const { client } = await createSignedInUser(site);
  const { recoveryCodes } = client.auth.mfa;
  expect(pickError(await recoveryCodes.getStatus())).toEqual([404, 'mfa_factor_not_found']);
  for (const call of [recoveryCodes.generate(), recoveryCodes.regenerate(), recoveryCodes.unenroll()]) {
    expect(pickError(await call)).toEqual([403, 'insufficient_aal']);
  }
  expect(pickError(await recoveryCodes.verify({ code: 'k4m9x7qp2ab8ht3z' }))).toEqual([422, 'mfa_verification_failed']);
  expect(pickError(await recoveryCodes.verify({ code: ' - ' }))).toEqual([400, 'validation_failed']);

  const owner = await signUpWithCodes();
  const { mfa } = owner.client.auth;
  expect(pickError(await mfa.unenroll({ factorId: owner.app.id }))).toEqual([422, 'mfa_recovery_codes_sole_factor']);
  expect(pickError(await mfa.unenroll({ factorId: owner.factorId }))).toEqual([422, 'validation_failed']);
  expect(pickError(await mfa.challenge({ factorId: owner.factorId }))).toEqual([400, 'validation_failed']);
  expect((await mfa.recoveryCodes.unenroll()).error).toBeNull();
  expect((await mfa.unenroll({ factorId: owner.app.id })).error).toBeNull();
});

test('Attack: a code is accepted once, even in concurrent requests', async () => {
  const { email, codes } = await signUpWithCodes();
  const attackers = await Promise.all([1, 2, 3].map(() => openSecondSession(site.url, email)));
  const responses = await Promise.all(
    attackers.map((attacker) => attacker.client.auth.mfa.recoveryCodes.verify({ code: codes[0] ?? '' })),
  );
  expect(responses.filter(({ error }) => error === null)).toHaveLength(1);
});

test('Attack: after five wrong codes, even a correct code is rejected, but the other factor still works', async () => {
  const { email, codes, user, app } = await signUpWithCodes();
  const attacker = await openSecondSession(site.url, email);
  const { recoveryCodes } = attacker.client.auth.mfa;
  for (let count = 0; count < 5; count++) {
    expect(pickError(await recoveryCodes.verify({ code: `wrong${count}` }))).toEqual([422, 'mfa_verification_failed']);
  }
  expect(pickError(await recoveryCodes.verify({ code: codes[0] ?? '' }))).toEqual([429, 'mfa_recovery_codes_locked']);
  await site.backend.database.query(
    `update auth.mfa_recovery_code_sets set verification_locked_until = now() - interval '1 second' where user_id = $1`,
    [user.id],
  );
  expect((await recoveryCodes.verify({ code: codes[0] ?? '' })).error).toBeNull();
  const owner = await openSecondSession(site.url, email);
  const verification = await owner.client.auth.mfa.challengeAndVerify({ factorId: app.id, code: totpCode(app.secret) });
  expect(verification.error).toBeNull();
});

test('Attack: only digests of codes are stored, and codes of another account are rejected', async () => {
  const { codes, user } = await signUpWithCodes();
  const { rows } = await site.backend.database.query<{ code_hash: string }>(
    `select c.code_hash from auth.mfa_recovery_codes c
     join auth.mfa_recovery_code_sets s on s.id = c.mfa_recovery_code_set_id where s.user_id = $1`,
    [user.id],
  );
  expect(rows).toHaveLength(10);
  for (const { code_hash } of rows) expect(code_hash).toMatch(/^[0-9a-f]{64}$/);
  const victim = await signUpWithCodes();
  const attacker = await openSecondSession(site.url, victim.email);
  expect(pickError(await attacker.client.auth.mfa.recoveryCodes.verify({ code: codes[0] ?? '' }))).toEqual([
    422,
    'mfa_verification_failed',
  ]);
});
