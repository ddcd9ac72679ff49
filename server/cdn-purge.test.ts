import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readBody } from '../tests/support/read-body.ts';
import { createCdnPurge } from './cdn-purge.ts';

const SHORT_DELAYS = { batch: 1, retry: 1 };

let cdn: Server;
let url: string;
let received: { method: string | undefined; authorization: string | undefined; body: string }[];
let statuses: number[];
let log: string[];
const logger = pino({}, { write: (line) => void log.push(JSON.parse(line).msg) });

beforeEach(async () => {
  [received, statuses, log] = [[], [], []];
  cdn = createServer(async (request, response) => {
    const body = await readBody(request);
    if (!body) return;
    const { method, headers } = request;
    received.push({ method, authorization: headers.authorization, body: body.toString() });
    response.writeHead(statuses.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => cdn.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(cdn.address() as AddressInfo).port}/purge`;
});
afterEach(() => new Promise((resolve) => cdn.close(resolve)));

test('Simultaneous changes share one request, and a later change causes another request', async () => {
  const change = createCdnPurge({ CDN_PURGE_URL: url.replace('://', '://secret@') }, logger, SHORT_DELAYS);
  for (let n = 0; n < 20; n++) change();
  await vi.waitUntil(() => received.length > 0, 120_000);
  expect(received).toEqual([{ method: 'POST', authorization: 'Bearer secret', body: '{"purge_everything":true}' }]);
  change();
  await vi.waitUntil(() => received.length > 1, 120_000);
  expect(log).toEqual([]);
});

test('A rejected request is tried at most three times, and later changes are still sent', async () => {
  statuses = [500, 403, 500];
  const change = createCdnPurge({ CDN_PURGE_URL: url }, logger, SHORT_DELAYS);
  change();
  await vi.waitUntil(() => log.length === 3, 120_000);
  expect(log).toEqual(
    [500, 403, 500].map((status) => `The CDN could not be purged: it responded with status ${status}`),
  );
  change();
  await vi.waitUntil(() => received.length === 4, 120_000);
});
