/**
 * Floods of requests for endless pages, against the real server with its limits, while another visitor reads the site.
 */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { newPreviewLink } from '../support/preview-link.ts';
import {
  readMetricValues,
  readOnNewConnection,
  repeatRequests,
  sendConcurrently,
  sendPipelined,
} from '../support/request-floods.ts';
import { newDataFolder, removeFolder, type SiteProcess, startSite } from '../support/site.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

let site: SiteProcess;
let secretKey: string;
/**
 * Numbers of pages that do not fit in the 4 MB cache for pages with arbitrary names. Each test checks that the first
 * page was evicted.
 */
const INVENTED_HOSTS = 60;
const GUESSES = 150;

/**
 * Maximum memory of the process in megabytes, for any requests. It leaves room for Postgres on a machine of 1 GB.
 * Caching every invented name would exceed it. Between collections V8 keeps some 200 MB of garbage.
 */
const MAX_MEGABYTES = 512;

beforeAll(async () => {
  const data = await newDataFolder('on');
  secretKey = data.secretKey;
  site = await startSite(data.folder, { RATE_LIMITS: 'on', METRICS_PORT: '0' });
  await load('/');
});
afterAll(async () => {
  await site.stop();
  await removeFolder(site.dataFolder);
});

const findMetricsUrl = ({ output }: SiteProcess) =>
  vi.waitUntil(() => /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(output())?.[0], { timeout: 120_000 });

async function readServerMetrics(target = site) {
  const values = await readMetricValues(await findMetricsUrl(target));
  const figure = (name: string) => values.get(`signalfjord_${name}`) ?? Number.NaN;
  return {
    startedRenders: figure('renders_total'),
    running: figure('renders_running'),
    waiting: figure('renders_waiting'),
    refusedRenders: figure('renders_refused_total'),
    staleServed: figure('page_stand_ins_total'),
    processorSeconds: values.get('process_cpu_seconds_total') ?? Number.NaN,
    megabytes: (values.get('process_resident_memory_bytes') ?? Number.NaN) / 2 ** 20,
  };
}

/**
 * Reads the metrics when no request is running or queued. Metrics are cached for a second, so older values are ignored.
 */
async function readMetricsAtRest(target = site) {
  const before = await readServerMetrics(target);
  let now = before;
  await expect
    .poll(async () => {
      now = await readServerMetrics(target);
      return now.processorSeconds > before.processorSeconds && now.waiting + now.running === 0;
    })
    .toBe(true);
  return now;
}

/** Requests a page as another visitor, from a separate network. */
async function load(path: string, origin = site.url, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(origin + path, {
    headers: { 'x-forwarded-for': '203.0.113.7', ...headers },
    redirect: 'manual',
  });
  await response.arrayBuffer();
  return response;
}

const requests = (count: number, path: (n: number) => string, from: (n: number) => string = () => '192.0.2.1') =>
  Array.from({ length: count }, (_, n) => ({ path: path(n), from: from(n) }));

test('Unknown query parameters cause no render, for any number and form of requests', async () => {
  const before = await readMetricsAtRest();
  const pipelined = sendPipelined(
    site.url,
    Array.from({ length: 12 }, (_, c) => requests(750, (n) => `/?x=${c * 750 + n}`)),
  );
  const concurrent = sendConcurrently(
    site.url,
    requests(400, (n) => `/?utm_source=${n}`),
  );
  expect((await load('/?fbclid=1')).status).toBe(200);
  await expect.poll(() => concurrent.responseCounts.get(200)).toBe(400);
  pipelined.close();
  concurrent.close();
  const after = await readMetricsAtRest();
  expect(after.startedRenders).toBe(before.startedRenders);
  expect(after.megabytes).toBeLessThan(MAX_MEGABYTES);
});

test.each([
  ['unknown articles', '/about', (n: number) => `/news/guess-${n}`],
  ['unknown case studies', '/contact', (n: number) => `/projects?case=guess-${n}`],
  ['searches', '/services', (n: number) => `/news?q=word${n}`],
  ['pictures of pages', '/terms', (n: number) => `/og.png?path=/about?x=${n}`],
])('A flood of %s does not block other visitors from %s', async (_label, uncached, path) => {
  const before = await readMetricsAtRest();
  const pipelined = sendPipelined(
    site.url,
    Array.from({ length: 12 }, (_, c) => requests(750, (n) => path(1_000_000 + c * 750 + n))),
  );
  // Ten networks with forty connections each.
  const concurrent = sendConcurrently(
    site.url,
    requests(400, path, (n) => `198.51.${n % 10}.9`),
  );
  await expect.poll(() => concurrent.responseCounts.size).toBeGreaterThan(0);
  const statuses = [];
  for (const pagePath of ['/', uncached, '/?x=1']) statuses.push((await load(pagePath)).status);
  expect(statuses).toEqual([200, 200, 200]);
  pipelined.close();
  concurrent.close();
  const after = await readMetricsAtRest();
  // At most one request of each connection was started, even if the connection pipelined hundreds.
  expect(after.startedRenders - before.startedRenders).toBeLessThanOrEqual(412 + 1);
  expect(after.megabytes).toBeLessThan(MAX_MEGABYTES);
});

