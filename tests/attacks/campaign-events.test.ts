/** Event floods, guessed tokens and secrets, and oversized payloads and request bodies. */
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { addSource, postEvents } from '../support/sources.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
let client: TestClient;

beforeAll(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on' });
  admin = (await site.signedIn('admin')).client;
  client = await newClient(site, admin, 'Fjell AS');
});
afterAll(() => site.close());

async function newSource(options: Parameters<typeof addSource>[2] = {}): Promise<{ token: string; campaign: string }> {
  const row = { client_id: client.id, name: 'Flooded', channel: 'email' };
  const { data } = await admin.from('campaigns').insert(row).select('id').single().throwOnError();
  return { token: await addSource(admin, client, { ...options, campaign: data.id }), campaign: data.id };
}

async function countSent(campaign: string): Promise<number> {
  const figures = admin.from('campaign_figures').select('value').eq('campaign_id', campaign).eq('metric', 'sent');
  return ((await figures.throwOnError()).data ?? []).reduce((sum, { value }) => sum + value, 0);
}

function newEvents(prefix: string, count: number) {
  const at = new Date().toISOString();
  return Array.from({ length: count }, (_, index) => ({ id: `${prefix} ${index}`, kind: 'sent', at }));
}

test('Flooding one source returns 503 with Retry-After, keeps all accepted events and does not affect other sources', async () => {
  const flooded = await newSource();
  const otherSource = await newSource();
  for (const { token } of [flooded, otherSource]) expect((await postEvents(site, token, [])).status).toBe(200);
  const responses = Promise.all(
    Array.from({ length: 30 }, (_, index) => postEvents(site, flooded.token, newEvents(String(index), 500))),
  );
  const response = await postEvents(site, otherSource.token, newEvents('quiet', 1));
  expect(response.status).toBe(200);
  const statuses = (await responses).map((response) => [response.status, response.headers.get('retry-after')] as const);
  const acceptedCount = statuses.filter(([status]) => status === 200).length;
  expect(acceptedCount).toBeGreaterThan(0);
  expect(acceptedCount).toBeLessThan(30);
  expect(new Set(statuses.map(String))).toEqual(new Set(['200,', '503,10']));
  expect(await countSent(flooded.campaign)).toBe(acceptedCount * 500);
  expect(await countSent(otherSource.campaign)).toBe(1);
});

test('HTML, formulas and control characters in events are stored as text', async () => {
  const { token } = await newSource({ provider: 'smartlead' });
  const kind = '=HYPERLINK("https://x")<script>alert(1)</script>\u0007';
  expect((await postEvents(site, token, { event_type: kind, to_email: '<img src=x>@kunde.example' })).status).toBe(200);
  const { data } = await client.worker.client.rpc('list_campaign_sources', { _client_id: client.id }).throwOnError();
  const kinds = data.flatMap((source: { not_counted: { kind: string }[] }) => source.not_counted);
  expect(kinds).toContainEqual(expect.objectContaining({ kind, state: 'unknown', count: 1 }));
});

test('A source can send at most 30,000 events a minute', async () => {
  const { token, campaign } = await newSource({ metrics: ['replies'] });
  const statuses: number[] = [];
  // A new minute may begin during the test.
  for (let sum = 0; sum < 62_000 && statuses.at(-1) !== 503; sum += 500) {
    statuses.push((await postEvents(site, token, Array(500).fill({ id: 'same', kind: 'sent' }))).status);
  }
  expect(statuses.length).toBeGreaterThan(59);
  expect(statuses.at(-1)).toBe(503);
  expect(await countSent(campaign)).toBe(0);
});

