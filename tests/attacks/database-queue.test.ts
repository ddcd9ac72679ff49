/** Long statements of attackers in many networks do not block other visitors from reading or signing in. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { changeSchema } from '../../packages/backend/tests/support/films.ts';
import { type RawResponse, rawRequest } from '../../packages/backend/tests/support/raw-request.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Correct horse 42 battery';
const EMAIL = 'visitor@example.com';

/** Maximum number of attackers' statements that run at the same time. It is half of the ten connections. */
const MAX_CONCURRENT = 5;

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend({ RATE_LIMITS: 'on' });
  // Represents any slow request that passes the limits of the table API.
  await changeSchema(
    api,
    `create function public.wait(seconds float) returns text language sql volatile as $$ select 'waited' from pg_sleep(seconds) $$;
     grant execute on function public.wait to anon, authenticated;
     create table public.notes (n int); grant select, insert on public.notes to anon`,
  );
  const { error } = await api.service.auth.admin.createUser({ email: EMAIL, password: PASSWORD, email_confirm: true });
  expect(error).toBeNull();
  // Warm up the server, because real sites have been used before.
  for (let n = 0; n < 20; n++) await readPosts('203.0.113.1');
  await signIn('203.0.113.1');
});
afterAll(() => api.close());

const forwardedFor = (address: string) => ({ 'x-forwarded-for': address });
const holdConnection = (address: string, seconds = 60) =>
  rawRequest(api, 'POST', 'rpc/wait', { body: { seconds }, headers: forwardedFor(address) });
const readPosts = (address: string) =>
  rawRequest(api, 'GET', 'posts?select=id&limit=1', { headers: forwardedFor(address) });
const signIn = (address: string) =>
  fetch(`${api.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { ...forwardedFor(address), apikey: 'x', 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });

const readLoad = () => {
  const current = api.backend.database.load?.();
  if (!current) throw new Error('This database does not report its load');
  return current;
};

/** Sends two endless statements from each of ten networks, and waits until they run. */
async function attack(network: string) {
  const responses: RawResponse[] = [];
  const requests = Array.from({ length: 20 }, (_, n) =>
    holdConnection(`${network}.${n % 10}.1`).then((response) => void responses.push(response)),
  );
  await vi.waitFor(() => expect(readLoad().running + readLoad().queued).toBeGreaterThanOrEqual(20), 120_000);
  return {
    responses,
    /** Counts the completed statements of the attack. */
    countCompleted: () => responses.filter(({ status }) => status === 500).length,
    finish: () => Promise.all(requests),
  };
}

/** Sends a request and repeats it after a 503, like a client. */
async function sendWithRetry(send: () => Promise<{ status: number; headers: Headers }>): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const { status } = await send();
    if (status !== 503 || attempt === 5) return status;
  }
}

test('A visitor reads and signs in between the statements of ten attackers, who are rejected after waiting too long', async () => {
  const rejectedBefore = readLoad().rejected;
  const flood = await attack('198.18');
  const readStatus = sendWithRetry(() => readPosts('203.0.113.2')).then((status) => ({
    status,
    after: flood.countCompleted(),
  }));
  const signInStatus = sendWithRetry(() => signIn('203.0.113.3')).then((status) => ({
    status,
    after: flood.countCompleted(),
  }));
  const [readResult, signInResult] = await Promise.all([readStatus, signInStatus]);
  expect([readResult.status, signInResult.status]).toEqual([200, 200]);
  expect(readResult.after).toBeLessThanOrEqual(MAX_CONCURRENT + 1);
  expect(signInResult.after).toBeLessThanOrEqual(MAX_CONCURRENT + 3);

  await flood.finish();
  const rejectedResponses = flood.responses.filter(({ status }) => status === 503);
  expect(rejectedResponses.length).toBeGreaterThan(0);
  expect(rejectedResponses[0]?.json).toEqual({
    code: '53300',
    message: 'The database is overloaded. Try again shortly.',
    details: null,
    hint: null,
  });
  expect(Number(rejectedResponses[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(readLoad().rejected).toBeGreaterThanOrEqual(rejectedBefore + rejectedResponses.length);
}, 120_000);

test('All rows that were acknowledged during the attack are stored exactly once', async () => {
  const flood = await attack('198.19');
  const insertions = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const headers = forwardedFor(`203.0.${n}.4`);
      return { n, status: await sendWithRetry(() => rawRequest(api, 'POST', 'notes', { body: { n }, headers })) };
    }),
  );
  await flood.finish();
  const storedRows = (await api.backend.database.query<{ n: number }>('select n from public.notes order by n')).rows;
  const acknowledged = insertions.filter(({ status }) => status === 201).map(({ n }) => ({ n }));
  expect(insertions.filter(({ status }) => status !== 201 && status !== 503)).toEqual([]);
  expect(storedRows).toEqual(acknowledged);
  expect(acknowledged.length).toBeGreaterThan(0);
}, 120_000);

test('One account on thirty networks has three connections, and visitors read while its statements run', async () => {
  const { data } = await api.visitor.auth.signInWithPassword({ email: EMAIL, password: PASSWORD });
  const controller = new AbortController();
  const requests = Array.from({ length: 30 }, (_, n) =>
    fetch(`${api.url}/rest/v1/rpc/wait`, {
      method: 'POST',
      signal: controller.signal,
      headers: {
        ...forwardedFor(`198.18.${n}.7`),
        apikey: PUBLISHABLE_KEY,
        authorization: `Bearer ${data.session?.access_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ seconds: 60 }),
    }).catch(() => null),
  );
  await expect.poll(countSleeping).toBeGreaterThan(0);
  const counts: number[] = [];
  for (let n = 0; n < 30; n++) {
    expect((await readPosts(`203.0.${n}.9`)).status).toBe(200);
    counts.push(await countSleeping());
  }
  expect(Math.max(...counts)).toBeLessThanOrEqual(3);
  controller.abort();
  await Promise.all(requests);
  await expect.poll(countSleeping).toBe(0);
}, 120_000);

/** Counts the running statements of `wait`. */
async function countSleeping(): Promise<number> {
  const { rowCount } = await api.backend.database.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
  );
  return rowCount;
}
