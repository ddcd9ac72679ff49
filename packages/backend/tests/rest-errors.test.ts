import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFilmTables } from './support/films.ts';
import { rawRequest } from './support/raw-request.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend();
  await createFilmTables(api);
});
afterAll(() => api.close());

const get = (path: string, headers: Record<string, string> = {}) => rawRequest(api, 'GET', path, { headers });

test('An unknown name is reported with a suggestion', async () => {
  const table = await get('film');
  expect(table).toMatchObject({
    status: 404,
    json: {
      code: 'PGRST205',
      message: "Could not find the table 'public.film' in the schema cache",
      details: null,
      hint: "Perhaps you meant the table 'public.films'",
    },
  });
  expect(table.headers.get('proxy-status')).toBe('PostgREST; error=PGRST205');
  expect(await get('films?select=nope')).toMatchObject({
    status: 400,
    json: { code: '42703', message: 'column films.nope does not exist' },
  });
  expect(await get('films?nope=eq.1')).toMatchObject({ status: 400, json: { code: '42703' } });
  expect(await get('films/1')).toMatchObject({ status: 404, json: { code: 'PGRST125' } });
  expect(await get('')).toMatchObject({ status: 404, json: { code: 'PGRST126' } });
});

test('Tables outside the exposed schema are not found', async () => {
  for (const name of ['users', 'auth.users', 'pg_class', 'pg_catalog.pg_class', 'signing_keys']) {
    expect([name, (await get(name)).status]).toEqual([name, 404]);
  }
});

test('A malformed query is rejected with the position of the error', async () => {
  expect(await get('films?id=noop.1')).toMatchObject({
    status: 400,
    json: {
      code: 'PGRST100',
      message: '"failed to parse filter (noop.1)" (line 1, column 6)',
      details: 'unknown single value operator noop',
    },
  });
  const malformed = [
    'select=id,',
    'select=(',
    'select=id::',
    'select=films(id',
    'select=*,*x',
    'id.=eq.1',
    'id=1',
    'id=eq',
    'id=in.1',
    'id=is.maybe',
    'or=()',
    'or=(id.eq.1',
    'or=(id)',
    'and=(id.eq.1,)',
    'order=id.up',
    'order=id.desc.asc',
    'order=',
    'id->=eq.1',
    'not.or=id',
    'columns=',
  ];
  for (const query of malformed) {
    const { status, json } = await get(`films?${query}`);
    expect([query, status, json]).toMatchObject([query, 400, { code: 'PGRST100' }]);
  }
});

test('Excessive nesting is rejected', async () => {
  const conditions = `${'and('.repeat(100)}id.eq.1${')'.repeat(100)}`;
  expect(await get(`films?or=(${conditions})`)).toMatchObject({ status: 400, json: { code: 'PGRST100' } });
  const embeds = `${'films('.repeat(11)}id${')'.repeat(11)}`;
  expect(await get(`films?select=${embeds}`)).toMatchObject({ status: 400, json: { code: 'PGRST100' } });
});

test('A value of the wrong type is rejected with the message of Postgres', async () => {
  expect(await get('films?id=eq.x')).toMatchObject({
    status: 400,
    json: { code: '22P02', message: 'invalid input syntax for type integer: "x"' },
  });
  expect(await get('films?title=eq.%00')).toMatchObject({ status: 400, json: { code: '22021' } });
  expect(await get('films?title=gt.1&id=like.1')).toMatchObject({ status: 404, json: { code: '42883' } });
});

