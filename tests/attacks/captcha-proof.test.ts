/**
 * Near the daily limit of messages and calls, a solved captcha creates a proof. A forged, used, expired or stolen proof
 * is ignored, and the visitor gets an emailed link instead.
 */
import { PostgrestClient } from '@supabase/postgrest-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { findFreeTimes, saveAvailability } from '../support/booking.ts';
import { type FakeCaptcha, startFakeCaptcha } from '../support/fake-captcha.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

let provider: FakeCaptcha;
let site: TestBackend;
beforeAll(async () => {
  provider = await startFakeCaptcha();
  site = await startTestBackend({
    RATE_LIMITS: 'on',
    CAPTCHA_PROVIDER: 'turnstile',
    CAPTCHA_SECRET: 'geheim',
    CAPTCHA_URL: provider.url,
  });
  await enableMessages(site);
});
afterAll(async () => {
  await site.close();
  await provider.close();
});
beforeEach(async () => {
  await site.backend.database.script(`
    delete from public.leads; delete from private.held_leads; delete from private.captcha_proofs;
    delete from private.rate_limit_counters;`);
  await useUpMessages(site);
});

async function enableMessages({ service }: TestBackend): Promise<void> {
  const row = { setting_key: 'keep_contact_messages', setting_value: 'on' };
  await service.from('site_settings').upsert(row, { onConflict: 'setting_key' }).throwOnError();
}

/** Uses up the daily limit of messages without proof. */
async function useUpMessages({ backend }: TestBackend): Promise<void> {
  await backend.database.script(
    `do $$ begin for turn in 1..500 loop perform private.count_for_subject('lead', '', 500, '1 day'); end loop; end $$`,
  );
}

/** Creates a client for a visitor with that IP address. The client sends the proof with every request. */
function createClientWith(proof?: string, address = '203.0.113.9', url = site.url) {
  const headers = { apikey: PUBLISHABLE_KEY, 'x-forwarded-for': address };
  return new PostgrestClient(`${url}/rest/v1`, { headers: { ...headers, ...(proof && { 'x-captcha-proof': proof }) } });
}

const newToken = () => `solved-${crypto.randomUUID()}`;

