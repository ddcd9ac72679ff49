/** Bytes that Postgres cannot store, in every part of a request, cause a client error, never a server error. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { createFilmTables } from '../../packages/backend/tests/support/films.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend({ RATE_LIMITS: 'on' });
  await createFilmTables(api);
});
afterAll(() => api.close());

/** NUL, an unpaired surrogate in UTF-8, and invalid UTF-8. */
const BYTES = ['%00', 'a%00b', '%ED%A0%80', '%FF', '%C3%28'];

const PATHS = [
  '§',
  'films§',
  '§films',
  'films/§',
  'rpc/§',
  'rpc/add§?a=1',
  'rpc/add?a=§',
  'rpc/add?§=1',
  'rpc/films_since?since=§',
  'rpc/films_since?since=1&title=eq.§',
  'films?select=§',
  'films?select=id§',
  'films?select=a§:id',
  'films?select="a§":id',
  'films?select=id::§',
  'films?select=id::te§xt',
  'films?select=directors§(id)',
  'films?select=directors!§(id)',
  'films?select=directors(name§)',
  'directors?select=facts->§',
  'directors?select=facts->>"§"',
  'directors?facts->>§=eq.a',
  'directors?facts->"a§"->>b=eq.§',
  'films?§=eq.1',
  'films?id§=eq.1',
  'films?title=§',
  'films?title=§.a',
  'films?title=eq.§',
  'films?id=eq.§',
  'films?title=neq.§',
  'films?title=gt.§',
  'films?title=like.§',
  'films?title=ilike.*§*',
  'films?title=like(any).{§}',
  'films?title=not.eq.§',
  'films?title=in.(§)',
  'films?title=in.("§",a)',
  'films?id=in.(§)',
  'films?title=is.§',
  'films?title=fts.§',
  'films?title=wfts(§).a',
  'films?title=plfts(english).§',
  'films?tags=cs.{§}',
  'films?tags=ov.{"§"}',
  'films?running=sl.[§,1]',
  'films?title=isdistinct.§',
  'films?or=(title.eq.§)',
  'films?or=(§.eq.1)',
  'films?and=(id.gt.0,or(title.eq."§",id.eq.1))',
  'films?not.or=(title.in.(§),id.eq.1)',
  'films?select=directors(id)&directors.name=eq.§',
  'films?select=directors(id)&directors.§=eq.a',
  'films?select=directors(id)&§.name=eq.a',
  'films?select=directors(id)&directors.order=§',
  'films?order=§',
  'films?order=title.§',
  'films?order=directors(§)',
  'films?limit=§',
  'films?offset=1§',
  'films?columns=§',
  'films?on_conflict=§',
];

describe.each(BYTES)('%s', (bytes) => {
  test('is rejected or ignored in every part of a query', async () => {
    const statuses: Record<string, number> = {};
    for (const path of PATHS) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        if (method !== 'GET' && (path.startsWith('rpc') || !path.includes('?'))) continue;
        const { status } = await send(method, path.replaceAll('§', bytes), method === 'PATCH' ? '{"year":2000}' : null);
        statuses[`${method} ${path}`] = status;
      }
    }
    expect(Object.entries(statuses).filter(([, status]) => status >= 500)).toEqual([]);
  });

  test('is rejected in the query of an insert', async () => {
    for (const query of ['columns=§', 'on_conflict=§', 'select=§', 'select=a§:id', 'columns="title§"']) {
      const { status } = await send('POST', `films?${query.replace('§', bytes)}`, '{"title":"x"}');
      expect([query, status < 500]).toEqual([query, true]);
    }
  });
});