test('Aggregates and unsupported media types, schemas and methods are rejected', async () => {
  expect(await get('films?select=rating.avg()')).toMatchObject({
    status: 400,
    json: { code: 'PGRST123', message: 'Use of aggregate functions is not allowed' },
  });
  expect(await get('films', { accept: 'image/png' })).toMatchObject({
    status: 406,
    json: { code: 'PGRST107', message: 'None of these media types are available: image/png' },
  });
  expect((await get('films', { accept: 'image/png, application/json;q=0.5' })).status).toBe(200);
  expect(await get('films', { 'accept-profile': 'auth' })).toMatchObject({
    status: 406,
    json: { code: 'PGRST106', message: 'Invalid schema: auth', hint: 'Only the following schemas are exposed: public' },
  });
  expect((await get('films', { 'accept-profile': 'public' })).headers.get('content-profile')).toBe('public');
  expect(await rawRequest(api, 'PROPFIND', 'films')).toMatchObject({ status: 405, json: { code: 'PGRST117' } });
});

test('Names of JavaScript object properties have no special meaning', async () => {
  expect(await get('films?select=id::constructor')).toMatchObject({ status: 400, json: { code: '42704' } });
  expect((await get('films', { prefer: 'constructor=x, __proto__=y' })).status).toBe(200);
  expect(await get('films', { accept: 'constructor' })).toMatchObject({ status: 406, json: { code: 'PGRST107' } });
  expect(await get('constructor')).toMatchObject({ status: 404, json: { code: 'PGRST205' } });
  expect(await get('rpc/constructor?__proto__=1')).toMatchObject({ status: 404, json: { code: 'PGRST202' } });
});

test('An unknown preference is an error only if handling is strict', async () => {
  expect((await get('films', { prefer: 'handling=lenient, anything=unknown' })).status).toBe(200);
  expect(await get('films', { prefer: 'handling=strict, anything=unknown, count=all' })).toMatchObject({
    status: 400,
    json: {
      code: 'PGRST122',
      message: 'Invalid preferences given with handling=strict',
      details: 'Invalid preferences: anything=unknown, count=all',
    },
  });
});

test('A forged, expired or malformed token returns 401 and the reason', async () => {
  const { keys } = api.backend;
  const signToken = (expires: string) =>
    new SignJWT({ role: 'authenticated' })
      .setProtectedHeader({ alg: 'ES256', kid: keys.current.kid })
      .setSubject(crypto.randomUUID())
      .setExpirationTime(expires)
      .sign(keys.current.privateKey);
  const withToken = (token: string) => get('films', { authorization: `Bearer ${token}` });

  expect((await withToken(await signToken('1h'))).status).toBe(200);
  const result = await withToken(await signToken('1 hour ago'));
  expect(result).toMatchObject({ status: 401, json: { code: 'PGRST303', message: 'JWT expired' } });
  expect(result.headers.get('www-authenticate')).toBe('Bearer error="invalid_token", error_description="JWT expired"');
  const forgedToken = `${(await signToken('1h')).slice(0, -4)}AAAA`;
  expect(await withToken(forgedToken)).toMatchObject({ status: 401, json: { code: 'PGRST301' } });
  expect(await withToken('nonsense')).toMatchObject({
    status: 401,
    json: { code: 'PGRST301', message: 'Expected 3 parts in JWT; got 1' },
  });
});

test('An unexpected error returns a fixed message with a request id, and hides its cause', async () => {
  const { database } = api.backend;
  const batch = database.batch;
  database.batch = () => Promise.reject(new Error('the disk is at /var/secret'));
  const { status, json, headers, text } = await get('films');
  const proxyResponse = await get('films', { 'x-request-id': '4bf92f3577b34da6a3ce929d0e0e4736' });
  database.batch = batch;
  expect(status).toBe(500);
  const id = headers.get('x-request-id') ?? '';
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(json).toEqual({
    code: 'XX000',
    message: `Something went wrong on our side. Please mention the request id ${id} if you report it.`,
    details: null,
    hint: null,
  });
  expect(text).not.toContain('secret');
  // The request id of the proxy is used, because it is also in the access log.
  expect(proxyResponse.headers.get('x-request-id')).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
  expect(proxyResponse.text).toContain('request id 4bf92f3577b34da6a3ce929d0e0e4736');
  expect((await get('films')).status).toBe(200);
});
