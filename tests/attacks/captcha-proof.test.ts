/**
 * Near the daily limit of messages and calls a solved captcha creates a proof. A forged, used, expired or stolen proof
 * is ignored, and the visitor gets the emailed link as without a captcha.
 */
import { PostgrestClient } from '@supabase/postgrest-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { bookable, saveAvailability } from '../support/booking.ts';
import { type FakeCaptcha, startFakeCaptcha } from '../support/fake-captcha.ts';
import { withCapitalLabels } from '../support/role-labels.ts';
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
  await takeMessages(site);
});
afterAll(async () => {
  await site.close();
  await provider.close();
});
beforeEach(async () => {
  await site.backend.database.script(`
    delete from public.leads; delete from private.held_leads; delete from private.captcha_proofs;
    delete from private.chat_counts;`);
  await useUpMessages(site);
});

async function takeMessages({ service }: TestBackend): Promise<void> {
  const row = { setting_key: 'keep_contact_messages', setting_value: 'on' };
  await service.from('site_settings').upsert(row, { onConflict: 'setting_key' }).throwOnError();
}

/** Uses up the daily limit of messages without proof. */
async function useUpMessages({ backend }: TestBackend): Promise<void> {
  await backend.database.script(
    `do $$ begin for turn in 1..500 loop perform private.count_for_subject('lead', '', 500, '1 day'); end loop; end $$`,
  );
}

/** Opens a visitor at that IP address who sends this proof with every request. */
function visitor(proof?: string, address = '203.0.113.9', url = site.url) {
  const headers = { apikey: PUBLISHABLE_KEY, 'x-forwarded-for': address };
  return new PostgrestClient(`${url}/rest/v1`, { headers: { ...headers, ...(proof && { 'x-captcha-proof': proof }) } });
}

const solved = () => `solved-${crypto.randomUUID()}`;

