import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSignedInUser, enrolTotp, openSecondSession } from './support/factors.ts';
import { messagesTo, nextCode } from './support/received-messages.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

let site: TestBackend;
let withoutPhone: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ AUTH_PHONE: 'on' });
  withoutPhone = await startTestBackend();
});
afterAll(async () => {
  await site.close();
  await withoutPhone.close();
});

const pickError = ({ error }: { error: { code?: string | undefined; status?: number | undefined } | null }) =>
  error && [error.status, error.code];

let lastNumber = 4791000000;
const newPhone = () => String(lastNumber++);

async function enrolPhone() {
  const account = await createSignedInUser(site);
  const phone = newPhone();
  const { data, error } = await account.client.auth.mfa.enroll({ factorType: 'phone', phone: `+${phone}` });
  if (error) throw error;
  return { ...account, phone, factorId: data.id, enrolled: data };
}

test('A code sent to a phone raises the session to aal2, and works only once', async () => {
  const { client, email, phone, factorId, enrolled } = await enrolPhone();
  expect(enrolled).toEqual({ id: factorId, type: 'phone', friendly_name: '', phone: `+${phone}` });
  const challenge = await client.auth.mfa.challenge({ factorId });
  const challengeId = challenge.data?.id ?? '';
  const code = await nextCode(site.dataFolder, phone);
  const wrongCodeResult = await client.auth.mfa.verify({
    factorId,
    challengeId,
    code: code === '000000' ? '000001' : '000000',
  });
  expect(pickError(wrongCodeResult)).toEqual([422, 'mfa_verification_failed']);
  expect(wrongCodeResult.error?.message).toBe('Invalid MFA Phone code entered');
  const verification = await client.auth.mfa.verify({ factorId, challengeId, code });
  expect(decodeJwt(verification.data?.access_token ?? '')).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'mfa/phone' }, { method: 'password' }],
  });
  expect((await client.auth.mfa.listFactors()).data?.phone).toMatchObject([{ id: factorId, phone }]);
  expect(pickError(await client.auth.mfa.verify({ factorId, challengeId, code }))).toEqual([
    422,
    'mfa_ip_address_mismatch',
  ]);

  const session = await openSecondSession(site.url, email);
  const secondChallenge = await session.client.auth.mfa.challenge({ factorId });
  const secondId = secondChallenge.data?.id ?? '';
  // A code is valid only for its own challenge.
  expect(pickError(await session.client.auth.mfa.verify({ factorId, challengeId: secondId, code }))).toEqual([
    422,
    'mfa_verification_failed',
  ]);
  const newCode = await nextCode(site.dataFolder, phone, 2);
  expect((await session.client.auth.mfa.verify({ factorId, challengeId: secondId, code: newCode })).error).toBeNull();
  expect((await session.client.auth.mfa.unenroll({ factorId })).error).toBeNull();
  const { data } = await session.client.auth.refreshSession();
  expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] });
});

test('Enrolling a number again replaces an unverified factor, but not a verified one', async () => {
  const { client, phone } = await enrolPhone();
  const { mfa } = client.auth;
  const enrolment = await mfa.enroll({ factorType: 'phone', phone });
  expect(enrolment.error).toBeNull();
  expect((await mfa.listFactors()).data?.all).toHaveLength(1);
  const factorId = enrolment.data?.id ?? '';
  const challenge = await mfa.challenge({ factorId });
  await mfa.verify({ factorId, challengeId: challenge.data?.id ?? '', code: await nextCode(site.dataFolder, phone) });
  const duplicate = await mfa.enroll({ factorType: 'phone', phone, friendlyName: 'Other' });
  expect(pickError(duplicate)).toEqual([422, 'mfa_verified_factor_exists']);
});

test('Invalid requests are rejected with the error of Supabase Auth', async () => {
  const { client, factorId } = await enrolPhone();
  const { mfa } = client.auth;
  const missingPhone = await mfa.enroll({ factorType: 'phone', phone: '' });
  expect(pickError(missingPhone)).toEqual([400, 'validation_failed']);
  expect(missingPhone.error?.message).toBe('Phone number required to enroll Phone factor');
  const invalidPhone = await mfa.enroll({ factorType: 'phone', phone: 'my phone' });
  expect(invalidPhone.error?.message).toBe('Invalid phone number format (E.164 required)');
  const unsupportedChannel = await mfa.challenge({ factorId, channel: 'whatsapp' });
  expect(pickError(unsupportedChannel)).toEqual([400, 'validation_failed']);
  const otherAccount = await createSignedInUser(withoutPhone);
  const enrolment = await otherAccount.client.auth.mfa.enroll({ factorType: 'phone', phone: newPhone() });
  expect(pickError(enrolment)).toEqual([422, 'mfa_phone_enroll_not_enabled']);
});

test('Attack: only digests of codes are stored, and all factors share one limit for wrong codes', async () => {
  const { client, user, phone, factorId } = await enrolPhone();
  const { mfa } = client.auth;
  const challenge = await mfa.challenge({ factorId });
  const challengeId = challenge.data?.id ?? '';
  const code = await nextCode(site.dataFolder, phone);
  const { rows } = await site.backend.database.query<{ otp_code: string }>(
    'select otp_code from auth.mfa_challenges where id = $1',
    [challengeId],
  );
  expect(rows[0]?.otp_code).toMatch(/^[0-9a-f]{64}$/);
  await site.backend.database.query('insert into backend.factor_guesses (user_id, in_hour) values ($1, 10)', [user.id]);
  expect(pickError(await mfa.verify({ factorId, challengeId, code }))).toEqual([429, 'over_request_rate_limit']);
});

test('Attack: without the second factor, no message can be sent to a new number or to that of another user', async () => {
  const owner = await createSignedInUser(site);
  await enrolTotp(owner.client);
  const attacker = await openSecondSession(site.url, owner.email);
  const phone = newPhone();
  expect(pickError(await attacker.client.auth.mfa.enroll({ factorType: 'phone', phone }))).toEqual([
    403,
    'insufficient_aal',
  ]);
  const victim = await enrolPhone();
  expect(pickError(await attacker.client.auth.mfa.challenge({ factorId: victim.factorId }))).toEqual([
    404,
    'mfa_factor_not_found',
  ]);
  expect(await messagesTo(site.dataFolder, victim.phone)).toEqual([]);
});
