/** Floods of events, guessed addresses, and bodies that are made to cost more than they say. */
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
  const asked = admin.from('campaign_figures').select('value').eq('campaign_id', campaign).eq('metric', 'sent');
  return ((await asked.throwOnError()).data ?? []).reduce((sum, { value }) => sum + value, 0);
}

function events(prefix: string, count: number) {
  const at = new Date().toISOString();
  return Array.from({ length: count }, (_, index) => ({ id: `${prefix} ${index}`, kind: 'sent', at }));
}

test('A flood of one source is refused for a moment, loses nothing that was taken, and holds up no other', {
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

test('HTML, formulas and control characters of strangers stay text', async () => {
  const { token } = await newSource({ provider: 'smartlead' });
  const kind = '=HYPERLINK("https://x")<script>alert(1)</script>\u0007';
  expect((await postEvents(site, token, { event_type: kind, to_email: '<img src=x>@kunde.example' })).status).toBe(200);
  const { data } = await own.worker.client.rpc('list_campaign_sources', { _client_id: own.id }).throwOnError();
  const kinds = data.flatMap((source: { not_counted: { kind: string }[] }) => source.not_counted);
  expect(kinds).toContainEqual(expect.objectContaining({ kind, state: 'unknown', count: 1 }));
});

test('A source sends at most 30,000 events a minute', { timeout: 60_000 }, async () => {
  const { token, campaign } = await newSource({ metrics: ['replies'] });
  const statuses: number[] = [];
  // The minute may end once in between.
  for (let sum = 0; sum < 62_000 && statuses.at(-1) !== 503; sum += 500) {
    statuses.push((await postEvents(site, token, Array(500).fill({ id: 'same', kind: 'sent' }))).status);
  }
  expect(statuses.length).toBeGreaterThan(59);
  expect(statuses.at(-1)).toBe(503);
  expect(await sent(campaign)).toBe(0);
});

test('Whoever guesses addresses or secrets is told to wait, and a source that is known is not', {
  timeout: 60_000,
}, async () => {
  const { token, campaign } = await newSource({ secret: 'hemmelig' });
  const secret = { 'x-webhook-secret': 'hemmelig' };
  expect((await postEvents(site, token, events('before', 1), secret)).status).toBe(200);
  const statuses = new Map<number, number>();
  for (let turn = 0; turn < 80; turn += 1) {
    const guess = crypto.randomUUID().replaceAll('-', '').repeat(2);
    const answer = await (turn % 2 === 0
      ? postEvents(site, guess, {})
      : postEvents(site, token, {}, { 'x-webhook-secret': String(turn) }));
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect([...statuses.keys()].toSorted()).toEqual([401, 404, 429]);
  expect((statuses.get(401) ?? 0) + (statuses.get(404) ?? 0)).toBeLessThanOrEqual(61);
  expect((await postEvents(site, token, events('after', 1), secret)).status).toBe(200);
  expect(await sent(campaign)).toBe(2);
});

test('A body of more than 1 MB is refused, also when its length is a lie or not said', async () => {
  const { token } = await newSource();
  const send = (headers: Record<string, string | number>, bytes: number) =>
    new Promise<number | undefined>((resolve) => {
      const path = `/functions/v1/campaign-events/${token}`;
      const sending = request(`${site.url}${path}`, { method: 'POST', agent: false, headers }, (answer) => {
        resolve(answer.statusCode);
        sending.destroy();
      });
      // The server may end the connection before all is sent.
      sending.on('error', () => resolve(undefined));
      sending.write('['.repeat(bytes));
      if (!('content-length' in headers)) sending.end();
    });
  expect(await send({ 'content-length': 100_000_000 }, 10)).toBe(413);
  expect(await send({}, 1024 * 1024 + 1)).toBe(413);
  expect(await send({}, 1000)).toBe(400);
});