test('Guessed tokens and secrets do not block the events of other sources from the same IP address', async () => {
  const guessedSource = await newSource({ secret: 'hemmelig' });
  const signedSource = await newSource({ provider: 'smartlead', secret: 's3cret' });
  const otherSource = await newSource({ provider: 'instantly', secret: 'other' });
  const secret = { 'x-webhook-secret': 'hemmelig' };
  expect((await postEvents(site, guessedSource.token, newEvents('before', 1), secret)).status).toBe(200);
  const statuses = new Map<number, number>();
  for (let attempt = 0; attempt < 160; attempt += 1) {
    const guess = crypto.randomUUID().replaceAll('-', '').repeat(2);
    const response = await (attempt % 2 === 0
      ? postEvents(site, guess, {})
      : postEvents(site, guessedSource.token, {}, { 'x-webhook-secret': String(attempt) }));
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    if (response.status === 503) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect([...statuses.keys()].toSorted()).toEqual([401, 404, 503]);
  expect(statuses.get(404)).toBe(80);
  expect(statuses.get(401)).toBeLessThanOrEqual(61);
  // The source still accepts its secret, and sources that this process has not cached are not blocked.
  expect((await postEvents(site, guessedSource.token, newEvents('after', 1), secret)).status).toBe(200);
  expect(await countSent(guessedSource.campaign)).toBe(2);
  const body = JSON.stringify({ event_type: 'EMAIL_SENT', message_id: '1', event_timestamp: new Date().toISOString() });
  const signature = createHmac('sha256', 's3cret').update(body).digest('hex');
  expect((await postEvents(site, signedSource.token, body, { 'x-smartlead-signature': signature })).status).toBe(200);
  const event = { event_type: 'email_sent', email_id: '1', timestamp: new Date().toISOString() };
  expect((await postEvents(site, otherSource.token, event, { authorization: 'Bearer other' })).status).toBe(200);
  expect([await countSent(signedSource.campaign), await countSent(otherSource.campaign)]).toEqual([1, 1]);
});

test('A signed event is accepted while the secret of its source is being guessed from its IP address', async () => {
  const { token, campaign } = await newSource({ provider: 'smartlead', secret: 's3cret' });
  for (let attempt = 0; attempt < 65; attempt += 1)
    await postEvents(site, token, {}, { 'x-webhook-secret': String(attempt) });
  expect((await postEvents(site, token, {}, { 'x-webhook-secret': 'one more' })).status).toBe(503);
  const body = JSON.stringify({ event_type: 'EMAIL_SENT', message_id: '1', event_timestamp: new Date().toISOString() });
  const signature = createHmac('sha256', 's3cret').update(body).digest('hex');
  expect((await postEvents(site, token, body, { 'x-smartlead-signature': signature })).status).toBe(200);
  expect(await countSent(campaign)).toBe(1);
});

test('A source stores no payloads beyond 32 MB a day, and rejects events beyond 256 MB until the next day', async () => {
  const { token, campaign } = await newSource();
  const otherSource = await newSource();
  for (let attempt = 0; attempt < 45; attempt += 1) {
    const at = new Date().toISOString();
    const large = Array.from({ length: 9 }, (_, index) => ({
      ...{ id: `${attempt} ${index}`, kind: 'sent', at, to: `${attempt}-${index}@kunde.example` },
      filler: 'x'.repeat(100_000),
    }));
    expect((await postEvents(site, token, large)).status).toBe(200);
  }
  const payloads = await site.backend.database.query<{ bytes: number; emptied: number }>(
    `select sum(octet_length(raw::text))::int as bytes, count(*) filter (where raw is null)::int as emptied
     from public.inbound_events join public.campaign_sources as source on source.id = source_id where campaign_id = $1`,
    [campaign],
  );
  expect(payloads.rows[0]?.bytes).toBeLessThanOrEqual(32 * 1024 * 1024);
  expect(payloads.rows[0]?.bytes).toBeGreaterThan(30 * 1024 * 1024);
  expect(payloads.rows[0]?.emptied).toBeGreaterThan(0);
  expect(await countSent(campaign)).toBe(405);
  const update = `update public.campaign_sources set stored_bytes = 256 * 1024 * 1024 where campaign_id = $1`;
  await site.backend.database.query(update, [campaign]);
  const response = await postEvents(site, token, newEvents('too many', 1));
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '3600']);
  expect((await postEvents(site, otherSource.token, newEvents('quiet', 1))).status).toBe(200);
  const alarms = await admin.from('client_alarms').select('kind, text').eq('client_id', client.id).throwOnError();
  expect(alarms.data).toEqual([{ kind: 'incomplete', text: expect.stringContaining('sent more events today') }]);
  const backdateUsage = `update public.campaign_sources set stored_on = stored_on - 1 where campaign_id = $1`;
  await site.backend.database.query(backdateUsage, [campaign]);
  expect((await postEvents(site, token, newEvents('too many', 1))).status).toBe(200);
  expect(await countSent(campaign)).toBe(406);
});

test('A body of more than 1 MB is rejected, even with a false or missing length', async () => {
  const { token } = await newSource();
  const send = (headers: Record<string, string | number>, bytes: number) =>
    new Promise<number | undefined>((resolve) => {
      const path = `/functions/v1/campaign-events/${token}`;
      const clientRequest = request(`${site.url}${path}`, { method: 'POST', agent: false, headers }, (response) => {
        resolve(response.statusCode);
        clientRequest.destroy();
      });
      // The server may close the connection before the whole body is sent.
      clientRequest.on('error', () => resolve(undefined));
      clientRequest.write('['.repeat(bytes));
      if (!('content-length' in headers)) clientRequest.end();
    });
  expect(await send({ 'content-length': 100_000_000 }, 10)).toBe(413);
  expect(await send({}, 1024 * 1024 + 1)).toBe(413);
  expect(await send({}, 1000)).toBe(400);
});
