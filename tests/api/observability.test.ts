/** Health, readiness, metrics and the access log of a running server. */
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { runCommand } from '../support/command.ts';
import { type FakeUpstream, pauseAfter, startFakeUpstream } from '../support/fake-upstream.ts';
import { newDataFolder, removeFolder, type SiteProcess, startSite } from '../support/site.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');

let folder: string;
let secretKey: string;
let upstream: FakeUpstream;
let site: SiteProcess;
/** Origin of the metrics server. */
let metricsUrl: string;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  ({ folder, secretKey } = await newDataFolder('off'));
  site = await startSite(folder, {
    METRICS_PORT: '0',
    ACCESS_LOG: 'on',
    AI_BASE_URL: upstream.url,
    AI_MODEL: 'test-model',
  });
  const urlPattern = /http:\/\/127\.0\.0\.1:\d+(?=\/metrics)/;
  metricsUrl = await vi.waitUntil(() => urlPattern.exec(site.output())?.[0], { timeout: 120_000 });
});
afterAll(async () => {
  await site.stop();
  await upstream.close();
  await removeFolder(folder);
});

async function fetchJson(url: string): Promise<[status: number, body: unknown]> {
  const response = await fetch(url);
  return [response.status, await response.json()];
}

/** Waits for the access log entry of a request. */
function findLogEntry(requestId: string): Promise<Record<string, unknown>> {
  const find = () =>
    site
      .output()
      .split('\n')
      .find((line) => line.includes(requestId) && line.startsWith('{'));
  return vi.waitUntil(find, { timeout: 120_000 }).then((line) => JSON.parse(line));
}

test('A running server is alive and ready on both ports', async () => {
  for (const origin of [site.url, metricsUrl]) {
    expect(await fetchJson(`${origin}/healthz`)).toEqual([200, { alive: true }]);
    expect(await fetchJson(`${origin}/readyz`)).toEqual([
      200,
      { ready: true, database: 'ok', migrations: 'ok', files: 'ok' },
    ]);
  }
  expect((await fetch(`${metricsUrl}/rest/v1/posts`)).status).toBe(404);
  expect((await fetch(`${site.url}/metrics`)).status).toBe(404);
});

test('Requests are counted by route, and the metrics contain no addresses, ids or query strings', async () => {
  const secret = '5f0f7c1e-1111-4222-8333-444455556666';
  const headers = { apikey: PUBLISHABLE_KEY };
  for (const path of [
    '/about',
    '/about',
    `/news/${secret}`,
    `/rest/v1/posts?slug=eq.${secret}`,
    `/auth/v1/factors/${secret}`,
    `/storage/v1/object/public/content-media/${secret}.png`,
    `/${secret}@example.com`,
  ]) {
    await (await fetch(`${site.url}${path}`, { headers })).arrayBuffer();
  }
  const fetchMetrics = async () => (await fetch(`${metricsUrl}/metrics`)).text();
  const route = 'http_requests_total{method="GET",route=';
  // The metrics are cached for a second.
  await vi.waitUntil(async () => (await fetchMetrics()).includes(`${route}"other",status="404"}`), {
    timeout: 120_000,
  });
  const metrics = await fetchMetrics();
  for (const [name, value] of [
    [`${route}"/about",status="200"}`, 2],
    [`${route}"/news/:slug",status="404"}`, 1],
    [`${route}"/rest/v1/:table",status="200"}`, 1],
    [`${route}"/storage/v1/object/public/:bucket/:name",status="400"}`, 1],
    ['http_request_duration_seconds_count{method="GET",route="/about"}', 2],
    ['signalfjord_page_cache_requests_total{result="hit"}', 1],
    ['signalfjord_queue_length{queue="mails"}', 0],
    ['signalfjord_oldest_mail_seconds', 0],
    ['signalfjord_database_connections', 10],
    ['signalfjord_ready', 1],
    ['signalfjord_part_ready{part="files"}', 1],
  ] as const) {
    expect(metrics).toContain(`\n${name} ${value}\n`);
  }
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'signalfjord_database_waiting',
  ]) {
    expect(metrics).toMatch(new RegExp(`^${name} [\\d.e-]+$`, 'm'));
  }
  expect(metrics).not.toContain(secret);
  expect(metrics).not.toContain('example.com');
});

test('Queued client webhooks are counted as a separate queue', async () => {
  const service = createClient(site.url, secretKey, { auth: { persistSession: false } });
  const { data: client } = await service
    .from('clients')
    .insert({ name: 'Nes AS' })
    .select('id')
    .single()
    .throwOnError();
  const delivery = { client_id: client.id, event: 'test', payload: {}, next_attempt_at: '2999-01-01' };
  const rows = ['waiting', 'failed'].map((status) => ({ ...delivery, status }));
  await service.from('client_webhook_deliveries').insert(rows).throwOnError();
  // Metrics are cached for a second.
  await vi.waitUntil(
    async () => (await (await fetch(`${metricsUrl}/metrics`)).text()).includes('{queue="client_webhooks"} 1\n'),
    { timeout: 30_000, interval: 200 },
  );
  expect(await (await fetch(`${metricsUrl}/metrics`)).text()).toContain(
    '\nsignalfjord_queue_length{queue="webhooks"} 0\n',
  );
});

