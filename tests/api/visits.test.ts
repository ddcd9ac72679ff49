/** POST /visits, from the beacon of a page to the database, over a real connection. */
import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  createVisitsEndpoint,
  type VisitsEndpoint,
  type VisitsEndpointDependencies,
} from '../../server/visits/visits-endpoint.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
const VISIT = { page: '/about', from: 'www.google.com', device: 'phone', seconds: 12 };

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
  await site.service.from('site_settings').insert({ setting_key: 'count_visits', setting_value: 'on' }).throwOnError();
  await site.service
    .from('posts')
    .insert([
      { title: 'Hello', slug: 'hello', status: 'published', published_date: '2020-01-01' },
      { title: 'Draft', slug: 'draft', status: 'draft', published_date: '2020-01-01' },
    ])
    .throwOnError();
});
afterAll(() => site.close());

let server: Server;
let endpoint: VisitsEndpoint;
let url: string;
/** Number of writes to the API. */
let writes: number;
let errors: unknown[];

async function serve(
  config: Partial<VisitsEndpointDependencies['config']> = {},
  secretKey = site.backend.keys.secretKey,
) {
  writes = 0;
  errors = [];
  endpoint = createVisitsEndpoint({
    config: { SITE_URL: undefined, TRUSTED_PROXIES: [], RATE_LIMITS: false, ...config },
    api: {
      url: site.url,
      secretKey,
      fetch: (request) => {
        writes += 1;
        return fetch(request);
      },
    },
    pages: ['/', '/about'],
    log: { error: (error: unknown) => void errors.push(error) },
  });
  server = createServer(endpoint.listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `http://127.0.0.1:${address.port}/visits`;
}
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await site.backend.database.script('truncate public.visit_counts');
});

async function sendVisit(body: unknown, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'user-agent': FIREFOX, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Closes the endpoint and returns the counts in the database. */
async function readCounts(): Promise<Record<string, number>> {
  await endpoint.close();
  const { rows } = await site.backend.database.query<{ key: string; count: number }>(
    `select kind || ' ' || name as key, count::integer as count from public.visit_counts order by 1`,
  );
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
}

test('A visit is counted separately by page, host and device', async () => {
  await serve();
  expect(await sendVisit(VISIT, { 'sec-fetch-site': 'same-origin' })).toBe(204);
  await sendVisit({ page: '/news/hello', device: 'desktop', seconds: 40 });
  await sendVisit({ chat: true });
  expect(await readCounts()).toEqual({
    'chat ': 1,
    'device desktop': 1,
    'device phone': 1,
    'page /about': 1,
    'page /news/hello': 1,
    'referrer google.com': 1,
  });
  expect(writes).toBe(1);
});

test.each<[who: string, headers: Record<string, string>]>([
  ['a browser with Do Not Track', { dnt: '1' }],
  ['a browser with Global Privacy Control', { 'sec-gpc': '1' }],
  ['a search engine', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
  ['a headless browser', { 'user-agent': FIREFOX.replace('Firefox', 'HeadlessChrome') }],
  ['a client without a user agent', { 'user-agent': '' }],
  ['the page of another site', { 'sec-fetch-site': 'cross-site' }],
  ['the page of another host of the domain', { 'sec-fetch-site': 'same-site' }],
])('Visits by %s are not counted', async (_label, headers) => {
  await serve();
  expect(await sendVisit(VISIT, headers)).toBe(204);
  expect(await readCounts()).toEqual({});
  expect(writes).toBe(0);
});

test.each<[what: string, body: unknown]>([
  ['an invented page', { ...VISIT, page: '/buy-cheap-pills' }],
  ['a page of the admin area', { ...VISIT, page: '/admin/dashboard' }],
  ['a negative time', { ...VISIT, page: '/news/hello', seconds: -1 }],
  ['a time beyond the range of numbers', { ...VISIT, page: '/news/hello', seconds: 1e300 }],
  ['a giant referrer', { ...VISIT, from: `${'a'.repeat(300)}.com` }],
  ['a body of a megabyte', 'x'.repeat(1_000_000)],
  ['invalid JSON', 'page=/about'],
  ['an empty body', ''],
])('A request with %s is not counted', async (_label, body) => {
  await serve();
  // The connection may be closed before the response to an oversized body is read.
  await sendVisit(body).catch(() => undefined);
  expect(await readCounts()).toEqual({});
  expect(writes).toBe(0);
});

test('A post that visitors cannot read has no counts', async () => {
  await serve();
  for (const slug of ['draft', 'invented', 'hello'])
    await sendVisit({ page: `/news/${slug}`, device: 'phone', seconds: 5 });
  expect(await readCounts()).toEqual({ 'device phone': 3, 'page /news/hello': 1 });
});

test('Visits from an IP address are counted at most 60 times a minute, and other addresses are not affected', async () => {
  await serve({ RATE_LIMITS: true });
  const createHeaders = (address: string) => ({ 'x-forwarded-for': address });
  for (let n = 0; n < 70; n++) await sendVisit(VISIT, createHeaders('192.0.2.1'));
  await sendVisit(VISIT, createHeaders('192.0.2.2'));
  // All addresses of one IPv6 /64 share the limit.
  for (let n = 0; n < 70; n++) await sendVisit(VISIT, createHeaders(`2001:db8::${n}`));
  expect(await readCounts()).toMatchObject({ 'page /about': 60 + 1 + 60 });
});

test('A flood from thousands of addresses causes at most one write of limited size per second', async () => {
  await serve({ RATE_LIMITS: true });
  const startedAt = performance.now();
  for (let batch = 0; batch < 30; batch++) {
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        sendVisit(
          { page: '/', from: `host-${batch}-${n}.example`, device: 'desktop', seconds: 1 },
          { 'x-forwarded-for': `10.1.${batch}.${n}` },
        ),
      ),
    );
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const counts = await readCounts();
  expect(writes).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  expect(counts).toMatchObject({ 'page /': 3000, 'device desktop': 3000 });
  expect(Object.keys(counts).filter((key) => key.startsWith('referrer')).length).toBeLessThanOrEqual(201);
});

test('A key without write permission causes a log entry, and visitors get no error', async () => {
  await serve({}, 'sb_secret_wrong');
  expect(await sendVisit(VISIT)).toBe(204);
  expect(await readCounts()).toEqual({});
  expect(String(errors[0])).toMatch(/The visit counts were rejected with status 401/);
});
