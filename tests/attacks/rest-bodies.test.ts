/** Endless, deeply nested or invalid bodies do not block other visitors. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { createFilmTables } from '../../packages/backend/tests/support/films.ts';
import { rawRequest } from '../../packages/backend/tests/support/raw-request.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const MEGABYTE = 1024 * 1024;

let api: TestBackend;
let member: Record<string, string>;
let service: Record<string, string>;
beforeAll(async () => {
  api = await startTestBackend({ RATE_LIMITS: 'on' });
  await createFilmTables(api);
  member = { authorization: `Bearer ${(await api.signedIn('client')).token}` };
  service = { apikey: api.backend.keys.secretKey };
});
afterAll(() => api.close());

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  rawRequest(api, 'POST', path, { body, headers });
const filmBody = (bytes: number) => JSON.stringify({ title: 'x'.repeat(bytes) });
const tooLargeError = (bytes: number) => ({
  status: 413,
  json: {
    code: 'PGRST192',
    message: 'The request body is too large',
    details: `At most ${bytes} bytes are allowed.`,
    hint: null,
  },
});

describe('A body can be up to 1 MB from a visitor, 10 MB from signed-in users and 50 MB from the service role', () => {
  test('A larger body is rejected', async () => {
    expect(await post('films', filmBody(MEGABYTE))).toMatchObject(tooLargeError(MEGABYTE));
    expect(await post('rpc/add', filmBody(MEGABYTE))).toMatchObject(tooLargeError(MEGABYTE));
    expect(await rawRequest(api, 'PATCH', 'films?id=eq.1', { body: filmBody(MEGABYTE) })).toMatchObject(
      tooLargeError(MEGABYTE),
    );
    const bytes = { 'content-type': 'application/octet-stream' };
    expect(await post('rpc/add', 'x'.repeat(MEGABYTE + 1), bytes)).toMatchObject(tooLargeError(MEGABYTE));
    expect(await post('films', filmBody(10 * MEGABYTE), member)).toMatchObject(tooLargeError(10 * MEGABYTE));
    expect(await post('films', filmBody(50 * MEGABYTE), service)).toMatchObject(tooLargeError(50 * MEGABYTE));
  });

  test('A smaller body is written', async () => {
    expect((await post('films', filmBody(MEGABYTE - 100))).status).toBe(201);
    expect((await post('films', filmBody(MEGABYTE), { ...member, prefer: 'return=minimal' })).status).toBe(201);
    expect((await post('films', filmBody(11 * MEGABYTE), service)).status).toBe(201);
  });

  test('Many concurrent bodies from one network are rejected, and other visitors are still served', async () => {
    const writers: WritableStreamDefaultWriter<Uint8Array>[] = [];
    const startBody = (address: string) => {
      const { readable, writable } = new TransformStream<Uint8Array>(undefined, { highWaterMark: 2 });
      const writer = writable.getWriter();
      void writer.write(new TextEncoder().encode(`{"title":"${'x'.repeat(MEGABYTE - 100)}`));
      writers.push(writer);
      // Node requires `duplex` for a stream body, which the DOM's types do not have.
      const init = { method: 'POST', headers: { apikey: PUBLISHABLE_KEY }, body: readable, duplex: 'half' };
      return api.backend.fetch(new Request(`${api.url}/rest/v1/films`, init), address);
    };
    const responses = Array.from({ length: 26 }, () => startBody('203.0.113.7'));
    const response = await Promise.any(responses);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'PGRST196' });
    const otherResponse = startBody('203.0.113.8');
    await writers.at(-1)?.write(new TextEncoder().encode('"}'));
    await writers.at(-1)?.close();
    expect((await otherResponse).status).toBe(201);
    for (const writer of writers.slice(0, -1)) await writer.abort().catch(() => undefined);
    await Promise.all(responses);
    // A finished body no longer uses memory.
    const nextResponse = startBody('203.0.113.7');
    await writers.at(-1)?.write(new TextEncoder().encode('"}'));
    await writers.at(-1)?.close();
    expect((await nextResponse).status).toBe(201);
  });

  test('A body with an excessive declared length is rejected unread, and bodies without a length are counted', async () => {
    const withLength = await sendRaw(`content-length: ${50 * MEGABYTE}`, 0);
    expect(withLength.response).toMatch(/^HTTP\/1.1 413 /);
    expect(withLength.response).toContain('PGRST192');
    const chunked = await sendRaw('transfer-encoding: chunked', 50 * MEGABYTE);
    expect(chunked.response).toMatch(/^HTTP\/1.1 413 /);
    expect(chunked.sent).toBeLessThan(20 * MEGABYTE);
  });

  test('An unknown table and an invalid token are reported without reading the body', async () => {
    expect(await sendRaw(`content-length: ${MEGABYTE - 1}`, 0, 'nothing')).toMatchObject({
      response: expect.stringMatching(/^HTTP\/1.1 404 /),
    });
    expect(await sendRaw(`content-length: ${MEGABYTE - 1}\r\nauthorization: Bearer x.y.z`, 0)).toMatchObject({
      response: expect.stringMatching(/^HTTP\/1.1 401 /),
    });
  });
});

/**
 * Sends a raw POST request. After the headers it sends chunks of spaces, until `bytes` are sent or a response arrives.
 */
