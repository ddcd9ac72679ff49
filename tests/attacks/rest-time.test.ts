/** A client that uses a lot of database time has to wait. Other clients are not affected. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { changeSchema } from '../../packages/backend/tests/support/films.ts';
import { rawRequest } from '../../packages/backend/tests/support/raw-request.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend({ RATE_LIMITS: 'on' });
  // Occupies a connection for a fixed time on any machine.
  await changeSchema(
    api,
    `create function public.work(milliseconds int) returns text language sql volatile as
       $$ select 'done' from pg_sleep(milliseconds / 1000.0) $$;
     grant execute on function public.work to anon, authenticated, service_role`,
  );
});
afterAll(() => api.close());

/** Sets the client IP address, which is trusted because the test's own socket is a proxy on this machine. */
const forwardedFor = (address: string) => ({ 'x-forwarded-for': address });
const runFor = (milliseconds: number, headers: Record<string, string>) =>
  rawRequest(api, 'POST', 'rpc/work', { body: { milliseconds }, headers });

describe('An IP address that has used ten seconds of database time', () => {
  const heavyUser = forwardedFor('198.51.100.1');

  test('gets a 429 response with Retry-After', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => runFor(1500, heavyUser)));
    const rejectedResponses = responses.filter(({ status }) => status === 429);
    // Two were running when the limit was reached.
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(10);
    expect(rejectedResponses.length).toBeGreaterThan(0);
    const [{ json, headers } = responses[0] ?? {}] = rejectedResponses;
    expect(json).toMatchObject({
      code: 'PGRST194',
      message: 'Your network has used too much database time',
      hint: null,
    });
    expect(Number(headers?.get('retry-after'))).toBeGreaterThan(0);
  });

  test('gets a 429 response with Retry-After for all its users and requests', async () => {
    const token = (await api.signedIn('client')).token;
    const userHeaders = { ...heavyUser, authorization: `Bearer ${token}` };
    await runFor(1500, heavyUser);
    expect((await rawRequest(api, 'GET', 'posts?limit=1', { headers: heavyUser })).status).toBe(429);
    expect((await rawRequest(api, 'GET', 'posts?limit=1', { headers: userHeaders })).status).toBe(429);
    expect((await rawRequest(api, 'POST', 'posts', { body: '{', headers: heavyUser })).status).toBe(429);
  });

  test('does not affect other addresses, the service role and server-rendered pages', async () => {
    const otherHeaders = forwardedFor('198.51.100.2');
    expect((await rawRequest(api, 'GET', 'posts?limit=1', { headers: otherHeaders })).status).toBe(200);
    const service = { ...heavyUser, apikey: api.backend.keys.secretKey };
    expect((await rawRequest(api, 'GET', 'posts?limit=1', { headers: service })).status).toBe(200);
    const page = new Request(`${api.url}/rest/v1/posts?limit=1`, { headers: { apikey: PUBLISHABLE_KEY } });
    expect((await api.backend.fetch(page)).status).toBe(200);
  });
});

test('In-process rendering and the service role have no time limit', async () => {
  const headers = { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json' };
  const url = `${api.url}/rest/v1/rpc/work`;
  for (let n = 0; n < 6; n++) {
    const body = JSON.stringify({ milliseconds: 2000 });
    expect((await api.backend.fetch(new Request(url, { method: 'POST', headers, body }))).status).toBe(200);
  }
}, 120_000);

test('An editor who opens two hundred lists at the same time is not limited', async () => {
  const { token } = await api.signedIn('admin');
  const headers = { ...forwardedFor('198.51.100.3'), authorization: `Bearer ${token}`, prefer: 'count=exact' };
  const lists = Array.from({ length: 200 }, (_, n) =>
    rawRequest(api, 'GET', `posts?select=id,title,status&or=(title.ilike.*a*,category.ilike.*a*)&limit=${n + 1}`, {
      headers,
    }),
  );
  expect((await Promise.all(lists)).filter(({ status }) => status >= 400)).toEqual([]);
});
