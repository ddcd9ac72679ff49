/**
 * Attacks that take over an account or lock out its owner. Rate limits are enabled, and the attacker can use any number
 * of IP addresses.
 */
import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { createSiteBackend } from '../../server/site-backend.ts';
import { recordDatabase } from '../support/recorded-database.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';
const OTHER_PASSWORD = 'Stranger-2026-x';

let site: TestBackend;
let confirmingSite: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on' });
  confirmingSite = await startTestBackend({ RATE_LIMITS: 'on', AUTH_CONFIRM_EMAIL: 'on' });
});
afterAll(async () => {
  await site.close();
  await confirmingSite.close();
});

const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;

/** Number of networks used so far. */
let networkCount = 0;
const newAddress = () => `198.51.${100 + (networkCount >> 8)}.${networkCount++ & 255}`;
const newIpv6Network = () => `2001:db8:7:${(networkCount++).toString(16)}::1`;

interface AuthResponse {
  status: number;
  code: string | null;
  body: Record<string, unknown>;
}

async function call(
  backend: TestBackend,
  method: 'POST' | 'PUT',
  path: string,
  body: object,
  from: string,
  token?: string,
): Promise<AuthResponse> {
  const response = await fetch(`${backend.url}/auth/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': from,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    code: response.headers.get('x-sb-error-code'),
    body: (await response.json()) as Record<string, unknown>,
  };
}

const post = (backend: TestBackend, path: string, body: object, from = newAddress()) =>
  call(backend, 'POST', path, body, from);

const signIn = (backend: TestBackend, email: string, password: string, from = newAddress()) =>
  post(backend, '/token?grant_type=password', { email, password }, from);

const enterCode = (backend: TestBackend, email: string, token: string, from = newIpv6Network()) =>
  post(backend, '/verify', { type: 'email', email, token }, from);

const verifyHash = (backend: TestBackend, token_hash: string, type = 'magiclink') =>
  post(backend, '/verify', { type, token_hash }, newIpv6Network());

/** Returns the parameters of an emailed link's redirect URL. */
async function openLink(link: string): Promise<Record<string, string>> {
  const response = await fetch(link, { redirect: 'manual', headers: { 'x-forwarded-for': newAddress() } });
  return Object.fromEntries(new URLSearchParams(new URL(response.headers.get('location') ?? '').hash.slice(1)));
}

const readLinkHash = (link: string) => new URL(link).searchParams.get('token') ?? '';

/** Returns a code that differs from `code`. */
const createWrongCode = (code: string, n = 1) => ((Number(code) + n) % 1_000_000).toString().padStart(6, '0');

async function newAccount(backend: TestBackend, password = PASSWORD): Promise<string> {
  const email = newEmail();
  const { error } = await backend.service.auth.admin.createUser({ email, password, email_confirm: true });
  if (error) throw error;
  return email;
}

async function requestMail(backend: TestBackend, email: string, number = 1) {
  expect((await post(backend, '/otp', { email, create_user: false })).status).toBe(200);
  return nextMail(backend.dataFolder, email, number);
}

describe('Guessing the emailed code', () => {
  test('Only the emailed code or link signs the user in. A hash of the code does not.', async () => {
    const email = await newAccount(site);
    const { code, link } = await requestMail(site, email);
    const hashes = ['sha224', 'sha256', 'md5'].flatMap((name) => {
      const hex = createHash(name)
        .update(email + code)
        .digest('hex');
      return [hex, `pkce_${hex}`];
    });
    for (const hash of [...hashes, code, `pkce_${code}`, email + code]) {
      expect(await verifyHash(site, hash)).toMatchObject({ status: 403, code: 'otp_expired' });
      const url = new URL(link);
      url.searchParams.set('token', hash);
      expect(await openLink(url.href)).toMatchObject({ error_code: 'otp_expired' });
    }
    expect(readLinkHash(link)).toMatch(/^[0-9a-f]{64}$/);
    expect((await verifyHash(site, readLinkHash(link))).body).toHaveProperty('access_token');

    const second = await requestMail(site, email, 2);
    expect((await enterCode(site, email, second.code)).body).toHaveProperty('access_token');
  });

  test('The database reveals neither link nor code', async () => {
    const email = await newAccount(site);
    const { code, link } = await requestMail(site, email);
    const { rows } = await site.backend.database.query(
      `select to_jsonb(t) || to_jsonb(u) as row from backend.mailed_tokens t join auth.users u on u.id = t.user_id
       where t.recipient = $1`,
      [email],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(readLinkHash(link));
    const codeHash = createHash('sha256').update(code).digest('hex');
    expect(JSON.stringify(rows)).not.toContain(codeHash);
  });

  test('After ten wrong codes from different networks, the correct code is rejected as well', async () => {
    const email = await newAccount(site);
    const { code, link } = await requestMail(site, email);
    for (let n = 1; n <= 10; n++) {
      expect(await enterCode(site, email, createWrongCode(code, n))).toMatchObject({
        status: 403,
        code: 'otp_expired',
      });
    }
    expect(await enterCode(site, email, code)).toMatchObject({ status: 403, code: 'otp_expired' });
    // The owner is not locked out, because another email contains a new link and code.
    const second = await requestMail(site, email, 2);
    expect(await verifyHash(site, readLinkHash(link))).toMatchObject({ code: 'otp_expired' });
    expect((await enterCode(site, email, second.code)).body).toHaveProperty('access_token');
  });

  test('The emailed link works after any number of wrong codes', async () => {
    const email = await newAccount(site);
    const { code, link } = await requestMail(site, email);
    for (let n = 1; n <= 11; n++) await enterCode(site, email, createWrongCode(code, n));
    expect(await openLink(link)).toHaveProperty('access_token');
  });

  test('The correct code works after nine wrong codes', async () => {
    const email = await newAccount(site);
    const { code } = await requestMail(site, email);
    for (let n = 1; n <= 9; n++) await enterCode(site, email, createWrongCode(code, n));
    expect((await enterCode(site, email, code)).body).toHaveProperty('access_token');
  });

  test('Concurrent guesses on two processes count towards the same limit', async () => {
    const email = await newAccount(site);
    const { code } = await requestMail(site, email);
    const { database } = site.backend;
    const { recorded } = recordDatabase(database);
    const log = pino({ level: 'silent' });
    const secondProcess = await createSiteBackend(parseConfig({ DATA_DIR: site.dataFolder }), {
      database: recorded,
      log,
    });
    const guess = (n: number) => {
      const body = JSON.stringify({ type: 'email', email, token: createWrongCode(code, n) });
      const request = new Request(`${site.url}/auth/v1/verify`, { method: 'POST', body });
      return (n % 2 ? secondProcess : site.backend).fetch(request, newIpv6Network());
    };
    const responses = await Promise.all(Array.from({ length: 30 }, (_, n) => guess(n + 1)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([403]));
    const { rows } = await database.query('select wrong_tries from backend.mailed_tokens where recipient = $1', [
      email,
    ]);
    expect(rows).toEqual([{ wrong_tries: 10 }]);
    expect(await enterCode(site, email, code)).toMatchObject({ code: 'otp_expired' });
    await secondProcess.close();
  });

  test('Fifty wrong codes in a day disable all codes of the account for that day, but emailed links still work', async () => {
    const email = await newAccount(site);
    for (let mail = 1; mail <= 5; mail++) {
      const { code } = await requestMail(site, email, mail);
      for (let n = 1; n <= 10; n++) await enterCode(site, email, createWrongCode(code, n));
    }
    const { code, link } = await requestMail(site, email, 6);
    expect(await enterCode(site, email, code)).toMatchObject({ status: 403, code: 'otp_expired' });
    expect(await openLink(link)).toHaveProperty('access_token');
  });

  test('An IPv6 /48 gets 480 guesses in five minutes, and another network is not affected', async () => {
    const guess = (from: string) => {
      const body = JSON.stringify({ type: 'email', email: newEmail(), token: '123456' });
      return site.backend.fetch(new Request(`${site.url}/auth/v1/verify`, { method: 'POST', body }), from);
    };
    const from = (n: number) => `2001:db8:ffff:${n.toString(16)}::1`;
    const responses = await Promise.all(Array.from({ length: 485 }, (_, n) => guess(from(n))));
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(5);
    expect((await guess('2001:db8:fffe::1')).status).toBe(403);
  });
});

describe("Signing up with another person's email address", () => {
  const signUp = async (email: string, password: string, name: string) => {
    const response = await post(confirmingSite, '/signup', { email, password, data: { name, role: 'team' } });
    expect(response).toMatchObject({ status: 200, body: { email, user_metadata: { name } } });
  };
  const readName = async (email: string) => {
    const { rows } = await confirmingSite.backend.database.query<{ name: string | null }>(
      `select raw_user_meta_data ->> 'name' as name from auth.users where email = $1`,
      [email],
    );
    return rows[0]?.name;
  };
  const signInAs = async (email: string, password: string) => (await signIn(confirmingSite, email, password)).code;

  test.each([
    ['signs up before', [OTHER_PASSWORD, PASSWORD], 2],
    ['signs up after', [PASSWORD, OTHER_PASSWORD], 1],
  ] as const)(
    "If an attacker %s the owner, the owner's confirmation gives the attacker no access",
    async (_when, order, ownerMail) => {
      const email = newEmail();
      for (const password of order) await signUp(email, password, password === PASSWORD ? 'Owner' : 'Stranger');
      await nextMail(confirmingSite.dataFolder, email, 2);
      const { link } = await nextMail(confirmingSite.dataFolder, email, ownerMail);
      const { link: otherLink } = await nextMail(confirmingSite.dataFolder, email, 3 - ownerMail);
      expect(await openLink(link)).toHaveProperty('access_token');
      expect(await signInAs(email, PASSWORD)).toBeNull();
      expect(await signInAs(email, OTHER_PASSWORD)).toBe('invalid_credentials');
      expect(await readName(email)).toBe('Owner');

      // The link in the email that the attacker caused has no effect afterwards.
      expect(await openLink(otherLink)).toMatchObject({ error_code: 'otp_expired' });
      expect(await signInAs(email, OTHER_PASSWORD)).toBe('invalid_credentials');
    },
  );

  test("The code from a user's email confirms the password that the user chose", async () => {
    const email = newEmail();
    await signUp(email, PASSWORD, 'Owner');
    await signUp(email, OTHER_PASSWORD, 'Stranger');
    const { code } = await nextMail(confirmingSite.dataFolder, email, 1);
    expect((await enterCode(confirmingSite, email, code)).body).toMatchObject({
      user: { user_metadata: { name: 'Owner' } },
    });
    expect(await signInAs(email, PASSWORD)).toBeNull();
    expect(await signInAs(email, OTHER_PASSWORD)).toBe('invalid_credentials');
  });

  test('Until an email is confirmed the account has neither password nor metadata', async () => {
    const email = newEmail();
    await signUp(email, OTHER_PASSWORD, 'Stranger');
    const { rows } = await confirmingSite.backend.database.query(
      `select encrypted_password, raw_user_meta_data -> 'name' as name, raw_user_meta_data -> 'email_verified' as verified
       from auth.users where email = $1`,
      [email],
    );
    expect(rows).toEqual([{ encrypted_password: '', name: null, verified: false }]);
    expect(await signInAs(email, OTHER_PASSWORD)).toBe('email_not_confirmed');
    expect(await signInAs(email, PASSWORD)).toBe('invalid_credentials');
  });

  test('A resent confirmation keeps the password of the only sign-up', async () => {
    const email = newEmail();
    await signUp(email, PASSWORD, 'Owner');
    await post(confirmingSite, '/resend', { type: 'signup', email });
    expect(await openLink((await nextMail(confirmingSite.dataFolder, email, 2)).link)).toHaveProperty('access_token');
    expect(await signInAs(email, PASSWORD)).toBeNull();
    expect(await readName(email)).toBe('Owner');
  });

  test('A resent confirmation after several sign-ups confirms no password, and the recipient can set one', async () => {
    const email = newEmail();
    await signUp(email, PASSWORD, 'Owner');
    await signUp(email, OTHER_PASSWORD, 'Stranger');
    await post(confirmingSite, '/resend', { type: 'signup', email });
    const tokens = await openLink((await nextMail(confirmingSite.dataFolder, email, 3)).link);
    for (const password of [PASSWORD, OTHER_PASSWORD])
      expect(await signInAs(email, password)).toBe('invalid_credentials');
    const body = { password: 'Chosen-2026-now' };
    const response = await call(confirmingSite, 'PUT', '/user', body, newAddress(), tokens['access_token']);
    expect(response.status).toBe(200);
    expect(await signInAs(email, 'Chosen-2026-now')).toBeNull();
  });

  test('Confirmation by the service role keeps the password after one sign-up, but no password after several sign-ups', async () => {
    for (const [order, outcome] of [
      [[PASSWORD], null],
      [[PASSWORD, OTHER_PASSWORD], 'invalid_credentials'],
    ] as const) {
      const email = newEmail();
      for (const password of order) await signUp(email, password, 'Owner');
      const { rows } = await confirmingSite.backend.database.query<{ id: string }>(
        'select id from auth.users where email = $1',
        [email],
      );
      await confirmingSite.service.auth.admin.updateUserById(rows[0]?.id ?? '', { email_confirm: true });
      for (const password of order) expect(await signInAs(email, password)).toBe(outcome);
      const { link } = await nextMail(confirmingSite.dataFolder, email);
      expect(await openLink(link)).toMatchObject({ error_code: 'otp_expired' });
    }
  });

  test('Metadata that an attacker adds to a magic link request is not stored in the account', async () => {
    const email = newEmail();
    await post(confirmingSite, '/otp', { email, data: { name: 'Stranger', role: 'team' } });
    await nextMail(confirmingSite.dataFolder, email, 1);
    await post(confirmingSite, '/otp', { email, data: { name: 'Owner' } });
    expect(await openLink((await nextMail(confirmingSite.dataFolder, email, 2)).link)).toHaveProperty('access_token');
    expect(await readName(email)).toBe('Owner');
    await post(confirmingSite, '/otp', { email, data: { name: 'Stranger' } });
    expect(await openLink((await nextMail(confirmingSite.dataFolder, email, 3)).link)).toHaveProperty('access_token');
    expect(await readName(email)).toBe('Owner');
  });
});

describe('Locking an owner out', () => {
  /** Makes a guess with an empty password, which counts like any other but is not hashed. */
  const guess = (email: string, from?: string) => signIn(site, email, '', from);

  test('Ten wrong passwords from one network block that network, not the owner', async () => {
    const email = await newAccount(site);
    const attacker = newAddress();
    for (let n = 0; n < 10; n++) expect((await guess(email, attacker)).code).toBe('invalid_credentials');
    const response = await signIn(site, email, PASSWORD, attacker);
    expect(response).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
    expect(response.body['msg']).toMatch(/^Too many attempts\. Please try again in \d+ (seconds|minutes)\.$/);
    expect((await signIn(site, email, PASSWORD)).status).toBe(200);
  });

  test('Thirty wrong passwords from thirty networks block all networks except those that signed in before', async () => {
    const email = await newAccount(site);
    const home = newAddress();
    const homeIpv6 = '2001:db8:1:2::aaaa';
    for (const from of [home, homeIpv6]) expect((await signIn(site, email, PASSWORD, from)).status).toBe(200);
    const guesses = await Promise.all(Array.from({ length: 35 }, () => guess(email)));
    expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(5);
    expect(await signIn(site, email, PASSWORD)).toMatchObject({ status: 429 });
    expect((await signIn(site, email, PASSWORD, home)).status).toBe(200);
    expect((await signIn(site, email, PASSWORD, '2001:db8:1:2::bbbb')).status).toBe(200);
    expect(await signIn(site, email, PASSWORD, '2001:db8:1:3::bbbb')).toMatchObject({ status: 429 });
  });

  test('Correct passwords do not count towards the limits, from any number of networks', async () => {
    const email = await newAccount(site);
    for (let n = 0; n < 31; n++) expect((await signIn(site, email, PASSWORD)).status).toBe(200);
  });

  test('A network that signed in before gets ten guesses, like any other network', async () => {
    const email = await newAccount(site);
    const home = newAddress();
    await signIn(site, email, PASSWORD, home);
    for (let n = 0; n < 10; n++) expect((await guess(email, home)).status).toBe(400);
    expect(await signIn(site, email, PASSWORD, home)).toMatchObject({ status: 429 });
  });

  test('An unknown account has the same limits and error messages', async () => {
    const [knownAccount, unknownEmail] = [await newAccount(site), newEmail()];
    const guessPasswords = async (email: string) => {
      const attacker = newAddress();
      const responses = [];
      for (let n = 0; n < 11; n++) responses.push(await guess(email, attacker));
      for (let n = 0; n < 21; n++) responses.push(await guess(email));
      return responses.map(({ status, code }) => [status, code]);
    };
    expect(await guessPasswords(unknownEmail)).toEqual(await guessPasswords(knownAccount));
  });

  test('A network that signed in to one account gets no extra attempts for another account', async () => {
    const [ownerMail, otherEmail] = [await newAccount(site), await newAccount(site)];
    const home = newAddress();
    await signIn(site, ownerMail, PASSWORD, home);
    for (let n = 0; n < 30; n++) await guess(otherEmail);
    expect(await signIn(site, otherEmail, PASSWORD, home)).toMatchObject({ status: 429 });
  });

  test('Four recovery requests block their network, and twelve block all networks without an earlier sign-in', async () => {
    const email = await newAccount(site);
    const [home, attacker] = [newAddress(), newAddress()];
    await signIn(site, email, PASSWORD, home);
    const recover = (from?: string) => post(site, '/recover', { email }, from);
    for (let n = 0; n < 4; n++) expect((await recover(attacker)).status).toBe(200);
    expect(await recover(attacker)).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' });
    for (let n = 0; n < 8; n++) expect((await recover()).status).toBe(200);
    const response = await recover();
    expect(response).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' });
    expect(response.body['msg']).toMatch(/^For security purposes, you can only request this after \d+ seconds\.$/);
    expect((await recover(home)).status).toBe(200);
    expect(await openLink((await nextMail(site.dataFolder, email, 13)).link)).toHaveProperty('access_token');
  });

  test('Only the ten most recent networks are stored, as hashes', async () => {
    const email = await newAccount(site);
    const addresses = Array.from({ length: 12 }, newAddress);
    for (const from of addresses) expect((await signIn(site, email, PASSWORD, from)).status).toBe(200);
    const { rows } = await site.backend.database.query(
      'select n.* from backend.known_networks n join auth.users u on u.id = n.user_id where u.email = $1',
      [email],
    );
    expect(rows).toHaveLength(10);
    expect(JSON.stringify(rows)).not.toContain('198.51.');
    for (let n = 0; n < 30; n++) await guess(email);
    expect((await signIn(site, email, PASSWORD, addresses[11])).status).toBe(200);
    expect((await signIn(site, email, PASSWORD, addresses[0])).status).toBe(429);
  });

  test('A password change clears the known networks', async () => {
    const email = await newAccount(site);
    const [attacker, home] = [newAddress(), newAddress()];
    await signIn(site, email, PASSWORD, attacker);
    const { body } = await signIn(site, email, PASSWORD, home);
    const response = await call(
      site,
      'PUT',
      '/user',
      { password: 'Changed-2026-x' },
      home,
      String(body['access_token']),
    );
    expect(response.status).toBe(200);
    for (let n = 0; n < 30; n++) await guess(email);
    expect((await signIn(site, email, 'Changed-2026-x', attacker)).status).toBe(429);
    expect((await signIn(site, email, 'Changed-2026-x', home)).status).toBe(200);
  });
});

describe('Changing the password in an unattended browser', () => {
  const change = (body: object, token: string) => call(site, 'PUT', '/user', body, newAddress(), token);

  /** Creates an account. @returns the access token of a session that began `hours` hours ago */
  async function newSession(hours: number) {
    const email = await newAccount(site);
    const { body } = await signIn(site, email, PASSWORD);
    await site.backend.database.query(
      `update auth.sessions s set created_at = now() - make_interval(hours => $2::int) from auth.users u
       where u.id = s.user_id and u.email = $1`,
      [email, hours],
    );
    return { email, token: String(body['access_token']) };
  }

  test('A session older than 24 hours cannot change the password, and a newer one can', async () => {
    const oldSession = await newSession(25);
    expect(await change({ password: OTHER_PASSWORD }, oldSession.token)).toMatchObject({
      status: 400,
      code: 'reauthentication_needed',
    });
    expect((await signIn(site, oldSession.email, PASSWORD)).status).toBe(200);
    const recentSession = await newSession(23);
    expect((await change({ password: OTHER_PASSWORD }, recentSession.token)).status).toBe(200);
    expect((await signIn(site, recentSession.email, OTHER_PASSWORD)).status).toBe(200);
  });

  test('A session can change the password with the correct current password, even if it is old', async () => {
    for (const hours of [0, 25]) {
      const { token } = await newSession(hours);
      const response = await change({ password: OTHER_PASSWORD, current_password: 'Wrong-2026-x' }, token);
      expect(response).toMatchObject({ status: 400, code: 'current_password_invalid' });
      expect((await change({ password: OTHER_PASSWORD, current_password: PASSWORD }, token)).status).toBe(200);
    }
  });

  test('An old session can change the password with the emailed code, but not with a wrong code', async () => {
    const { email, token } = await newSession(25);
    await fetch(`${site.url}/auth/v1/reauthenticate`, { headers: { authorization: `Bearer ${token}` } });
    const { code } = await nextMail(site.dataFolder, email);
    expect(await change({ password: OTHER_PASSWORD, nonce: createWrongCode(code) }, token)).toMatchObject({
      status: 400,
      code: 'reauthentication_not_valid',
    });
    expect((await change({ password: OTHER_PASSWORD, nonce: code }, token)).status).toBe(200);
  });

  test('A recovery email can set a new password without the old one', async () => {
    const { email } = await newSession(25);
    await post(site, '/recover', { email });
    const tokens = await openLink((await nextMail(site.dataFolder, email)).link);
    expect((await change({ password: OTHER_PASSWORD }, tokens['access_token'] ?? '')).status).toBe(200);
  });

  test('Guesses of the current password are limited', async () => {
    const { email, token } = await newSession(25);
    const attacker = newAddress();
    const guess = () =>
      call(site, 'PUT', '/user', { password: OTHER_PASSWORD, current_password: 'Wrong-2026-x' }, attacker, token);
    for (let n = 0; n < 10; n++) expect((await guess()).code).toBe('current_password_invalid');
    expect(await guess()).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
    expect((await signIn(site, email, PASSWORD)).status).toBe(200);
  });

  test('If the setting is off, as on a hosted project, an old session can change the password', async () => {
    const lenientSite = await startTestBackend({ AUTH_SECURE_PASSWORD_CHANGE: 'off' });
    const email = await newAccount(lenientSite);
    const { body } = await signIn(lenientSite, email, PASSWORD);
    await lenientSite.backend.database.query(`update auth.sessions set created_at = now() - interval '25 hours'`);
    const response = await call(
      lenientSite,
      'PUT',
      '/user',
      { password: OTHER_PASSWORD },
      newAddress(),
      String(body['access_token']),
    );
    expect(response.status).toBe(200);
    await lenientSite.close();
  });
});
