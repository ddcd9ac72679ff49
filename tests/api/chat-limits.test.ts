import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ContentChanges, listenForContentChanges } from '../../server/content-changes.ts';
import { readReply } from '../../supabase/functions/ai-chat/event-stream.ts';
import { breakAfter, type FakeUpstream, failWith, reply, startFakeUpstream } from '../support/fake-upstream.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

// Freeze the clock of the rate limits, because the requests can take longer than a minute on a slow machine.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

let site: TestBackend;
let changes: ContentChanges;
beforeEach(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on' });
  changes = await listenForContentChanges(site.backend.database, () => undefined);
});
afterEach(() => site.close());

function ask(headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${site.url}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sb_publishable_signalfjord', ...headers },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
  });
}

async function fetchStatuses(count: number, headers: (index: number) => Record<string, string>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) {
    const response = await ask(headers(index));
    await response.body?.cancel();
    statuses.push(response.status);
  }
  return statuses;
}

/**
 * Saves a setting and waits until the server has received its notification, which Postgres sends over another
 * connection.
 */
async function save(setting_key: string, setting_value: string): Promise<void> {
  await site.service
    .from('site_settings')
    .upsert({ setting_key, setting_value }, { onConflict: 'setting_key' })
    .throwOnError();
  await changes.settled();
}

test('An IP address can send 20 requests a minute and then gets an error with the booking link', async () => {
  expect(await fetchStatuses(20, () => ({ 'x-forwarded-for': '192.0.2.1' }))).toEqual(Array(20).fill(200));
  const response = await ask({ 'x-forwarded-for': '192.0.2.1' });
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('60');
  expect(await response.json()).toEqual({
    error: 'Too many messages. Wait a minute, or book a meeting to talk to a person.',
    booking_url: '/#booking',
  });
  expect(await fetchStatuses(1, () => ({ 'x-forwarded-for': '192.0.2.2' }))).toEqual([200]);
});

test('A conversation can send 20 requests a minute across all IP addresses', async () => {
  const id = crypto.randomUUID();
  const statuses = await fetchStatuses(21, (index) => ({
    'x-forwarded-for': `192.0.2.${index}`,
    'x-conversation-id': id,
  }));
  expect(statuses).toEqual([...Array(20).fill(200), 429]);
  expect(await fetchStatuses(1, () => ({ 'x-forwarded-for': '192.0.2.99' }))).toEqual([200]);
});

test('A daily cap of 0 disables the chat as soon as it is saved', async () => {
  const isAvailable = async () => {
    const headers = { apikey: 'sb_publishable_signalfjord' };
    return (await fetch(`${site.url}/functions/v1/ai-chat`, { headers })).json();
  };
  await save('chat_daily_cap', '0');
  expect(await isAvailable()).toEqual({ available: false });
  const response = await ask();
  expect(response.status).toBe(429);
  expect(await response.json()).toEqual({
    error: 'I have answered all I can for today. Book a meeting to talk to a person.',
    booking_url: '/#booking',
  });
  await save('chat_daily_cap', '1');
  expect((await ask()).status).toBe(200);
  expect(await isAvailable()).toEqual({ available: true });
});

test('Built-in replies do not count towards a cap', async () => {
  await save('chat_daily_cap', '1');
  expect(await fetchStatuses(3, () => ({ 'x-forwarded-for': '192.0.2.1' }))).toEqual([200, 200, 200]);
  expect((await site.service.from('chat_usage').select()).data).toEqual([]);
});

test('With an allow-list, only requests from the site itself and the listed origins are answered', async () => {
  const fetchStatus = async (origin: string | null) => (await ask(origin ? { origin } : {})).status;
  expect(await fetchStatus('https://anywhere.example')).toBe(200);
  await save('chat_allowed_origins', 'https://partner.example, https://other.example:8443');
  expect(await fetchStatus('https://partner.example')).toBe(200);
  expect(await fetchStatus('https://other.example:8443')).toBe(200);
  expect(await fetchStatus(site.url)).toBe(200);
  expect(await fetchStatus('https://anywhere.example')).toBe(403);
  expect(await fetchStatus('https://partner.example.evil.example')).toBe(403);
  expect(await fetchStatus('http://partner.example')).toBe(403);
  // curl sends no Origin header.
  expect(await fetchStatus(null)).toBe(403);
  await save('chat_allowed_origins', 'Partner.example');
  expect([await fetchStatus('https://partner.example'), await fetchStatus('https://anywhere.example')]).toEqual([
    200, 403,
  ]);
  await save('chat_allowed_origins', 'nonsense');
  expect([await fetchStatus('https://anywhere.example'), await fetchStatus(site.url)]).toEqual([403, 200]);
  await save('chat_allowed_origins', '');
  expect(await fetchStatus('https://anywhere.example')).toBe(200);
});

