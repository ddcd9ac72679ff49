/**
 * An external Postgres server. Unlike the built-in server, it can become unreachable and can serve several instances of
 * the server.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { decodeProtectedHeader } from 'jose';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { PUBLISHABLE_KEY, rotateSigningKey } from '../../packages/backend/src/http/keys.ts';
import { type NativePostgres, startNativePostgres } from '../../packages/backend/tests/support/native-postgres.ts';
import { addAdmin } from '../../server/first-admin.ts';
import { createSiteBackend } from '../../server/site-backend.ts';
import { runCommand } from '../support/command.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

let server: NativePostgres;
let folder: string;

beforeAll(async () => {
  [server, folder] = await Promise.all([startNativePostgres(), mkdtemp(join(tmpdir(), 'signalfjord-test-'))]);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

async function newDatabase(name: string): Promise<string> {
  const admin = openPostgresDatabase(server.url, 1);
  await admin.script(`create database ${name}`);
  await admin.close();
  return server.url.replace(/\w+$/, name);
}

function startInstance(DATABASE_URL: string) {
  const config = parseConfig({ DATABASE_URL, DATA_DIR: folder, RATE_LIMITS: 'off' });
  return createSiteBackend(config, { log: pino({ level: 'silent' }) });
}

test('Instances that start at the same time on an empty database set it up once', async () => {
  const url = await newDatabase('together');
  const instances = await Promise.all(Array.from({ length: 6 }, () => startInstance(url)));
  expect(instances.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(new Set(instances.map(({ keys }) => keys.secretKey)).size).toBe(1);
  const posts = await instances[0]?.database.query<{ n: number }>('select count(*)::int as n from public.posts');
  expect(posts?.rows).toEqual([{ n: 6 }]);
  await Promise.all(instances.map((instance) => instance.close()));
});

test('A first start that failed halfway is completed by the next start, including the starter content', async () => {
  const url = await newDatabase('halfway');
  const blocker = openPostgresDatabase(url, 1);
  // The first migration fails because its table exists already.
  await blocker.script('create table public.user_roles ()');
  await expect(startInstance(url)).rejects.toThrow('_baseline.sql failed');
  await blocker.script('drop table public.user_roles');
  const instance = await startInstance(url);
  expect(instance.isNew).toBe(true);
  const readPosts = () => instance.database.query('select slug from public.posts');
  expect((await readPosts()).rows).toHaveLength(6);
  await instance.database.query('delete from public.posts');
  const secondInstance = await startInstance(url);
  expect(secondInstance.isNew).toBe(false);
  expect((await readPosts()).rows).toEqual([]);
  await Promise.all([instance, secondInstance, blocker].map((resource) => resource.close()));
});

test('A key rotation or revocation by one instance takes effect in every instance immediately', async () => {
  const url = await newDatabase('keys');
  const instances = [await startInstance(url), await startInstance(url)] as const;
  const command = openPostgresDatabase(url, 1);
  const signIn = async () => {
    const request = new Request('http://localhost/auth/v1/token?grant_type=password', {
      method: 'POST',
      body: JSON.stringify({ email: 'ada@example.com', password }),
    });
    return ((await (await instances[0].fetch(request)).json()) as { access_token: string }).access_token;
  };
  const readStatuses = (token: string) =>
    Promise.all(
      instances.map(async (instance) => {
        const headers = { authorization: `Bearer ${token}` };
        return (await instance.fetch(new Request('http://localhost/auth/v1/user', { headers }))).status;
      }),
    );
  const { password } = await addAdmin(command, 'ada@example.com');
  const first = instances[0].keys.current.kid;
  const oldToken = await signIn();
  expect(await readStatuses(oldToken)).toEqual([200, 200]);

  const second = await rotateSigningKey(command, 'ES256');
  await expect.poll(() => instances.map(({ keys }) => keys.current.kid)).toEqual([second, second]);
  const newToken = await signIn();
  expect(decodeProtectedHeader(newToken).kid).toBe(second);
  expect(await readStatuses(newToken)).toEqual([200, 200]);
  expect(await readStatuses(oldToken)).toEqual([200, 200]);

  // Revoke the key in the table, without the command.
  await command.query('delete from backend.signing_keys where kid = $1', [first]);
  await expect.poll(() => instances.map(({ keys }) => [...keys.verifying.keys()])).toEqual([[second], [second]]);
  expect(await readStatuses(oldToken)).toEqual([403, 403]);
  expect(await readStatuses(newToken)).toEqual([200, 200]);
  await command.close();
  await Promise.all(instances.map((instance) => instance.close()));
});

test('Commands print the name of their database without its password, and reject an empty database', async () => {
  const url = new URL(await newDatabase('commands'));
  url.password = 'geheim';
  const environment = { DATABASE_URL: url.href, DATA_DIR: join(folder, 'none') };
  expect(await runCommand(['scripts/admin.ts', 'list'], environment)).toMatchObject({
    code: 1,
    stderr: `The database ${url.host}/commands does not contain a site yet. Start the server with it once.`,
  });
});

test('After a reconnect, a listener is notified that it may have missed messages', async () => {
  const proxy = await startTcpProxy(await newDatabase('listeners'));
  const database = openPostgresDatabase(proxy.url, 2);
  const payloads: string[] = [];
  let notify = () => {};
  await database.listen('news', (payload) => {
    payloads.push(payload);
    notify();
  });
  const next = () => new Promise<void>((resolve) => (notify = resolve));

  let notified = next();
  await database.query(`select pg_notify('news', 'before')`);
  await notified;
  notified = next();
  await proxy.disconnect();
  await proxy.restore();
  await notified;
  notified = next();
  await database.query(`select pg_notify('news', 'after')`);
  await notified;
  expect(payloads).toEqual(['before', '', 'after']);
  await database.close();
  await proxy.disconnect();
});

test('A listener can be stopped while the server is unreachable, and is not notified after a reconnect', async () => {
  const proxy = await startTcpProxy(await newDatabase('stopped_listeners'));
  const database = openPostgresDatabase(proxy.url, 2);
  const payloads: string[] = [];
  const stopListening = await database.listen('news', (payload) => payloads.push(payload));
  let notify = () => {};
  await database.listen('others', () => notify());
  const next = () => new Promise<void>((resolve) => (notify = resolve));

  let notified = next();
  await proxy.disconnect();
  await stopListening();
  await proxy.restore();
  await notified;
  notified = next();
  await database.query(`select pg_notify(channel, '') from unnest(array['news', 'others']) as channel`);
  await notified;
  expect(payloads).toEqual([]);
  await database.close();
  await proxy.disconnect();
});

test('Requests wait for an unreachable server and fail with the reason if it stays unreachable', async () => {
  const proxy = await startTcpProxy(await newDatabase('outage'));
  const instance = await startInstance(proxy.url);
  const asVisitor = createClient('http://localhost', PUBLISHABLE_KEY, {
    global: { fetch: async (...args) => instance.fetch(new Request(...args)) },
    auth: { persistSession: false },
  });
  const readPosts = () => asVisitor.from('posts').select('slug').retry(false);
  expect((await readPosts()).data).toHaveLength(6);

  await proxy.disconnect();
  const response = await readPosts();
  expect([response.status, response.error?.message]).toEqual([503, expect.stringContaining('cannot be reached')]);
  const signIn = await asVisitor.auth.signInWithPassword({ email: 'a@example.com', password: 'not the password' });
  expect([signIn.error?.status, signIn.error?.message]).toEqual([503, expect.stringContaining('cannot be reached')]);
  const file = await instance.fetch(new Request('http://localhost/storage/v1/object/public/media/none.png'));
  expect([file.status, await file.json()]).toEqual([
    503,
    expect.objectContaining({ message: expect.stringContaining('cannot be reached') }),
  ]);

  const pending = readPosts();
  await proxy.restore();
  expect((await pending).data).toHaveLength(6);
  await instance.close();
  await proxy.disconnect();
});
