/** Incomplete bodies and unread responses do not block other visitors, and use a bounded share of memory. */
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { createFilmTables } from '../../packages/backend/tests/support/films.ts';
import { createClientAddressReader } from '../../server/client-address.ts';
import { apiListener } from '../../server/request-listener.ts';
import { createSlowClients, type SlowClients } from '../../server/slow-clients.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const MEGABYTE = 1024 * 1024;
const VISITOR = '203.0.113.9';
const PASSWORD = 'Correct horse 7 battery';

let api: TestBackend;
let server: Server;
let slowClients: SlowClients;
/** Clock of the deadlines of slow clients. */
let now = () => performance.now();
let port: number;
let token: string;
beforeAll(async () => {
  api = await startTestBackend({ RATE_LIMITS: 'on' });
  await createFilmTables(api);
  token = (await api.signedIn('client')).token;
  const kari = { email: 'kari@example.com', password: PASSWORD, email_confirm: true };
  expect((await api.service.auth.admin.createUser(kari)).error).toBeNull();
  const readClientAddress = createClientAddressReader(parseConfig({ DATA_DIR: api.dataFolder }));
  slowClients = createSlowClients({ memory: api.backend.memory, clientAddressOf: readClientAddress, now: () => now() });
  server = createServer(slowClients.watch(apiListener(api.backend.fetch)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = address !== null && typeof address === 'object' ? address.port : 0;
});
afterAll(async () => {
  slowClients.close();
  await new Promise((resolve) => server.close(resolve));
  await api.close();
});

const sockets: Socket[] = [];
afterEach(async () => {
  now = () => performance.now();
  for (const socket of sockets.splice(0)) socket.destroy();
  await waitUntil(() => countHeldBytes() === 0);
});

const countHeldBytes = () => {
  const { body, answer } = api.backend.memory.stats().bytes;
  return body + answer;
};

/** Waits until the condition is true, up to the timeout of the test. */
async function waitUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Opens a connection from that IP address and sends a request with an incomplete body. */
function openConnection(from: string, head: string, body = ''): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(`${head}\r\nhost: x\r\napikey: ${PUBLISHABLE_KEY}\r\nx-forwarded-for: ${from}\r\n`);
  socket.write(`content-type: application/json\r\nauthorization: Bearer ${token}\r\n`);
  socket.write(body === '' ? '\r\n' : `content-length: ${body.length + 1}\r\n\r\n${body}`);
  return socket;
}

const post = (path: string, body: unknown, from = VISITOR) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  });

test('Seven IP addresses with incomplete bodies do not block visitors from posting and signing in', async () => {
  // A busy machine may send the bodies so slowly that the first ones would be ended before the last ones arrive.
  const start = performance.now();
  now = () => start;
  const large = `{"title":"${'x'.repeat(9 * MEGABYTE)}`;
  for (let network = 1; network <= 7; network++) {
    for (const body of [large, large]) openConnection(`198.51.${network}.1`, 'POST /rest/v1/films HTTP/1.1', body);
  }
  await waitUntil(() => countHeldBytes() > 7 * 2 * 9 * MEGABYTE - MEGABYTE);

  expect((await post('/rest/v1/films', { title: 'A small one' })).status).toBe(201);
  const signIn = await post('/auth/v1/token?grant_type=password', { email: 'kari@example.com', password: PASSWORD });
  expect(await signIn.json()).toMatchObject({ user: { email: 'kari@example.com' } });
  // A large body displaces a stalled one.
  const headers = { authorization: `Bearer ${token}`, apikey: PUBLISHABLE_KEY, 'x-forwarded-for': VISITOR };
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const response = await fetch(`http://127.0.0.1:${port}/rest/v1/films`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'y'.repeat(9 * MEGABYTE) }),
  });
  expect(response.status).toBe(201);
  expect(api.backend.memory.stats().ended.body.room).toBe(1);
  expect(countHeldBytes()).toBeLessThan(128 * MEGABYTE);
});

test('A body beyond the share of its network is rejected with Retry-After, and the connection is closed', async () => {
  const body = `{"title":"${'x'.repeat(9 * MEGABYTE)}`;
  const stalled = [1, 2, 3].map(() => openConnection('198.51.100.1', 'POST /rest/v1/films HTTP/1.1', body));
  const response = await Promise.any(
    stalled.map((socket) => new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))),
  );
  expect(response).toMatch(/^HTTP\/1.1 503 /);
  expect(response).toMatch(/retry-after: 2/i);
  expect(response).toMatch(/connection: close/i);
});

test('Large bodies to the other services count as well', async () => {
  const body = `{"email":"${'x'.repeat(90_000)}`;
  for (const path of ['/auth/v1/signup', '/functions/v1/ai-chat', '/storage/v1/object/list/content-media']) {
    const socket = openConnection('198.51.100.1', `POST ${path} HTTP/1.1`, body);
    await waitUntil(() => countHeldBytes() >= 90_000);
    socket.destroy();
    await waitUntil(() => countHeldBytes() === 0);
  }
});

test('Unread responses of four IP addresses on hundreds of connections use a bounded share of memory', async () => {
  await api.backend.database.query(
    `insert into public.films (id, title, year) select 20000 + n, repeat('z', 700000), 2003 from generate_series(1, 10) n`,
  );
  let maximum = 0;
  const timer = setInterval(() => {
    maximum = Math.max(maximum, countHeldBytes());
  }, 50);
  const before = process.memoryUsage().rss;
  const { ended } = api.backend.memory.stats();
  // A busy database rejects some of the requests, so the clients send them again.
  while (ended.answer.late + ended.answer.room < 8) {
    for (let host = 1; host <= 4; host++) {
      for (let n = 0; n < 60; n++)
        openConnection(`198.51.${host}.1`, 'GET /rest/v1/films?id=gt.20000 HTTP/1.1').pause();
    }
    const start = performance.now();
    await waitUntil(() => ended.answer.late + ended.answer.room >= 8 || performance.now() - start > 15_000);
  }
  const statuses: number[] = [];
  for (let n = 0; n < 5; n++) statuses.push((await post('/rest/v1/films', { title: 'A small one' })).status);
  clearInterval(timer);
  expect(statuses).toEqual(Array(5).fill(201));
  expect(maximum).toBeGreaterThan(20 * MEGABYTE);
  expect(maximum).toBeLessThan(200 * MEGABYTE);
  expect(process.memoryUsage().rss - before).toBeLessThan(1500 * MEGABYTE);

  // A client that reads receives the whole response.
  const response = await fetch(`http://127.0.0.1:${port}/rest/v1/films?select=title&id=gt.20000`, {
    headers: { apikey: PUBLISHABLE_KEY, 'x-forwarded-for': VISITOR },
  });
  expect((await response.text()).length).toBeGreaterThan(7_000_000);
  // Postgres writes up to 1.7 GB, which takes minutes on a busy machine.
}, 300_000);