async function requestProof(body: unknown, { url = site.url, address = '203.0.113.9' } = {}) {
  const response = await fetch(`${url}/functions/v1/captcha-proof`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const { proof, error } = (await response.json()) as { proof?: string; error?: string };
  return { status: response.status, proof, error };
}

/** Number of networks used so far. Each proof comes from a new network, because networks have their own limit. */
let networkCount = 0;

async function newProof(): Promise<string> {
  networkCount += 1;
  const { proof, error } = await requestProof({ token: newToken() }, { address: `10.200.${networkCount}.7` });
  if (!proof) throw new Error(error);
  return proof;
}

const message = (name: string) => ({
  _source: 'contact',
  _email: `${name}@example.com`,
  _name: name,
  _message: 'Hello',
});

const readLeads = async () => (await site.service.from('leads').select('name').throwOnError()).data;

test('Above the limit, a message with a solved captcha is accepted, and its proof can be used once', async () => {
  expect((await createClientWith().rpc('submit_lead', message('kari'))).error?.code).toBe('PT428');
  const { proof } = await requestProof({ token: newToken() });
  expect(proof).toMatch(/^[0-9a-f]{64}$/);
  expect(provider.requests.at(-1)).toMatchObject({ secret: 'geheim', remoteip: '203.0.113.9' });
  expect((await createClientWith(proof).rpc('submit_lead', message('kari'))).status).toBe(204);
  expect(await readLeads()).toEqual([{ name: 'kari' }]);
  expect((await createClientWith(proof).rpc('submit_lead', message('ada'))).error?.code).toBe('PT428');
  // Without a proof, or with a used one, the visitor gets the emailed link.
  expect((await createClientWith(proof).rpc('hold_lead', message('ada'))).status).toBe(204);
  expect(await readLeads()).toEqual([{ name: 'kari' }]);
});

test('A solved captcha creates one proof, and a failed captcha creates no proof', async () => {
  const token = newToken();
  expect((await requestProof({ token })).status).toBe(200);
  expect(await requestProof({ token })).toEqual({
    status: 400,
    error: 'The captcha was not accepted (timeout-or-duplicate).',
  });
  expect(await requestProof({ token: 'made up' })).toMatchObject({
    status: 400,
    error: 'The captcha was not accepted (invalid-input-response).',
  });
  const requestsBefore = provider.requests.length;
  for (const body of ['', '{', '[]', {}, { token: '' }, { token: ['solved'] }, { token: 'x'.repeat(20_001) }]) {
    expect(await requestProof(body)).toEqual({ status: 400, error: 'Send the token of a captcha as JSON.' });
  }
  expect(await requestProof({ token: 'x'.repeat(100_000) })).toMatchObject({ status: 400 });
  expect(provider.requests).toHaveLength(requestsBefore);
});

test.each(['', 'solved', '0'.repeat(64), "' or true --", '\u00e6'])(
  'An invalid proof (%s) is ignored',
  async (proof) => {
    await newProof();
    expect((await createClientWith(proof).rpc('submit_lead', message('eve'))).error?.code).toBe('PT428');
    expect(await readLeads()).toEqual([]);
  },
);

test('A proof expires after 15 minutes, and its hash is not accepted', async () => {
  const proof = await newProof();
  const { rows } = await site.backend.database.query<{ token_hash: string; minutes: number }>(
    `select token_hash, extract(epoch from expires_at - now()) / 60 as minutes from private.captcha_proofs`,
  );
  expect(Number(rows[0]?.minutes)).toBeLessThanOrEqual(15);
  expect((await createClientWith(rows[0]?.token_hash).rpc('submit_lead', message('eve'))).error?.code).toBe('PT428');
  await site.backend.database.query(`update private.captcha_proofs set expires_at = now() - interval '1 second'`);
  expect((await createClientWith(proof).rpc('submit_lead', message('eve'))).error?.code).toBe('PT428');
});

test('A rejected message does not use up the proof, and no proof is needed below the limit', async () => {
  const proof = await newProof();
  const response = await createClientWith(proof).rpc('submit_lead', { ...message('kari'), _email: 'no address' });
  expect(response.error?.message).toBe('Invalid email address');
  await site.backend.database.query('delete from private.rate_limit_counters');
  expect((await createClientWith(proof).rpc('submit_lead', message('kari'))).status).toBe(204);
  await useUpMessages(site);
  expect((await createClientWith(proof).rpc('submit_lead', message('ada'))).status).toBe(204);
  expect((await createClientWith(proof).rpc('submit_lead', message('liv'))).error?.code).toBe('PT428');
});

test('Two concurrent requests with one proof create one message', async () => {
  const proof = await newProof();
  const responses = await Promise.all([
    createClientWith(proof, '192.0.2.1').rpc('submit_lead', message('one')),
    createClientWith(proof, '192.0.2.2').rpc('submit_lead', message('two')),
  ]);
  expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 428]);
  expect(await readLeads()).toHaveLength(1);
});

test('Ten thousand messages a day with proof are accepted, but an IP address can still send only five an hour', async () => {
  for (let index = 0; index < 5; index++) {
    expect((await createClientWith(await newProof()).rpc('submit_lead', message(`k${index}`))).status).toBe(204);
  }
  expect((await createClientWith(await newProof()).rpc('submit_lead', message('k5'))).status).toBe(429);
  await site.backend.database.script(`do $$ begin
    for turn in 1..10000 loop perform private.count_for_subject('proven lead', '', 10000, '1 day'); end loop; end $$`);
  const response = await createClientWith(await newProof(), '198.51.100.7').rpc('submit_lead', message('late'));
  expect([response.status, response.error?.message]).toEqual([
    429,
    'Too many people are writing right now. Please send us an email instead.',
  ]);
});