test("A flood of a preview link blocks neither visitors of the site nor the owner's preview", async () => {
  const { id, token } = await newPreviewLink(site, secretKey);
  const previewPath = (path: string) => `/preview/${id}${path}`;
  const cookie = `preview=${token}`;
  const before = await readMetricsAtRest();
  const withCookie = (pageRequests: ReturnType<typeof requests>) =>
    pageRequests.map((request) => ({ ...request, cookie }));
  const pipelined = sendPipelined(
    site.url,
    Array.from({ length: 12 }, () => withCookie(requests(750, (n) => previewPath(n % 2 ? '/about' : '/news')))),
  );
  // Ten networks with forty connections each.
  const concurrent = sendConcurrently(
    site.url,
    withCookie(
      requests(
        400,
        () => previewPath('/'),
        (n) => `198.51.${n % 10}.9`,
      ),
    ),
  );
  await expect.poll(() => concurrent.responseCounts.get(200) ?? 0).toBeGreaterThan(0);
  const statuses = [];
  for (const pagePath of ['/', '/cookies', '/news?q=beside-a-preview']) statuses.push((await load(pagePath)).status);
  expect(statuses).toEqual([200, 200, 200]);
  const owner = await load(previewPath('/services'), site.url, { cookie, 'x-forwarded-for': '203.0.114.7' });
  expect([owner.status, owner.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  expect((await load(previewPath('/services'))).status).toBe(404);
  pipelined.close();
  concurrent.close();
  const after = await readMetricsAtRest();
  // Each page was rendered, because previews are not cached. No connection had more than one running render.
  expect(after.startedRenders - before.startedRenders).toBeGreaterThanOrEqual(concurrent.responseCounts.get(200) ?? 0);
  expect(after.startedRenders - before.startedRenders).toBeLessThanOrEqual(412 + 4);
  expect(after.megabytes).toBeLessThan(MAX_MEGABYTES);
});

test.each([
  ['unknown articles', '/news/again-{n}'],
  ['a page that is not cached', '/'],
  ['unknown previews', `/preview/${crypto.randomUUID()}/about`],
])('While 800 connections request %s repeatedly, a new visitor is served next', async (_label, path) => {
  await load('/about');
  const flood = repeatRequests(site.url, 800, path);
  await expect.poll(() => flood.responseCount()).toBeGreaterThan(0);
  const counts = [];
  for (let n = 0; n < 15; n++) {
    const previous = flood.responseCount();
    for (const pagePath of ['/about', `/projects?case=new-${n}`]) {
      expect((await readOnNewConnection(site.url, pagePath)).status).toBe(pagePath === '/about' ? 200 : 404);
    }
    counts.push(flood.responseCount() - previous);
  }
  await flood.close();
  // In a shared queue, the two requests of a visitor would wait for 1,600 requests of the flood.
  counts.sort((first, second) => first - second);
  expect(counts[7]).toBeLessThan(400);
  await expect.poll(async () => (await readOnNewConnection(site.url, '/about')).ms).toBeLessThan(1_000);
});

test('Invented host names evict no page of a host name that visitors use', async () => {
  const sendRequestFrom = async (host: string, path: string, from: string) => {
    const { hostname, port } = new URL(site.url);
    const headers = { host, 'x-forwarded-for': from };
    const request = get({ hostname, port, path, headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await buffer(response);
    return response.statusCode;
  };
  expect((await load('/about')).status).toBe(200);
  for (const from of ['192.0.2.1', '203.0.113.1', '198.51.99.1']) {
    expect(await sendRequestFrom('fjord.example', from === '192.0.2.1' ? '/about' : `/news?q=${from}`, from)).toBe(200);
  }
  expect(await sendRequestFrom('fjord.example', '/services', '203.0.113.1')).toBe(200);
  for (let n = 0; n < INVENTED_HOSTS; n++) await sendRequestFrom(`invented-${n}.example`, '/', '198.51.100.1');
  const before = await readMetricsAtRest();
  expect(await sendRequestFrom('fjord.example', '/services', '203.0.113.1')).toBe(200);
  expect((await load('/about')).status).toBe(200);
  // Among these, only the page of an invented host name is rendered again.
  expect(await sendRequestFrom('invented-0.example', '/', '198.51.100.1')).toBe(200);
  expect((await readMetricsAtRest()).startedRenders).toBe(before.startedRenders + 1);
});

test('Guessed URLs evict each other, but no existing page', async () => {
  const guesses = Array.from({ length: GUESSES }, (_, n) => [
    `/news/guessed-${n}`,
    `/admin/people/guessed-${n}`,
  ]).flat();
  expect((await load('/about')).status).toBe(200);
  const statuses = new Set<number>();
  for (const path of guesses) statuses.add((await load(path)).status);
  expect([...statuses].sort()).toEqual([200, 404]);
  const before = await readMetricsAtRest();
  expect((await load('/about')).status).toBe(200);
  // Both kinds are rendered again, because their cache is small.
  for (const path of guesses.slice(0, 2)) await load(path);
  expect((await readMetricsAtRest()).startedRenders).toBe(before.startedRenders + 2);
  expect(before.megabytes).toBeLessThan(MAX_MEGABYTES);
});

test('An unknown article has its own page with noindex', async () => {
  const response = await fetch(`${site.url}/news/never-was`);
  const html = await response.text();
  expect(response.status).toBe(404);
  expect(html).toContain('An article in the making');
  expect(html).toContain('<code class="font-mono text-[0.9em] text-ink wrap-anywhere">never-was</code>');
  expect(html).toContain('<meta name="robots" content="noindex"/>');
});

test('Pages that are rendered only in the browser accept query parameters', async () => {
  for (const path of ['/oauth/consent?authorization_id=a', '/auth?back=/about', '/newsletter/confirm?token=a']) {
    expect([path, (await load(path)).status]).toEqual([path, 200]);
  }
  expect((await load('/admin/posts?page=2&q=word')).status).toBe(200);
});

test('The rate limit of searches applies to every spelling of the URL', async () => {
  const from = { 'x-forwarded-for': '192.0.2.77' };
  const spellings = ['/news?q=', '/%6eews?q=', '/./news?q=', '/a/../news?q=', '/%6E%65ws?x=1&q='];
  // fetch() would normalize the dots.
  const readStatus = async (path: string) => {
    const { hostname, port } = new URL(site.url);
    const [response] = (await once(get({ hostname, port, path, headers: from, agent: false }), 'response')) as [
      IncomingMessage,
    ];
    await buffer(response);
    return response.statusCode;
  };
  for (let n = 0; n < 60; n++) expect(await readStatus(`${spellings[n % spellings.length]}spelt-${n}`)).toBe(200);
  for (const spelling of spellings) expect(await readStatus(`${spelling}one-more`)).toBe(429);
  // Each spelling returns the cached page, and other visitors can search.
  for (const spelling of spellings) expect(await readStatus(`${spelling}spelt-59`)).toBe(200);
  expect((await load('/news?q=new-spelling')).status).toBe(200);
});

describe('A site whose content is on another server', () => {
  let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
  let remoteSite: SiteProcess;

  beforeAll(async () => {
    proxy = await startTcpProxy(site.url);
    remoteSite = await startSite(join(tmpdir(), `signalfjord-nothing-${crypto.randomUUID()}`), {
      SUPABASE_URL: proxy.url,
      SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
      RATE_LIMITS: 'on',
      METRICS_PORT: '0',
    });
  });
  afterAll(async () => {
    await remoteSite.stop();
    await proxy.disconnect();
  });

  test('starts no renders for visitors who have disconnected, and returns Retry-After beyond the limit', async () => {
    expect((await load('/news/never-was', remoteSite.url)).status).toBe(404);
    const before = await readMetricsAtRest(remoteSite);
    // The running renders do not end until they are released, on any machine.
    proxy.pause();
    const flood = sendConcurrently(
      remoteSite.url,
      requests(300, (n) => `/news/left-${n}`),
    );
    await expect.poll(() => flood.responseCounts.get(503) ?? 0).toBeGreaterThan(0);
    flood.close();
    // Metrics are cached briefly, so only those after this point include the queue.
    await expect
      .poll(async () => (await readServerMetrics(remoteSite)).refusedRenders)
      .toBeGreaterThan(before.refusedRenders);
    await expect.poll(async () => (await readServerMetrics(remoteSite)).waiting).toBe(0);
    proxy.release();
    const after = await readMetricsAtRest(remoteSite);
    // Two were running and 200 were queued.
    expect(after.startedRenders - before.startedRenders).toBeLessThan(10);
    expect(flood.lastChunks.get(503)).toMatch(
      /retry-after: \d+\r\n[\s\S]*This page cannot be shown right now. Please try again in a few seconds\./i,
    );
    expect((await load('/news/never-was-either', remoteSite.url)).status).toBe(404);
  });

  test('shows cached pages if that server fails, and a 503 for others', async () => {
    expect((await load('/about', remoteSite.url)).status).toBe(200);
    await proxy.disconnect();
    // Pages of a remote project are cached for seconds only.
    await expect
      .poll(async () => {
        expect((await load('/about', remoteSite.url)).status).toBe(200);
        return (await readServerMetrics(remoteSite)).staleServed;
      })
      .toBeGreaterThan(0);
    const response = await load('/services', remoteSite.url);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    await proxy.restore();
    await expect.poll(async () => (await load('/services', remoteSite.url)).status).toBe(200);
  });
});
