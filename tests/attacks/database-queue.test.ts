/** Long statements of attackers in many networks do not block reads and sign-ins of other visitors. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { changeSchema } from '../../packages/backend/tests/support/films.ts';
import { type RawAnswer, rawRequest } from '../../packages/backend/tests/support/raw-request.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Correct horse 42 battery';
const EMAIL = 'visitor@example.com';

/** Statements of attackers that run at the same time: half of the ten connections. */
const AT_ONCE = 5;

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend({ RATE_LIMITS: 'on' });
  // Represents any slow request that passes the limits of the table API.
  await changeSchema(
    api,
    `create function public.wait(seconds float) returns text language sql volatile as $$ select 'waited' from pg_sleep(seconds) $$;
     grant execute on function public.wait to anon, authenticated;
     create table public.notes (n int); grant select, insert on public.notes to anon`,
    'notes',
  );
  const { error } = await api.service.auth.admin.createUser({ email: EMAIL, password: PASSWORD, email_confirm: true });
  expect(error).toBeNull();
  // As on a site that has been used before.
  for (let n = 0; n < 20; n++) await read('203.0.113.1');
  await signIn('203.0.113.1');
});
afterAll(() => api.close());

const from = (address: string) => ({ 'x-forwarded-for': address });
const hold = (address: string, seconds = 60) =>
  rawRequest(api, 'POST', 'rpc/wait', { body: { seconds }, headers: from(address) });
const read = (address: string) => rawRequest(api, 'GET', 'posts?select=id&limit=1', { headers: from(address) });
const signIn = (address: string) =>
  fetch(`${api.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { ...from(address), apikey: 'x', 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });

const load = () => {
  const current = api.backend.database.load?.();
  if (!current) throw new Error('This database does not report its load');
  return current;
};

/** Sends two endless statements from each of ten networks, and waits until they run. */
async function attack(network: string) {
  const answers: RawAnswer[] = [];
  const sent = Array.from({ length: 20 }, (_, n) =>
    hold(`${network}.${n % 10}.1`).then((answer) => void answers.push(answer)),
  );
  await vi.waitFor(() => expect(load().working + load().waiting).toBeGreaterThanOrEqual(20), 5000);
  return {
    answers,
    /** Counts the completed statements of the attack. */
    ended: () => answers.filter(({ status }) => status === 500).length,
    done: () => Promise.all(sent),
  };
}

/** Sends a request and retries it after Retry-After, like a client. */
async function served(ask: () => Promise<{ status: number; headers: Headers }>): Promise<number> {
  for (let tries = 1; ; tries++) {
    const { status } = await ask();
    if (status !== 503 || tries === 5) return status;
  }
}

test('A visitor reads and signs in between the statements of ten attackers, who are rejected after waiting too long', async () => {
  const refused = load().refused;
  const strangers = await attack('198.18');
  const reading = served(() => read('203.0.113.2')).then((status) => ({ status, after: strangers.ended() }));
  const signingIn = served(() => signIn('203.0.113.3')).then((status) => ({ status, after: strangers.ended() }));
  const [wasRead, signedIn] = await Promise.all([reading, signingIn]);
  expect([wasRead.status, signedIn.status]).toEqual([200, 200]);
  expect(wasRead.after).toBeLessThanOrEqual(AT_ONCE + 1);
  expect(signedIn.after).toBeLessThanOrEqual(AT_ONCE + 3);

  await strangers.done();
  const late = strangers.answers.filter(({ status }) => status === 503);
  expect(late.length).toBeGreaterThan(0);
  expect(late[0]?.json).toEqual({
    code: '53300',
    message: 'The database is overloaded. Try again shortly.',
    details: null,
    hint: null,
  });
  expect(Number(late[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(load().refused).toBeGreaterThanOrEqual(refused + late.length);
}, 120_000);

test('All rows that were acknowledged during the attack are stored exactly once', async () => {
  const strangers = await attack('198.19');
  const written = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const headers = from(`203.0.${n}.4`);
      return { n, status: await served(() => rawRequest(api, 'POST', 'notes', { body: { n }, headers })) };
    }),
  );
  await strangers.done();
  const stored = (await api.backend.database.query<{ n: number }>('select n from public.notes order by n')).rows;
  const acknowledged = written.filter(({ status }) => status === 201).map(({ n }) => ({ n }));
  expect(written.filter(({ status }) => status !== 201 && status !== 503)).toEqual([]);
  expect(stored).toEqual(acknowledged);
  expect(acknowledged.length).toBeGreaterThan(0);
}, 120_000);

test('One account on thirty networks has three connections, and visitors read while its statements run', async () => {
  const { data } = await api.visitor.auth.signInWithPassword({ email: EMAIL, password: PASSWORD });
  const leave = new AbortController();
  const holding = Array.from({ length: 30 }, (_, n) =>
    fetch(`${api.url}/rest/v1/rpc/wait`, {
      method: 'POST',
      signal: leave.signal,
      headers: {
        ...from(`198.18.${n}.7`),
        apikey: PUBLISHABLE_KEY,
        authorization: `Bearer ${data.session?.access_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ seconds: 60 }),
    }).catch(() => null),
  );
  await expect.poll(sleeping).toBeGreaterThan(0);
  const most: number[] = [];
  for (let n = 0; n < 30; n++) {
    expect((await read(`203.0.${n}.9`)).status).toBe(200);
    most.push(await sleeping());
  }
  expect(Math.max(...most)).toBeLessThanOrEqual(3);
  leave.abort();
  await Promise.all(holding);
  await expect.poll(sleeping).toBe(0);
}, 120_000);

/** Counts the running statements of `wait`. */
async function sleeping(): Promise<number> {
  const { rowCount } = await api.backend.database.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
  );
  return rowCount;
}