test('Above the limit, a call can be booked with a solved captcha and counts as confirmed', async () => {
  const hours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, starts_at: '09:00', ends_at: '10:00' }));
  await saveAvailability(site.service, { _hours: hours, _days_ahead: 14 });
  const times = await findFreeTimes(site.visitor);
  const call = (index: number, name: string) => ({
    _starts_at: times[index] ?? '',
    _name: name,
    _email: `${name}@example.com`,
  });
  // The number of available times depends on the time of day, and so does the limit of calls without proof.
  let limit = 0;
  for (let code: string | undefined; code === undefined; ) {
    const response = await createClientWith('', `10.0.${limit}.7`).rpc('book', call(limit, `s${limit}`));
    code = response.error?.code;
    if (code === undefined) limit++;
    else expect(code).toBe('PT428');
  }
  expect(limit).toBeGreaterThan(10);
  expect(limit + 1).toBeLessThan(times.length);
  expect((await createClientWith('0'.repeat(64)).rpc('book', call(limit, 'kari'))).error?.code).toBe('PT428');
  const proof = await newProof();
  // Booking an unavailable time does not use up the proof.
  expect((await createClientWith(proof).rpc('book', call(0, 'kari'))).status).toBeGreaterThanOrEqual(400);
  expect((await createClientWith(proof).rpc('book', call(limit, 'kari'))).data).toMatchObject({
    starts_at: times[limit],
    state: 'booked',
  });
  expect((await site.service.from('bookings').select('is_verified').eq('name', 'kari')).data).toEqual([
    { is_verified: true },
  ]);
  expect((await createClientWith(proof).rpc('book', call(limit + 1, 'ada'))).error?.code).toBe('PT428');
  expect((await createClientWith(proof).rpc('hold_booking', call(limit + 1, 'ada'))).status).toBe(200);
});

describe.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team', 'admin']))(
  '%s',
  (_label, person) => {
    const client = async () =>
      person === 'visitor' ? site.visitor : (await site.signedIn(person satisfies Person)).client;

    test('can neither create nor read a proof', async () => {
      const api = await client();
      expect((await api.rpc('make_captcha_proof')).error?.code).toBe('42501');
      expect((await api.rpc('use_captcha_proof')).error?.code).toBe('PGRST202');
      expect((await api.from('captcha_proofs').select()).error?.code).toBe('PGRST205');
      expect((await api.schema('private').from('captcha_proofs').select()).error?.code).toBe('PGRST106');
      const { rows } = await site.backend.database.query<{ allowed: boolean }>(
        `select has_table_privilege($1, 'private.captcha_proofs', 'select, insert, update, delete, truncate') as allowed`,
        [person === 'visitor' ? 'anon' : 'authenticated'],
      );
      expect(rows).toEqual([{ allowed: false }]);
    });
  },
);

test('The service role creates a proof that a visitor uses', async () => {
  const { data } = await site.service.rpc('make_captcha_proof').throwOnError();
  expect((await createClientWith(data).rpc('submit_lead', message('kari'))).status).toBe(204);
});

test('Only the newest ten thousand proofs are stored', async () => {
  await site.backend.database.query(
    `insert into private.captcha_proofs (token_hash, expires_at)
     select encode(sha256(convert_to(n::text, 'UTF8')), 'hex'), now() + interval '10 minutes'
     from generate_series(1, 10001) as n`,
  );
  const proof = await newProof();
  const { rows } = await site.backend.database.query('select from private.captcha_proofs');
  expect(rows).toHaveLength(10_000);
  expect((await createClientWith(proof).rpc('submit_lead', message('kari'))).status).toBe(204);
});

test('An IP address can have twenty captchas verified per minute', async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 21; index++) {
    statuses.push((await requestProof({ token: 'made up' }, { address: '192.0.2.77' })).status);
  }
  expect(statuses).toEqual([...Array(20).fill(400), 429]);
  expect((await requestProof({ token: newToken() }, { address: '192.0.2.200' })).status).toBe(200);
});

test('If the provider fails, no proofs are created, and without a configured captcha none are required', async () => {
  const failing = await startFakeCaptcha();
  const [hcaptchaSite, plainSite] = await Promise.all([
    startTestBackend({ CAPTCHA_PROVIDER: 'hcaptcha', CAPTCHA_SECRET: 'geheim', CAPTCHA_URL: failing.url }),
    startTestBackend(),
  ]);
  for (const [status, body] of [
    [500, 'down'],
    [200, '{"success":"yes"}'],
    [302, ''],
  ] as const) {
    failing.breakWith(status, body);
    expect(await requestProof({ token: newToken() }, hcaptchaSite)).toEqual({
      status: 503,
      error: 'The captcha cannot be checked right now.',
    });
  }
  expect(await requestProof({ token: newToken() }, plainSite)).toEqual({
    status: 404,
    error: 'No captcha is configured.',
  });
  await enableMessages(plainSite);
  await useUpMessages(plainSite);
  const client = createClientWith(crypto.randomUUID(), undefined, plainSite.url);
  expect((await client.rpc('submit_lead', message('kari'))).error?.code).toBe('PT428');
  expect((await client.rpc('hold_lead', message('kari'))).status).toBe(204);
  await Promise.all([hcaptchaSite.close(), plainSite.close(), failing.close()]);
});