async function sendRaw(header: string, bytes: number, table = 'films'): Promise<{ response: string; sent: number }> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  const response = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
  let hasResponse = false;
  void response.then(() => {
    hasResponse = true;
  });
  socket.on('error', () => undefined);
  socket.write(
    `POST /rest/v1/${table} HTTP/1.1\r\nhost: x\r\napikey: ${PUBLISHABLE_KEY}\r\ncontent-type: application/json\r\n${header}\r\n\r\n`,
  );
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  let sentBytes = 0;
  for (; sentBytes < bytes && !hasResponse && !socket.destroyed; sentBytes += 0x10000) {
    if (!socket.write(chunk)) await Promise.race([new Promise((drained) => socket.once('drain', drained)), response]);
  }
  const text = await response;
  socket.destroy();
  return { response: text, sent: sentBytes };
}

describe('JSON can be nested 64 levels deep', () => {
  const nest = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);

  test.each([
    ['lists', nest(65, '[', ']')],
    ['objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
    ['a value of a column', `{"title":${nest(64, '[', ']')}}`],
    ['unclosed brackets', '['.repeat(MEGABYTE - 1)],
    ['brackets after a string with brackets', `{"a":"]]]]","title":${nest(64, '[', ']')}}`],
  ])('deeper nesting is rejected (%s)', async (_title, body) => {
    const rejection = { status: 400, json: { code: 'PGRST102', message: 'JSON can be nested at most 64 levels deep' } };
    expect(await post('films', body)).toMatchObject(rejection);
    expect(await post('films?columns=title', body)).toMatchObject(rejection);
    expect(await post('rpc/echo_body', body)).toMatchObject(rejection);
  });

  test('64 levels and brackets in a string are accepted', async () => {
    expect((await post('rpc/echo_body', `{"a":${nest(63, '[', ']')}}`)).status).toBe(200);
    expect((await post('rpc/echo_body', `{"a":"${'['.repeat(100)}\\"${'['.repeat(100)}"}`)).status).toBe(200);
  });
});

describe('CSV has the same limits', () => {
  const csv = (body: string, headers = {}) => post('films', body, { 'content-type': 'text/csv', ...headers });

  test('CSV is limited in columns, rows and the size of the rows as JSON', async () => {
    const columns = Array.from({ length: 101 }, (_, n) => `c${n}`).join();
    expect(await csv(columns)).toMatchObject({ status: 400, json: { code: 'PGRST190' } });
    expect(await csv(`title\n${'x\n'.repeat(1001)}`)).toMatchObject({ status: 400, json: { code: 'PGRST190' } });
    expect(await csv(`title,${'x'.repeat(3000)}\n${'x,1\n'.repeat(1000)}`)).toMatchObject({ status: 413 });
  });

  test('A very long quoted value is rejected or written, but never buffered without a limit', async () => {
    expect(await csv(`title\n"${'""'.repeat(400_000)}`)).toMatchObject({ status: 400, json: { code: 'PGRST102' } });
    expect((await csv(`title\n"${'""'.repeat(400_000)}"`)).status).toBe(201);
    expect((await csv(`title\n"${'x'.repeat(9_000_000)}"`, member)).status).toBe(201);
  });

  test('1,000 rows of a few columns are written', async () => {
    expect((await csv(`title,year\n${'x,2000\n'.repeat(1000)}`)).status).toBe(201);
  });
});

test('A URL of more than 16 kB is rejected, even without an HTTP server in front', async () => {
  const request = (length: number, headers: Record<string, string>) =>
    new Request(`${api.url}/rest/v1/films?title=eq.${'x'.repeat(length)}`, { headers });
  const response = await api.backend.fetch(request(16_384, { apikey: PUBLISHABLE_KEY }));
  expect(response.status).toBe(414);
  expect(await response.json()).toMatchObject({ code: 'PGRST195' });
  expect((await api.backend.fetch(request(16_000, { apikey: PUBLISHABLE_KEY }))).status).toBe(200);
  expect((await api.backend.fetch(request(50_000, service))).status).toBe(200);
});

describe('A response can be up to 10 MB', () => {
  beforeAll(async () => {
    await api.backend.database.query(
      `insert into public.films (id, title, year) select 10000 + n, repeat('y', 600000), 2001 from generate_series(1, 18) n`,
    );
  });
  const tooLargeResponse = { status: 400, json: { code: 'PGRST193', details: 'At most 10485760 bytes are allowed.' } };

  test('A larger response is rejected in every format', async () => {
    for (const accept of ['*/*', 'text/csv', 'application/vnd.pgrst.array+json;nulls=stripped']) {
      expect(await rawRequest(api, 'GET', 'films?id=gt.10000', { headers: { accept } })).toMatchObject(
        tooLargeResponse,
      );
    }
    const response = await rawRequest(api, 'GET', 'rpc/films_since?since=2001&id=gt.10000');
    expect(response).toMatchObject(tooLargeResponse);
    expect(await rawRequest(api, 'GET', 'films?id=gt.10000', { headers: member })).toMatchObject(tooLargeResponse);
  });

  test('Smaller responses, and a larger one for the service role, are returned', async () => {
    expect((await rawRequest(api, 'GET', 'films?id=gt.10000&limit=16')).text.length).toBeGreaterThan(9_000_000);
    expect((await rawRequest(api, 'GET', 'films?id=gt.10000', { headers: service })).status).toBe(200);
  });

  test('A write with a larger response is rolled back', async () => {
    const prefer = { prefer: 'return=representation' };
    const update = await rawRequest(api, 'PATCH', 'films?id=gt.10000', { body: { year: 2002 }, headers: prefer });
    expect(update).toMatchObject(tooLargeResponse);
    expect((await rawRequest(api, 'GET', 'films?select=id&id=gt.10000&year=eq.2002')).json).toEqual([]);
    const minimal = await rawRequest(api, 'PATCH', 'films?id=gt.10000', { body: { year: 2002 } });
    expect(minimal.status).toBe(204);
  });
});