test('Without an upstream, the built-in assistant answers from the published content over HTTP', async () => {
  await site.service
    .from('services')
    .insert({ title: 'Chart plotting', slug: 'plotting', pricing: '900 NOK', timeline: '2 weeks' })
    .throwOnError();
  const text = await (await ask()).text();
  expect(text).toContain('Hello, and welcome');
  const response = await fetch(`${site.url}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: { authorization: 'Bearer sb_publishable_signalfjord' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'What does chart plotting cost?' }] }),
  });
  const pieces = [...(await response.text()).matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)].map(([, piece]) => piece);
  expect(pieces.join('')).toContain('**Chart plotting**: 900 NOK');
});

describe('Limits with an upstream', () => {
  let upstream: FakeUpstream;
  let paidSite: TestBackend;
  beforeEach(async () => {
    upstream = await startFakeUpstream();
    paidSite = await startTestBackend({ RATE_LIMITS: 'on', AI_BASE_URL: upstream.url, AI_MODEL: 'test-model' });
  });
  afterEach(async () => {
    await paidSite.close();
    await upstream.close();
  });

  const setCap = (cap: number) =>
    paidSite.service
      .from('site_settings')
      .insert({ setting_key: 'chat_daily_cap', setting_value: String(cap) })
      .throwOnError();

  async function askFrom(address: string): Promise<string | number> {
    const response = await fetch(`${paidSite.url}/functions/v1/ai-chat`, {
      method: 'POST',
      headers: { authorization: 'Bearer sb_publishable_signalfjord', 'x-forwarded-for': address },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
    });
    if (response.status === 429) return ((await response.json()) as { error: string }).error;
    if (response.body && response.ok) for await (const _piece of readReply(response.body));
    else await response.body?.cancel();
    return response.status;
  }

  const countedReplies = async () =>
    (await paidSite.service.from('chat_usage').select('replies')).data?.[0]?.replies ?? 0;

  test('One IP address can use a tenth of the daily cap of the site', async () => {
    await setCap(20);
    const addressError = 'I have answered all I can for you today. Book a meeting to talk to a person.';
    const siteError = 'I have answered all I can for today. Book a meeting to talk to a person.';
    expect([await askFrom('192.0.2.1'), await askFrom('192.0.2.1')]).toEqual([200, 200]);
    expect(await askFrom('192.0.2.1')).toBe(addressError);
    expect(await countedReplies()).toBe(2);
    const addresses = Array.from({ length: 19 }, (_, index) => `198.51.100.${index}`);
    expect((await Promise.all(addresses.map(askFrom))).sort()).toEqual([...Array(18).fill(200), siteError]);
    expect(await countedReplies()).toBe(20);
  });

  test('An IPv6 /48 network, which can contain 65,536 customers, can use four tenths of the cap', async () => {
    await setCap(10);
    const outcomes: (string | number)[] = [];
    for (let index = 1; index <= 5; index++) outcomes.push(await askFrom(`2001:db8:0:${index}::1`));
    expect(outcomes).toEqual([200, 200, 200, 200, expect.stringContaining('for you today')]);
    expect(await askFrom('2001:db8:1:1::1')).toBe(200);
  });

  test('A reply that fails, immediately or midway, is not counted', async () => {
    await setCap(1);
    upstream.behave(failWith(401, 'No'));
    expect([await askFrom('192.0.2.1'), await askFrom('192.0.2.1')]).toEqual([502, 502]);
    upstream.behave(breakAfter('Half a'));
    await expect(askFrom('192.0.2.1')).rejects.toThrow('The reply was interrupted.');
    expect(await countedReplies()).toBe(0);
    upstream.behave(reply('Whole'));
    expect(await askFrom('192.0.2.1')).toBe(200);
    expect(await askFrom('192.0.2.2')).toContain('for today');
  });
});