test('The alert rules and the dashboard in deploy/ use existing metrics, and the dashboard shows all of ours', async () => {
  const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
  const lines = metrics.split('\n').filter((line) => line && !line.startsWith('#'));
  const [alerts, dashboard] = await Promise.all(
    ['alerts.yml', 'grafana-dashboard.json'].map((name) => readFile(join(DEPLOY, name), 'utf8')),
  );
  const { panels } = JSON.parse(dashboard ?? '') as { panels: { targets?: { expr: string }[] }[] };
  const plottedExpressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const alertExpressions = [...(alerts ?? '').matchAll(/^ +expr: (.*)$/gm)].map(([, expr = '']) => expr);
  for (const [expressions, minimum] of [
    [plottedExpressions, 20],
    [alertExpressions, 10],
  ] as const) {
    expect(expressions.length).toBeGreaterThan(minimum);
    const usedNames = expressions.flatMap(
      (expression) => expression.match(/\b(http|signalfjord|process|nodejs)_\w+/g) ?? [],
    );
    expect(
      usedNames.filter((name) => !lines.some((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))),
    ).toEqual([]);
  }
  const plottedNames = new Set(
    plottedExpressions.flatMap((expression) => expression.match(/\bsignalfjord_\w+/g) ?? []),
  );
  const metricNames = new Set(lines.flatMap((line) => /^signalfjord_\w+/.exec(line) ?? []));
  expect([...metricNames].filter((name) => !plottedNames.has(name))).toEqual([]);
});

test('Each request is logged with its id and route, without personal data or query', async () => {
  const requestId = 'abcdef0123456789abcdef0123456789';
  const response = await fetch(`${site.url}/news/about-ada?email=ada%40example.com`, {
    headers: { 'x-request-id': requestId, 'x-forwarded-for': '203.0.113.9', 'user-agent': 'Telltale/1.0' },
  });
  await response.text();
  expect(response.headers.get('x-request-id')).toBe(requestId);
  const line = await findLogEntry(requestId);
  expect(line).toMatchObject({
    msg: 'request',
    requestId,
    method: 'GET',
    route: '/news/:slug',
    status: response.status,
    ms: expect.any(Number),
  });
  expect(JSON.stringify(line)).not.toMatch(/203\.0\.113|Telltale|ada|127\.0\.0\.1/);
  expect(site.output()).not.toMatch(/healthz|readyz/);
});

test('An invalid request id is replaced', async () => {
  const response = await fetch(`${site.url}/about`, { headers: { 'x-request-id': 'ada@example.com' } });
  await response.text();
  const id = response.headers.get('x-request-id') ?? '';
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await findLogEntry(id)).toMatchObject({ route: '/about', status: 200 });
  expect(site.output()).not.toContain('ada@example.com');
});

test('The doctor finds no errors and reads the database while the server runs', async () => {
  const run = async (environment: Record<string, string>) => {
    const { code, stdout } = await runCommand(['scripts/doctor.ts'], { DATA_DIR: folder, ...environment });
    return { code, stdout };
  };
  const [validRun, invalidRun] = await Promise.all([run({}), run({ PORT: 'http', RATE_LIMITS: 'off' })]);
  expect(validRun.stdout).toMatch(/^ok {4}Database: The database in .* is reachable \(Postgres 18/m);
  expect(validRun.stdout).toMatch(/^ok {4}Policies: \d+ rules match the migrations\.$/m);
  expect(validRun).toEqual({ code: 0, stdout: expect.stringMatching(/^0 errors, /m) });
  expect(invalidRun).toEqual({ code: 1, stdout: expect.stringMatching(/^error Configuration: PORT is "http"/) });
  expect((await fetch(`${site.url}/about`)).status).toBe(200);
});

test('A stopping server reports that it is not ready, and completes requests in progress', async () => {
  const secondHalf = Promise.withResolvers<void>();
  upstream.behave(pauseAfter(['The first half'], secondHalf.promise, ' and the second.'));
  const response = await fetch(`${site.url}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${PUBLISHABLE_KEY}` },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
  });
  site.process.kill('SIGTERM');
  await vi.waitUntil(() => site.output().includes('Stopping'), { timeout: 120_000 });
  expect(await fetchJson(`${metricsUrl}/readyz`)).toEqual([503, { ready: false, process: 'stopping' }]);
  expect(await fetchJson(`${metricsUrl}/healthz`)).toEqual([200, { alive: true }]);
  const connectionError = new Promise((resolve) => {
    request(`${site.url}/readyz`)
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      .end();
  });
  expect(await connectionError).toBe('ECONNREFUSED');
  secondHalf.resolve();
  expect(await response.text()).toContain('and the second.');
  await site.stop();
  expect(site.process.exitCode).toBe(0);
});
