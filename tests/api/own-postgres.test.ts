/** What an own Postgres server does that the embedded database never does: go away, and serve several copies at once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../backend/config.ts';
import { createBackend } from '../../backend/create-backend.ts';
import { openPostgresDatabase } from '../../backend/database/postgres-database.ts';
import { PUBLISHABLE_KEY } from '../../backend/http/keys.ts';
import { type NativePostgres, startNativePostgres } from '../support/native-postgres.ts';

let server: NativePostgres;
let folder: string;

beforeAll(async () => {
  [server, folder] = await Promise.all([startNativePostgres(), mkdtemp(join(tmpdir(), 'signalfjord-test-'))]);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

async function emptyDatabase(name: string): Promise<string> {
  const admin = openPostgresDatabase(server.url, 1);
  await admin.script(`create database ${name}`);
  await admin.close();
  return server.url.replace(/\w+$/, name);
}

function startCopy(DATABASE_URL: string) {
  const config = parseConfig({ DATABASE_URL, DATA_DIR: folder, RATE_LIMITS: 'off' });
  return createBackend(config, { log: pino({ level: 'silent' }) });
}

/** A network between the copies and the server that can be cut. */
async function startNetwork(databaseUrl: string) {
  const { hostname, port: serverPort } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const network = createServer((near) => {
    if (isCut) return near.resetAndDestroy();
    const far = connect(Number(serverPort), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => network.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = network.address() as { port: number };
  return {
    url: databaseUrl.replace(serverPort, String(port)),
    /** Ends what is connected; nobody can connect until it is mended. */
    async cut() {
      isCut = true;
      const closed = new Promise((resolve) => network.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async mend() {
      isCut = false;
      await listen(port);
    },
  };
}

test('Copies that start together on an empty database all start, and it is filled once', async () => {
  const url = await emptyDatabase('together');
  const copies = await Promise.all(Array.from({ length: 6 }, () => startCopy(url)));
  expect(copies.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(new Set(copies.map(({ keys }) => keys.secretKey)).size).toBe(1);
  const posts = await copies[0]?.database.query<{ n: number }>('select count(*)::int as n from public.posts');
  expect(posts?.rows).toEqual([{ n: 6 }]);
  await Promise.all(copies.map((copy) => copy.close()));
});

test('A listener is told that it may have missed something once the server is back', async () => {
  const network = await startNetwork(await emptyDatabase('listeners'));
  const database = openPostgresDatabase(network.url, 2);
  const heard: string[] = [];
  let tell = () => {};
  await database.listen('news', (payload) => {
    heard.push(payload);
    tell();
  });
  const next = () => new Promise<void>((resolve) => (tell = resolve));

  let said = next();
  await database.query(`select pg_notify('news', 'before')`);
  await said;
  said = next();
  await network.cut();
  await network.mend();
  await said;
  said = next();
  await database.query(`select pg_notify('news', 'after')`);
  await said;
  expect(heard).toEqual(['before', '', 'after']);
  await database.close();
  await network.cut();
});

test('Requests wait for a server that comes back, and are told so when it does not', async () => {
  const network = await startNetwork(await emptyDatabase('outage'));
  const copy = await startCopy(network.url);
  const asVisitor = createClient('http://localhost', PUBLISHABLE_KEY, {
    global: { fetch: async (...call) => copy.fetch(new Request(...call)) },
    auth: { persistSession: false },
  });
  const posts = () => asVisitor.from('posts').select('slug').retry(false);
  expect((await posts()).data).toHaveLength(6);

  await network.cut();
  const refused = await posts();
  expect([refused.status, refused.error?.message]).toEqual([503, expect.stringContaining('cannot be reached')]);
  const signIn = await asVisitor.auth.signInWithPassword({ email: 'a@example.com', password: 'not the password' });
  expect([signIn.error?.status, signIn.error?.message]).toEqual([503, expect.stringContaining('cannot be reached')]);
  const file = await copy.fetch(new Request('http://localhost/storage/v1/object/public/media/none.png'));
  expect([file.status, await file.json()]).toEqual([
    503,
    expect.objectContaining({ message: expect.stringContaining('cannot be reached') }),
  ]);

  const waiting = posts();
  await network.mend();
  expect((await waiting).data).toHaveLength(6);
  await copy.close();
  await network.cut();
});
