import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeEach(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on' });
});
afterEach(() => site.close());

function ask(headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${site.url}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sb_publishable_signalfjord', ...headers },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
  });
}

async function statusesOf(count: number, headers: (turn: number) => Record<string, string>): Promise<number[]> {
  const statuses: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    const response = await ask(headers(turn));
    await response.body?.cancel();
    statuses.push(response.status);
  }
  return statuses;
}

const save = (setting_key: string, setting_value: string) =>
  site.service
    .from('site_settings')
    .upsert({ setting_key, setting_value }, { onConflict: 'setting_key' })
    .throwOnError();

test('An address has 20 requests a minute; then it gets a friendly sentence and the booking link', async () => {
  expect(await statusesOf(20, () => ({ 'x-forwarded-for': '192.0.2.1' }))).toEqual(Array(20).fill(200));
  const refused = await ask({ 'x-forwarded-for': '192.0.2.1' });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(await refused.json()).toEqual({
    error: 'That was a lot at once. Please wait a minute, or book a meeting to talk to a person.',
    booking_url: '/#booking',
  });
  expect(await statusesOf(1, () => ({ 'x-forwarded-for': '192.0.2.2' }))).toEqual([200]);
});

test('A conversation has 20 requests a minute, from however many addresses', async () => {
  const id = crypto.randomUUID();
  const statuses = await statusesOf(21, (turn) => ({ 'x-forwarded-for': `192.0.2.${turn}`, 'x-conversation-id': id }));
  expect(statuses).toEqual([...Array(20).fill(200), 429]);
  expect(await statusesOf(1, () => ({ 'x-forwarded-for': '192.0.2.99' }))).toEqual([200]);
});

test('The whole site has a daily cap, which holds from the moment that it is saved', async () => {
  await save('chat_daily_cap', '2');
  expect(await statusesOf(2, () => ({}))).toEqual([200, 200]);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(await refused.json()).toEqual({
    error: 'I have answered all I can for today. A person is glad to help: book a meeting.',
    booking_url: '/#booking',
  });
  await save('chat_daily_cap', '3');
  expect((await ask()).status).toBe(200);
});

test('With an allow-list, only the site itself and the origins on it are answered', async () => {
  const from = async (origin: string | null) => (await ask(origin ? { origin } : {})).status;
  expect(await from('https://anywhere.example')).toBe(200);
  await save('chat_allowed_origins', 'https://partner.example, https://other.example:8443');
  expect(await from('https://partner.example')).toBe(200);
  expect(await from('https://other.example:8443')).toBe(200);
  expect(await from(site.url)).toBe(200);
  expect(await from('https://anywhere.example')).toBe(403);
  expect(await from('https://partner.example.evil.example')).toBe(403);
  expect(await from('http://partner.example')).toBe(403);
  // As curl sends it.
  expect(await from(null)).toBe(403);
  await save('chat_allowed_origins', '');
  expect(await from('https://anywhere.example')).toBe(200);
});

test('Over HTTP without an upstream, the built-in assistant answers from the published content', async () => {
  await site.service
    .from('services')
    .insert({ title: 'Chart plotting', slug: 'plotting', pricing: '900 NOK', timeline: '2 weeks' })
    .throwOnError();
  const text = await (await ask()).text();
  expect(text).toContain('Hello, and welcome');
  const asked = await fetch(`${site.url}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: { authorization: 'Bearer sb_publishable_signalfjord' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'What does chart plotting cost?' }] }),
  });
  const pieces = [...(await asked.text()).matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)].map(([, piece]) => piece);
  expect(pieces.join('')).toContain('**Chart plotting**: 900 NOK');
});
