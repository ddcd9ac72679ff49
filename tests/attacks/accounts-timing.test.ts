/**
 * Response times must not reveal whether an address has an account. They cannot be measured on a busy machine, so these
 * tests compare the statements before and after the response, and the password hashes, which determine the times.
 */
import { verify } from '@node-rs/bcrypt';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createAuthService } from '../../packages/backend/src/auth/auth-service.ts';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { loadKeys, type SigningKeys } from '../../packages/backend/src/http/keys.ts';
import { MemoryBudget } from '../../packages/backend/src/limits/memory-budget.ts';
import { mailsTo, nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { siteName } from '../../server/mails/site-name.ts';
import { recordDatabase } from '../support/recorded-database.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

// Resets modules, because other test files in this worker may have loaded the backend with the real bcrypt.
vi.hoisted(() => vi.resetModules());
vi.mock('@node-rs/bcrypt', async () => {
  // Hashes with the production cost (vitest.config.ts).
  const real = await import('@node-rs/bcrypt/index.js');
  return { ...real, verify: vi.fn(real.verify) };
});

const PASSWORD = 'Fjord-2026-signal';

let site: TestBackend;
let keys: SigningKeys;
beforeAll(async () => {
  site = await startTestBackend({ AUTH_CONFIRM_EMAIL: 'on', AUTH_PHONE: 'on' });
  keys = await loadKeys(site.backend.database, 'ES256');
});
afterAll(() => site.close());

const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;

/** Calls the whole backend as the service role, without a socket that could time out between the tests. */
async function callAsService(path: string, body: object): Promise<void> {
  const headers = { apikey: site.backend.keys.secretKey };
  const request = new Request(`${site.url}/auth/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const response = await site.backend.fetch(request);
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
}

async function newAccount(email_confirm = true): Promise<string> {
  const email = newEmail();
  await callAsService('/admin/users', { email, password: PASSWORD, email_confirm });
  return email;
}

/** Calls a separate service, whose work after the response ends when it is closed. */
async function observe(path: string, body: object) {
  const { recorded, statements } = recordDatabase(site.backend.database);
  const service = createAuthService({
    config: parseConfig({ DATA_DIR: site.dataFolder, SITE_URL: site.url, AUTH_PHONE: 'on' }),
    database: recorded,
    keys,
    memory: new MemoryBudget(),
    verifyCaptcha: async () => null,
    readSenderName: () => siteName(recorded),
    log: pino({ level: 'silent' }),
    identify: async () => {
      throw new Error('Not signed in');
    },
  });
  const request = new Request(`${site.url}/auth/v1${path}`, { method: 'POST', body: JSON.stringify(body) });
  const response = await service.fetch(request, '198.51.100.1');
  const result = { status: response.status, body: await response.text(), before: [...statements] };
  await service.close();
  return { ...result, after: statements.slice(result.before.length) };
}

/** Every request that may create an account counts towards the global hourly limit, even for an existing account. */
const COUNTED = [expect.stringContaining('private.count_for_subject')];

const CHALLENGE = { code_challenge: 'c'.repeat(43), code_challenge_method: 's256' };

describe('A known and an unknown email address', () => {
  test.each([
    ['/recover', {}, []],
    ['/recover', CHALLENGE, []],
    ['/otp', {}, COUNTED],
    ['/otp', { create_user: false }, []],
    ['/otp', { create_user: false, ...CHALLENGE }, []],
    ['/magiclink', {}, COUNTED],
    ['/resend', { type: 'signup' }, []],
    ['/resend', { type: 'email_change' }, []],
  ])(
    'POST %s %j responds before it looks the address up, and then runs the same statements',
    async (path, fields, before) => {
      const changing = await newAccount();
      await site.backend.database.query(`update auth.users set email_change = 'to@example.com' where email = $1`, [
        changing,
      ]);
      const emails = [newEmail(), await newAccount(), await newAccount(false), changing];
      const [unknownObservation, ...knownObservations] = await Promise.all(
        emails.map((email) => observe(path, { ...fields, email })),
      );
      expect(unknownObservation).toMatchObject({ status: 200, body: '{}', before });
      expect(unknownObservation?.after.length).toBeGreaterThan(3);
      for (const observation of knownObservations) expect(observation).toEqual(unknownObservation);
    },
  );

  test.each([
    ['/otp', {}, COUNTED],
    ['/otp', { create_user: false }, []],
    ['/resend', { type: 'sms' }, []],
    ['/resend', { type: 'phone_change' }, []],
  ])('POST %s %j runs the same statements for a known and an unknown phone number', async (path, fields, before) => {
    const phones = Array.from({ length: 4 }, () => String(4793000000 + Math.floor(Math.random() * 1e6)));
    const [unknown = '', confirmed = '', unconfirmed = '', changing = ''] = phones;
    await callAsService('/admin/users', { phone: confirmed, phone_confirm: true });
    await callAsService('/admin/users', { phone: unconfirmed });
    await callAsService('/admin/users', { phone: changing, phone_confirm: true });
    await site.backend.database.query(`update auth.users set phone_change = '4794000000' where phone = $1`, [changing]);
    // The column with the time of the message has no effect on the response time.
    const run = async (phone: string) => {
      const observation = await observe(path, { ...fields, phone });
      return {
        ...observation,
        after: observation.after.map((text) => text.replace(/(recovery|confirmation)_sent/, 'sent')),
      };
    };
    const unknownResult = await run(unknown);
    expect(unknownResult).toMatchObject({ status: 200, body: '{}', before });
    expect(unknownResult.after.length).toBeGreaterThan(3);
    for (const phone of [confirmed, unconfirmed, changing]) {
      expect(await run(phone)).toEqual(unknownResult);
    }
  });

  test('The work after the response starts after a random delay of up to half a second', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    for (let n = 0; n < 12; n++) await observe('/recover', { email: newEmail() });
    // Limits, connections and jobs also set timers, of five seconds or more.
    const delays = timers.mock.calls.map(([, delay = 0]) => delay).filter((delay) => delay < 5_000);
    timers.mockRestore();
    expect(Math.max(...delays)).toBeLessThanOrEqual(500);
    expect(new Set(delays).size).toBeGreaterThan(6);
  });

  test('An email to an unknown address is rendered and discarded, and an email to an account is delivered', async () => {
    const [unknownEmail, knownEmail] = [newEmail(), await newAccount()];
    for (const email of [unknownEmail, knownEmail]) await callAsService('/recover', { email });
    expect((await nextMail(site.dataFolder, knownEmail)).code).toMatch(/^\d{6}$/);
    const queued = () => site.backend.database.query('select from private.mail_queue');
    await expect.poll(async () => (await queued()).rowCount).toBe(0);
    expect(await mailsTo(site.dataFolder, unknownEmail)).toEqual([]);
    expect(await mailsTo(site.dataFolder, 'nobody@signalfjord.invalid')).toEqual([]);
  });

  test.each([PASSWORD, 'Wrong-2026-x'])(
    'A sign-in with %s runs one hash and the same statements for each email address',
    async (password) => {
      const invitedEmail = newEmail();
      await callAsService('/invite', { email: invitedEmail });
      const signUpEmail = newEmail();
      await callAsService('/signup', { email: signUpEmail, password: 'Another-2026-x' });
      const emails = [newEmail(), invitedEmail, signUpEmail];
      if (password !== PASSWORD) emails.push(await newAccount());
      const results = [];
      for (const email of emails) {
        vi.mocked(verify).mockClear();
        const observation = await observe('/token?grant_type=password', { email, password });
        results.push({
          ...observation,
          costs: vi.mocked(verify).mock.calls.map(([, hash]) => String(hash).slice(4, 6)),
        });
      }
      const [unknownObservation, ...knownObservations] = results;
      expect(unknownObservation).toMatchObject({ status: 400, after: [], costs: ['10'] });
      for (const observation of knownObservations) expect(observation).toEqual(unknownObservation);
    },
  );
});
