/** Repeated statements that reach their timeout, and statements whose client has disconnected. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { changeSchema } from '../../packages/backend/tests/support/films.ts';
import { rawRequest } from '../../packages/backend/tests/support/raw-request.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend({ RATE_LIMITS: 'on' });
  await changeSchema(
    api,
    `create function public.wait(seconds float) returns text language sql volatile as $$ select 'waited' from pg_sleep(seconds) $$;
     grant execute on function public.wait to anon`,
  );
});
afterAll(() => api.close());

const forwardedFor = (address: string) => ({ 'x-forwarded-for': address });

test('After two statement timeouts, an IP address is blocked for a minute, and others are not', async () => {
  const wait = () =>
    rawRequest(api, 'POST', 'rpc/wait', { body: { seconds: 60 }, headers: forwardedFor('198.51.100.1') });
  const responses = await Promise.all([wait(), wait(), wait(), wait()]);
  // Two were running, and the queued requests were not retried.
  expect(responses.map(({ status }) => status).sort()).toEqual([429, 429, 500, 500]);
  expect(responses.find(({ status }) => status === 500)?.json).toMatchObject({ code: '57014' });
  const response = await rawRequest(api, 'GET', 'posts?limit=1', { headers: forwardedFor('198.51.100.1') });
  expect(response.status).toBe(429);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(50);
  expect((await rawRequest(api, 'GET', 'posts?limit=1', { headers: forwardedFor('198.51.100.2') })).status).toBe(200);
});

test('A queued request is dropped if its client disconnects, and requests of other clients run', async () => {
  const before = await countConversations();
  // Two are running, and the next requests are queued.
  const running = [0, 1].map(() =>
    rawRequest(api, 'POST', 'rpc/wait', { body: { seconds: 2 }, headers: forwardedFor('198.51.100.3') }),
  );
  const disconnected = await sendRequest('198.51.100.3', 'conversations', '{}');
  disconnected.destroy();
  await once(disconnected, 'close');
  const connected = rawRequest(api, 'POST', 'conversations', { body: {}, headers: forwardedFor('198.51.100.3') });
  await Promise.all(running);
  expect((await connected).status).toBe(201);
  expect(await countConversations()).toBe(before + 1);
});

test('A statement is cancelled if its client disconnects, which does not count against the IP address', async () => {
  for (let round = 0; round < 3; round++) {
    const disconnected = await sendRequest('198.51.100.4', 'rpc/wait', '{"seconds":60}');
    await expect.poll(countRunning).toBe(1);
    disconnected.destroy();
    await expect.poll(countRunning).toBe(0);
  }
  expect((await rawRequest(api, 'GET', 'posts?limit=1', { headers: forwardedFor('198.51.100.4') })).status).toBe(200);
});

/** Counts the running statements of visitors. */
async function countRunning(): Promise<number> {
  const { rowCount } = await api.backend.database.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and wait_event = 'PgSleep' and state = 'active'`,
  );
  return rowCount;
}

async function countConversations(): Promise<number> {
  const { rows } = await api.backend.database.query<{ n: number }>('select count(*) as n from public.conversations');
  return rows[0]?.n ?? 0;
}

/** Opens a socket and sends a complete request. */
async function sendRequest(address: string, path: string, body: string) {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    `POST /rest/v1/${path} HTTP/1.1`,
    'host: x',
    `apikey: ${PUBLISHABLE_KEY}`,
    'content-type: application/json',
    `x-forwarded-for: ${address}`,
    `content-length: ${body.length}`,
  ].join('\r\n');
  await new Promise((resolve) => socket.write(`${head}\r\n\r\n${body}`, resolve));
  return socket;
}