async function askForProof(body: unknown, { url = site.url, address = '203.0.113.9' } = {}) {
  const response = await fetch(`${url}/functions/v1/captcha-proof`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const { proof, error } = (await response.json()) as { proof?: string; error?: string };
  return { status: response.status, proof, error };
}

/** Each from a different network, because networks have their own limit. */
let networks = 0;

async function newProof(): Promise<string> {
  networks += 1;
  const { proof, error } = await askForProof({ token: solved() }, { address: `10.200.${networks}.7` });
  if (!proof) throw new Error(error);
  return proof;
}

const message = (name: string) => ({
  _source: 'contact',
  _email: `${name}@example.com`,
  _name: name,
  _message: 'Hello',
});

const storedLeads = async () => (await site.service.from('leads').select('name').throwOnError()).data;

test('Past the limit a message with a solved captcha is accepted, and its proof can be used once', async () => {
  expect((await visitor().rpc('submit_lead', message('kari'))).error?.code).toBe('PT428');
  const { proof } = await askForProof({ token: solved() });
  expect(proof).toMatch(/^[0-9a-f]{64}$/);
  expect(provider.asked.at(-1)).toMatchObject({ secret: 'geheim', remoteip: '203.0.113.9' });
  expect((await visitor(proof).rpc('submit_lead', message('kari'))).status).toBe(204);
  expect(await storedLeads()).toEqual([{ name: 'kari' }]);
  expect((await visitor(proof).rpc('submit_lead', message('ada'))).error?.code).toBe('PT428');
  // With a used proof or without one, the visitor gets the emailed link.
  expect((await visitor(proof).rpc('hold_lead', message('ada'))).status).toBe(204);
  expect(await storedLeads()).toEqual([{ name: 'kari' }]);
});

test('A solved captcha creates one proof, and a failed one creates none', async () => {
  const token = solved();
  expect((await askForProof({ token })).status).toBe(200);
  expect(await askForProof({ token })).toEqual({
    status: 400,
    error: 'The captcha was not accepted (timeout-or-duplicate).',
  });
  expect(await askForProof({ token: 'made up' })).toMatchObject({
    status: 400,
    error: 'The captcha was not accepted (invalid-input-response).',
  });
  const requestsBefore = provider.asked.length;
  for (const body of ['', '{', '[]', {}, { token: '' }, { token: ['solved'] }, { token: 'x'.repeat(20_001) }]) {
    expect(await askForProof(body)).toEqual({ status: 400, error: 'Send the token of a captcha as JSON.' });
  }
  expect(await askForProof({ token: 'x'.repeat(100_000) })).toMatchObject({ status: 400 });
  expect(provider.asked).toHaveLength(requestsBefore);
});

test.each(['', 'solved', '0'.repeat(64), "' or true --", '\u00e6'])(
  'An invalid proof (%s) is ignored',
  async (proof) => {
    await newProof();
    expect((await visitor(proof).rpc('submit_lead', message('eve'))).error?.code).toBe('PT428');
    expect(await storedLeads()).toEqual([]);
  },
);

test('A proof expires after 15 minutes, and its hash is not accepted', async () => {
  const proof = await newProof();
  const { rows } = await site.backend.database.query<{ token_hash: string; minutes: number }>(
    `select token_hash, extract(epoch from expires_at - now()) / 60 as minutes from private.captcha_proofs`,
  );
  expect(Number(rows[0]?.minutes)).toBeLessThanOrEqual(15);
  expect((await visitor(rows[0]?.token_hash).rpc('submit_lead', message('eve'))).error?.code).toBe('PT428');
  await site.backend.database.query(`update private.captcha_proofs set expires_at = now() - interval '1 second'`);
  expect((await visitor(proof).rpc('submit_lead', message('eve'))).error?.code).toBe('PT428');
});

test('A rejected message does not use up the proof, and no proof is needed below the limit', async () => {
  const proof = await newProof();
  const wrong = await visitor(proof).rpc('submit_lead', { ...message('kari'), _email: 'no address' });
  expect(wrong.error?.message).toBe('Invalid email address');
  await site.backend.database.query('delete from private.chat_counts');
  expect((await visitor(proof).rpc('submit_lead', message('kari'))).status).toBe(204);
  await useUpMessages(site);
  expect((await visitor(proof).rpc('submit_lead', message('ada'))).status).toBe(204);
  expect((await visitor(proof).rpc('submit_lead', message('liv'))).error?.code).toBe('PT428');
});

test('Two concurrent requests with one proof create one message', async () => {
  const proof = await newProof();
  const both = await Promise.all([
    visitor(proof, '192.0.2.1').rpc('submit_lead', message('one')),
    visitor(proof, '192.0.2.2').rpc('submit_lead', message('two')),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([204, 428]);
  expect(await storedLeads()).toHaveLength(1);
});

test('Ten thousand messages a day with proof are accepted, and an IP address still has its limit of five an hour', async () => {
  for (let turn = 0; turn < 5; turn++) {
    expect((await visitor(await newProof()).rpc('submit_lead', message(`k${turn}`))).status).toBe(204);
  }
  expect((await visitor(await newProof()).rpc('submit_lead', message('k5'))).status).toBe(429);
  await site.backend.database.script(`do $$ begin
    for turn in 1..10000 loop perform private.count_for_subject('proven lead', '', 10000, '1 day'); end loop; end $$`);
  const late = await visitor(await newProof(), '198.51.100.7').rpc('submit_lead', message('late'));
  expect([late.status, late.error?.message]).toEqual([
    429,
    'Too many people are writing right now. Please send us an email instead.',
  ]);
});

test('Past the limit a call with a solved captcha can be booked, and counts as proven', async () => {
  const hours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, starts_at: '09:00', ends_at: '10:00' }));
  await saveAvailability(site.service, { _hours: hours, _days_ahead: 14 });
  const times = await bookable(site.visitor);
  const call = (turn: number, name: string) => ({
    _starts_at: times[turn] ?? '',
    _name: name,
    _email: `${name}@example.com`,
  });
  // The number of offered times, and so of calls without proof, depends on the time of day.
  let full = 0;
  for (let code: string | undefined; code === undefined; ) {
    const booked = await visitor('', `10.0.${full}.7`).rpc('book', call(full, `s${full}`));
    code = booked.error?.code;
    if (code === undefined) full++;
    else expect(code).toBe('PT428');
  }
  expect(full).toBeGreaterThan(10);
  expect(full + 1).toBeLessThan(times.length);
  expect((await visitor('0'.repeat(64)).rpc('book', call(full, 'kari'))).error?.code).toBe('PT428');
  const proof = await newProof();
  // Booking an unavailable time does not use up the proof.
  expect((await visitor(proof).rpc('book', call(0, 'kari'))).status).toBeGreaterThanOrEqual(400);
  expect((await visitor(proof).rpc('book', call(full, 'kari'))).data).toMatchObject({
    starts_at: times[full],
    state: 'booked',
  });
  expect((await site.service.from('bookings').select('is_proven').eq('name', 'kari')).data).toEqual([
    { is_proven: true },
  ]);
  expect((await visitor(proof).rpc('book', call(full + 1, 'ada'))).error?.code).toBe('PT428');
  expect((await visitor(proof).rpc('hold_booking', call(full + 1, 'ada'))).status).toBe(200);
});

