/** Floods of events, guessed addresses, and bodies that are expensive to process. */
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { addSource, postEvents } from '../support/sources.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
let own: TestClient;

beforeAll(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on' });
  admin = (await site.signedIn('admin')).client;
  own = await newClient(site, admin, 'Fjell AS');
});
afterAll(() => site.close());

async function newSource(options: Parameters<typeof addSource>[2] = {}): Promise<{ token: string; campaign: string }> {
  const row = { client_id: own.id, name: 'Flooded', channel: 'email' };
  const { data } = await admin.from('campaigns').insert(row).select('id').single().throwOnError();
  return { token: await addSource(admin, own, { ...options, campaign: data.id }), campaign: data.id };
}

async function sent(campaign: string): Promise<number> {
  const figures = admin.from('campaign_figures').select('value').eq('campaign_id', campaign).eq('metric', 'sent');
  return ((await figures.throwOnError()).data ?? []).reduce((sum, { value }) => sum + value, 0);
}

function events(prefix: string, count: number) {
  const at = new Date().toISOString();
  return Array.from({ length: count }, (_, index) => ({ id: `${prefix} ${index}`, kind: 'sent', at }));
}

test('A flood of one source is rejected briefly, loses no accepted events, and does not affect other sources', {
  timeout: 60_000,
}, async () => {
  const flooded = await newSource();
  const other = await newSource();
  for (const { token } of [flooded, other]) expect((await postEvents(site, token, [])).status).toBe(200);
  const answers = Promise.all(
    Array.from({ length: 30 }, (_, index) => postEvents(site, flooded.token, events(String(index), 500))),
  );
  const quiet = await postEvents(site, other.token, events('quiet', 1));
  expect(quiet.status).toBe(200);
  const statuses = (await answers).map((answer) => [answer.status, answer.headers.get('retry-after')] as const);
  const taken = statuses.filter(([status]) => status === 200).length;
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThan(30);
  expect(new Set(statuses.map(String))).toEqual(new Set(['200,', '503,10']));
  expect(await sent(flooded.campaign)).toBe(taken * 500);
  expect(await sent(other.campaign)).toBe(1);
});

test('HTML, formulas and control characters of events are stored as text', async () => {
  const { token } = await newSource({ provider: 'smartlead' });
  const kind = '=HYPERLINK("https://x")<script>alert(1)</script>\u0007';
  expect((await postEvents(site, token, { event_type: kind, to_email: '<img src=x>@kunde.example' })).status).toBe(200);
  const { data } = await own.worker.client.rpc('list_campaign_sources', { _client_id: own.id }).throwOnError();
  const kinds = data.flatMap((source: { not_counted: { kind: string }[] }) => source.not_counted);
  expect(kinds).toContainEqual(expect.objectContaining({ kind, state: 'unknown', count: 1 }));
});

test('A source can send at most 30,000 events a minute', { timeout: 60_000 }, async () => {
  const { token, campaign } = await newSource({ metrics: ['replies'] });
  const statuses: number[] = [];
  // A new minute may begin during the test.
  for (let sum = 0; sum < 62_000 && statuses.at(-1) !== 503; sum += 500) {
    statuses.push((await postEvents(site, token, Array(500).fill({ id: 'same', kind: 'sent' }))).status);
  }
  expect(statuses.length).toBeGreaterThan(59);
  expect(statuses.at(-1)).toBe(503);
  expect(await sent(campaign)).toBe(0);
});

