/** A connection pooler in front of an external Postgres server, and a database owner without further privileges. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { type NativePostgres, startNativePostgres } from '../../packages/backend/tests/support/native-postgres.ts';
import { type Pooler, startPooler } from '../../packages/backend/tests/support/pooler.ts';
import { listenForContentChanges } from '../../server/content-changes.ts';
import { createSiteBackend } from '../../server/site-backend.ts';
import { explainStartError } from '../../server/start-error.ts';

let server: NativePostgres;
let pooler: Pooler;
let folder: string;

beforeAll(async () => {
  [server, folder] = await Promise.all([startNativePostgres(), mkdtemp(join(tmpdir(), 'signalfjord-test-'))]);
  await runAsAdministrator(
    server.url,
    'create database pooled',
    'create role anon nologin noinherit; create role authenticated nologin noinherit; create role service_role nologin noinherit bypassrls',
  );
  pooler = await startPooler(server.url.replace(/\w+$/, 'pooled'));
});

afterAll(async () => {
  await pooler.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

async function runAsAdministrator(url: string, ...scripts: string[]): Promise<void> {
  const admin = openPostgresDatabase(url, 1);
  for (const script of scripts) await admin.script(script);
  await admin.close();
}

function startInstance(variables: Record<string, string>) {
  const config = parseConfig({ ...variables, DATA_DIR: folder, RATE_LIMITS: 'off' });
  return createSiteBackend(config, { log: pino({ level: 'silent' }) });
}

/** Returns the error message that the operator sees. */
async function readStartError(variables: Record<string, string>): Promise<string | null> {
  const error = await startInstance(variables).then(
    async (instance) => instance.close(),
    (reason: unknown) => reason,
  );
  return explainStartError(error, parseConfig({ ...variables, DATA_DIR: folder }));
}

test('A pooler without session support is reported at start, with the setting to change', async () => {
  const direct = server.url.replace(/\w+$/, 'pooled');
  expect(await readStartError({ DATABASE_URL: pooler.url })).toBe(
    'DATABASE_URL points to a connection pooler such as pgbouncer that does not support sessions or session settings. ' +
      'Also set DATABASE_DIRECT_URL to the address of the Postgres server itself.',
  );
  expect(await readStartError({ DATABASE_URL: direct, DATABASE_DIRECT_URL: pooler.url })).toBe(
    'DATABASE_DIRECT_URL points to a connection pooler such as pgbouncer that does not support sessions or session settings. ' +
      'Set it to the address of the Postgres server itself.',
  );
});

test("Behind a pooler without sessions, instances start together and are notified of each other's changes", async () => {
  const variables = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: server.url.replace(/\w+$/, 'pooled') };
  const [first, second] = await Promise.all([startInstance(variables), startInstance(variables)]);
  const createServiceClient = ({ fetch, keys }: typeof first) =>
    createClient('http://localhost', keys.secretKey, {
      global: { fetch: async (...args) => fetch(new Request(...args)) },
      auth: { persistSession: false },
    });
  const [writer, reader] = [createServiceClient(first), createServiceClient(second)];
  let changes = 0;
  const listener = await listenForContentChanges(second.database, () => {
    changes += 1;
  });

  await writer.from('posts').insert({ title: 'Pooled', slug: 'pooled' }).throwOnError();
  await listener.settled();
  expect(changes).toBe(1);
  const reads = Array.from({ length: 30 }, () => reader.from('posts').select('title').eq('slug', 'pooled'));
  for (const { data } of await Promise.all(reads)) expect(data).toEqual([{ title: 'Pooled' }]);

  const account = { email: 'pooled@example.com', password: 'Right-password-1' };
  expect((await writer.auth.signUp(account)).error).toBeNull();
  expect((await reader.auth.signInWithPassword(account)).error).toBeNull();
  const limits = await first.database.query(`select current_setting('statement_timeout') as limit, $1::text as given`, [
    'x',
  ]);
  expect(limits.rows).toEqual([{ limit: '1min', given: 'x' }]);
  await Promise.all([first.close(), second.close()]);
});

test('After a pooler restart, the instance recovers and no acknowledged write is lost', async () => {
  const variables = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: server.url.replace(/\w+$/, 'pooled') };
  const instance = await startInstance(variables);
  const client = createClient('http://localhost', instance.keys.secretKey, {
    global: { fetch: async (...args) => instance.fetch(new Request(...args)) },
    auth: { persistSession: false },
  });
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  const write = async (slug: string) => {
    const { status } = await client.from('posts').insert({ title: 'Kept', slug });
    statuses.add(status);
    if (status === 201) acknowledged.push(slug);
  };
  for (let round = 0; round < 3; round += 1) {
    const writes = Array.from({ length: 20 }, (_, index) => write(`kept-${round}-${index}`));
    await pooler.restart();
    await Promise.all(writes);
  }
  await expect.poll(async () => (await client.from('posts').select('slug').limit(1)).status).toBe(200);
  await write('kept-at-the-end');
  expect([...statuses].every((status) => status === 201 || status === 503)).toBe(true);
  expect(acknowledged).toContain('kept-at-the-end');
  const { data } = await client.from('posts').select('slug').like('slug', 'kept-%').throwOnError();
  const slugs = data.map(({ slug }) => slug);
  expect(slugs).toEqual(expect.arrayContaining(acknowledged));
  await instance.close();
});

test('The database owner needs no privileges except the roles in the documentation', async () => {
  await runAsAdministrator(server.url, 'create role shop login', 'create database shop owner shop');
  const DATABASE_URL = server.url.replace('postgres@', 'shop@').replace(/\w+$/, 'shop');
  expect(await readStartError({ DATABASE_URL })).toMatch(
    /^The database of DATABASE_URL cannot be used \(.*permission denied to grant role.*\)\. See docs\/scaling\.md for the privileges that its owner needs\.$/s,
  );

  await runAsAdministrator(server.url, 'grant anon, authenticated, service_role to shop');
  const instance = await startInstance({ DATABASE_URL });
  const visitor = createClient('http://localhost', PUBLISHABLE_KEY, {
    global: { fetch: async (...args) => instance.fetch(new Request(...args)) },
    auth: { persistSession: false },
  });
  expect((await visitor.from('posts').select('slug').throwOnError()).data).toHaveLength(6);
  expect((await visitor.from('posts').insert({ title: 'x', slug: 'x' })).status).toBe(401);
  await instance.close();
});