describe.each(withCapitalLabels(['visitor', 'stranger', 'pending', 'client', 'team', 'admin']))(
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
  expect((await visitor(data).rpc('submit_lead', message('kari'))).status).toBe(204);
});

test('The newest ten thousand proofs are kept', async () => {
  await site.backend.database.query(
    `insert into private.captcha_proofs (token_hash, expires_at)
     select encode(sha256(convert_to(n::text, 'UTF8')), 'hex'), now() + interval '10 minutes'
     from generate_series(1, 10001) as n`,
  );
  const proof = await newProof();
  const { rows } = await site.backend.database.query('select from private.captcha_proofs');
  expect(rows).toHaveLength(10_000);
  expect((await visitor(proof).rpc('submit_lead', message('kari'))).status).toBe(204);
});

test('An IP address can have twenty captchas verified per minute', async () => {
  const statuses: number[] = [];
  for (let turn = 0; turn < 21; turn++) {
    statuses.push((await askForProof({ token: 'made up' }, { address: '192.0.2.77' })).status);
  }
  expect(statuses).toEqual([...Array(20).fill(400), 429]);
  expect((await askForProof({ token: solved() }, { address: '192.0.2.200' })).status).toBe(200);
});

test('If the provider fails, no proofs are created, and without a configured captcha none are required', async () => {
  const down = await startFakeCaptcha();
  const [other, plain] = await Promise.all([
    startTestBackend({ CAPTCHA_PROVIDER: 'hcaptcha', CAPTCHA_SECRET: 'geheim', CAPTCHA_URL: down.url }),
    startTestBackend(),
  ]);
  for (const [status, body] of [
    [500, 'down'],
    [200, '{"success":"yes"}'],
    [302, ''],
  ] as const) {
    down.breakWith(status, body);
    expect(await askForProof({ token: solved() }, other)).toEqual({
      status: 503,
      error: 'The captcha cannot be checked right now.',
    });
  }
  expect(await askForProof({ token: solved() }, plain)).toEqual({
    status: 404,
    error: 'No captcha is configured.',
  });
  await takeMessages(plain);
  await useUpMessages(plain);
  const asking = visitor(crypto.randomUUID(), undefined, plain.url);
  expect((await asking.rpc('submit_lead', message('kari'))).error?.code).toBe('PT428');
  expect((await asking.rpc('hold_lead', message('kari'))).status).toBe(204);
  await Promise.all([other.close(), plain.close(), down.close()]);
});