test('Guessed tokens and secrets do not block the events of other sources from the same IP address', {
  timeout: 120_000,
}, async () => {
  const guessed = await newSource({ secret: 'hemmelig' });
  const signed = await newSource({ provider: 'smartlead', secret: 's3cret' });
  const other = await newSource({ provider: 'instantly', secret: 'other' });
  const secret = { 'x-webhook-secret': 'hemmelig' };
  expect((await postEvents(site, guessed.token, events('before', 1), secret)).status).toBe(200);
  const statuses = new Map<number, number>();
  for (let turn = 0; turn < 160; turn += 1) {
    const guess = crypto.randomUUID().replaceAll('-', '').repeat(2);
    const answer = await (turn % 2 === 0
      ? postEvents(site, guess, {})
      : postEvents(site, guessed.token, {}, { 'x-webhook-secret': String(turn) }));
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect([...statuses.keys()].toSorted()).toEqual([401, 404, 503]);
  expect(statuses.get(404)).toBe(80);
  expect(statuses.get(401)).toBeLessThanOrEqual(61);
  // The same source with a secret that was accepted before, and sources that are not in the cache of this process.
  expect((await postEvents(site, guessed.token, events('after', 1), secret)).status).toBe(200);
  expect(await sent(guessed.campaign)).toBe(2);
  const body = JSON.stringify({ event_type: 'EMAIL_SENT', message_id: '1', event_timestamp: new Date().toISOString() });
  const signature = createHmac('sha256', 's3cret').update(body).digest('hex');
  expect((await postEvents(site, signed.token, body, { 'x-smartlead-signature': signature })).status).toBe(200);
  const event = { event_type: 'email_sent', email_id: '1', timestamp: new Date().toISOString() };
  expect((await postEvents(site, other.token, event, { authorization: 'Bearer other' })).status).toBe(200);
  expect([await sent(signed.campaign), await sent(other.campaign)]).toEqual([1, 1]);
});

test('A signed event is accepted while the secret of its source is being guessed from its IP address', async () => {
  const { token, campaign } = await newSource({ provider: 'smartlead', secret: 's3cret' });
  for (let turn = 0; turn < 65; turn += 1) await postEvents(site, token, {}, { 'x-webhook-secret': String(turn) });
  expect((await postEvents(site, token, {}, { 'x-webhook-secret': 'one more' })).status).toBe(503);
  const body = JSON.stringify({ event_type: 'EMAIL_SENT', message_id: '1', event_timestamp: new Date().toISOString() });
  const signature = createHmac('sha256', 's3cret').update(body).digest('hex');
  expect((await postEvents(site, token, body, { 'x-smartlead-signature': signature })).status).toBe(200);
  expect(await sent(campaign)).toBe(1);
});

test('A source can store at most 32 MB of payloads a day, and its events are still counted', {
  timeout: 120_000,
}, async () => {
  const { token, campaign } = await newSource();
  const others = await newSource();
  for (let turn = 0; turn < 45; turn += 1) {
    const at = new Date().toISOString();
    const large = Array.from({ length: 9 }, (_, index) => ({
      ...{ id: `${turn} ${index}`, kind: 'sent', at, to: `${turn}-${index}@kunde.example` },
      filler: 'x'.repeat(100_000),
    }));
    expect((await postEvents(site, token, large)).status).toBe(200);
  }
  const stored = await site.backend.database.query<{ bytes: number; emptied: number }>(
    `select sum(octet_length(raw::text))::int as bytes, count(*) filter (where raw is null)::int as emptied
     from public.inbound_events join public.campaign_sources as source on source.id = source_id where campaign_id = $1`,
    [campaign],
  );
  expect(stored.rows[0]?.bytes).toBeLessThanOrEqual(32 * 1024 * 1024);
  expect(stored.rows[0]?.bytes).toBeGreaterThan(30 * 1024 * 1024);
  expect(stored.rows[0]?.emptied).toBeGreaterThan(0);
  expect(await sent(campaign)).toBe(405);
  const full = `update public.campaign_sources set stored_bytes = 256 * 1024 * 1024 where campaign_id = $1`;
  await site.backend.database.query(full, [campaign]);
  const refused = await postEvents(site, token, events('too many', 1));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '3600']);
  expect((await postEvents(site, others.token, events('quiet', 1))).status).toBe(200);
  const alarms = await admin.from('client_alarms').select('kind, text').eq('client_id', own.id).throwOnError();
  expect(alarms.data).toEqual([{ kind: 'incomplete', text: expect.stringContaining('sent more events today') }]);
  const yesterday = `update public.campaign_sources set stored_on = stored_on - 1 where campaign_id = $1`;
  await site.backend.database.query(yesterday, [campaign]);
  expect((await postEvents(site, token, events('too many', 1))).status).toBe(200);
  expect(await sent(campaign)).toBe(406);
});

test('A body of more than 1 MB is rejected, even with a false or missing length', async () => {
  const { token } = await newSource();
  const send = (headers: Record<string, string | number>, bytes: number) =>
    new Promise<number | undefined>((resolve) => {
      const path = `/functions/v1/campaign-events/${token}`;
      const sending = request(`${site.url}${path}`, { method: 'POST', agent: false, headers }, (answer) => {
        resolve(answer.statusCode);
        sending.destroy();
      });
      // The server may close the connection before the whole body is sent.
      sending.on('error', () => resolve(undefined));
      sending.write('['.repeat(bytes));
      if (!('content-length' in headers)) sending.end();
    });
  expect(await send({ 'content-length': 100_000_000 }, 10)).toBe(413);
  expect(await send({}, 1024 * 1024 + 1)).toBe(413);
  expect(await send({}, 1000)).toBe(400);
});