const BODIES: [title: string, body: string | Uint8Array<ArrayBuffer>, contentType: string][] = [
  ['an escaped NUL in a value', '{"title":"a\\u0000b"}', 'application/json'],
  ['an escaped NUL in a key', '{"ti\\u0000tle":"b"}', 'application/json'],
  ['an escaped NUL in a JSON column', '{"id":900,"name":"x","facts":{"a":"\\u0000"}}', 'application/json'],
  ['an escaped NUL in an array', '{"title":"x","tags":["\\u0000"]}', 'application/json'],
  ['an unpaired surrogate', '{"title":"\\ud800"}', 'application/json'],
  ['an unpaired surrogate in a JSON column', '{"id":901,"name":"x","facts":{"a":"\\udc00"}}', 'application/json'],
  ['a bare NUL', '{"title":"a\0b"}', 'application/json'],
  ['a bare NUL after the value', '{"title":"ab"}\0', 'application/json'],
  ['invalid UTF-8', Uint8Array.of(...Buffer.from('{"title":"'), 0xff, 0xfe, ...Buffer.from('"}')), 'application/json'],
  ['a truncated character', Uint8Array.of(...Buffer.from('{"title":"x"}'), 0xc3), 'application/json'],
  [
    'an unpaired surrogate as bytes',
    Uint8Array.of(...Buffer.from('{"title":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')),
    'application/json',
  ],
  ['a NUL in CSV', 'title\na\0b', 'text/csv'],
  ['a NUL in the header of CSV', 'ti\0tle\na', 'text/csv'],
  ['invalid UTF-8 in CSV', Uint8Array.of(...Buffer.from('title\n'), 0xff), 'text/csv'],
  ['a NUL in a form', 'title=a%00b', 'application/x-www-form-urlencoded'],
  ['a NUL in the name of a form field', 'ti%00tle=a', 'application/x-www-form-urlencoded'],
];

test.each(BODIES)('%s in a body is rejected with 400, and nothing is written', async (_title, body, contentType) => {
  const headers = { 'content-type': contentType, prefer: 'return=representation' };
  for (const path of ['films', 'films?columns=title', 'directors', 'rpc/add', 'rpc/echo_body']) {
    const { status, text } = await send('POST', path, body, headers);
    // A function with other arguments is not found, and echo_body may return its JSON argument.
    expect([path, path.startsWith('rpc') ? status < 500 : status === 400, text]).toEqual([path, true, text]);
    expect((await send('PATCH', 'films?id=eq.1', body, headers)).status).toBe(400);
  }
  expect((await send('GET', 'films?select=title&id=eq.1')).text).toBe('[{"title":"Cléo"}]');
});

test.each(['text/plain', 'text/xml', 'application/octet-stream'])(
  'A raw body of %s with a NUL causes no server error',
  async (type) => {
    for (const path of ['rpc/echo_body', 'rpc/add', 'films']) {
      expect((await send('POST', path, 'a\0b', { 'content-type': type })).status).toBeLessThan(500);
    }
  },
);

test('Headers with invalid UTF-8 cause no server error', async () => {
  for (const name of ['prefer', 'accept', 'range', 'x-conversation-id', 'accept-profile', 'apikey', 'x-client-info']) {
    for (const value of ['\u00ff', 'a\u00e9', '\u0080', '"', '{']) {
      expect([name, value, (await send('GET', 'films', null, { [name]: value })).status < 500]).toEqual([
        name,
        value,
        true,
      ]);
    }
  }
});

test('Every other character is stored unchanged', async () => {
  const title = '\u0001\u001f\u007f\u0080\u2028\ufffe\u{10ffff}😀"\\%*';
  const insertion = await send('POST', 'films?select=title', JSON.stringify({ title }), {
    prefer: 'return=representation',
  });
  expect(JSON.parse(insertion.text)).toEqual([{ title }]);
  const result = await send('GET', `films?select=title&title=eq.${encodeURIComponent(title)}`);
  expect(JSON.parse(result.text)).toEqual([{ title }]);
});

async function send(
  method: string,
  path: string,
  body: string | Uint8Array<ArrayBuffer> | null = null,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${api.url}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: PUBLISHABLE_KEY,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}
