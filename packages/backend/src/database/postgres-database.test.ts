import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type NativePostgres, startNativePostgres } from '../../tests/support/native-postgres.ts';
import { selfSignedCertificate } from '../auth/saml/self-signed-certificate.ts';
import type { Database } from './database.ts';
import { openPostgresDatabase } from './postgres-database.ts';

let server: NativePostgres;
let database: Database;
beforeAll(async () => {
  server = await startNativePostgres();
  database = openPostgresDatabase(server.url, 2);
  await database.script(`
    create role visitor nologin;
    create table public.things (id int primary key, name text);
    create table public.parts (thing int references public.things deferrable initially deferred);
    grant select on public.things to visitor`);
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

function open(url = server.url, connections = 1) {
  const instance = openPostgresDatabase(url, connections);
  onTestFinished(() => instance.close());
  return instance;
}

const setRole = (role: string, suffix = '') => ({
  text: `select set_config('role', $1, true)${suffix}`,
  values: [role],
});
const count = async () => (await database.query<{ n: number }>('select count(*) as n from public.things')).rows[0]?.n;

/** Counts ReadyForQuery messages: one for each round trip. */
async function startCounter(url: string) {
  const { hostname, port } = new URL(url);
  let responses = Buffer.alloc(0);
  const counter = createServer((downstream) => {
    const upstream = connect(Number(port), hostname);
    upstream.on('data', (chunk) => {
      responses = Buffer.concat([responses, chunk]);
    });
    downstream.pipe(upstream).pipe(downstream);
    downstream.on('error', () => upstream.destroy());
    upstream.on('error', () => downstream.destroy());
  }).listen(0, '127.0.0.1');
  await once(counter, 'listening');
  onTestFinished(() => void counter.close());
  const address = counter.address();
  const counterPort = typeof address === 'object' ? address?.port : undefined;
  return {
    url: url.replace(port, String(counterPort)),
    roundTrips() {
      const count = responses.toString('latin1').split('Z\0\0\0\x05').length - 1;
      responses = Buffer.alloc(0);
      return count;
    },
  };
}

it('sends role, claims and statement in one round trip, and needs one more round trip in a transaction', async () => {
  const counter = await startCounter(server.url);
  const countedDatabase = open(counter.url);
  await countedDatabase.query('select 1');
  counter.roundTrips();
  const claims = `, set_config('request.jwt.claims', '{}', true)`;
  const [, { rows }] = await countedDatabase.batch<[unknown, { role: string }]>([
    setRole('visitor', claims),
    { text: 'select current_user::text as role' },
  ]);
  expect(rows).toEqual([{ role: 'visitor' }]);
  expect(counter.roundTrips()).toBe(1);
  await countedDatabase.transaction(async (tx) => {
    await tx.query('select 1');
    await tx.query('select 2');
  });
  expect(counter.roundTrips()).toBe(3);
  const { rows: rowsAfter } = await countedDatabase.query('select current_user::text as role');
  expect(rowsAfter).toEqual([{ role: 'postgres' }]);
});

it('rolls back a batch at its first failed statement, and reports the error', async () => {
  const countBefore = await count();
  const batch = database.batch([
    { text: `insert into public.things values (1, 'kept?')` },
    { text: 'insert into public.things values (1, $1)', values: ['again'] },
    { text: 'select 1 / 0' },
  ]);
  await expect(batch).rejects.toMatchObject({
    name: 'DatabaseError',
    code: '23505',
    message: 'duplicate key value violates unique constraint "things_pkey"',
    detail: 'Key (id)=(1) already exists.',
    constraint: 'things_pkey',
    table: 'things',
  });
  expect(await count()).toBe(countBefore);
});

it('reports a violated deferred constraint of a batch and of a transaction', async () => {
  const insert = 'insert into public.parts values (404)';
  await expect(database.batch([{ text: insert }])).rejects.toMatchObject({ code: '23503' });
  await expect(database.transaction((tx) => tx.query(insert))).rejects.toMatchObject({ code: '23503' });
  const { rows } = await database.query('select * from public.parts');
  expect(rows).toEqual([]);
});

it('enforces the read-only mode, the timeout and the role of a batch', async () => {
  const readOnly = { text: `select set_config('transaction_read_only', 'on', true)`, isReadOnly: true };
  const write = { text: 'insert into public.things values (2)' };
  await expect(database.batch([readOnly, write])).rejects.toMatchObject({ code: '25006' });
  await expect(database.batch([setRole('visitor'), write])).rejects.toMatchObject({ code: '42501' });
  const deadline = { text: `select set_config('statement_timeout', '50ms', true)` };
  const slowBatch = database.batch([deadline, { text: 'select pg_sleep(60)' }]);
  await expect(slowBatch).rejects.toMatchObject({
    code: '57014',
    message: 'canceling statement due to statement timeout',
  });
  const [, result] = await database.batch<[unknown, { id: number }]>([setRole('visitor'), { text: 'select 5 as id' }]);
  expect(result.rows).toEqual([{ id: 5 }]);
});

it('parses and binds values in the types that the backend expects', async () => {
  const { rows } = await database.query(
    `select true as bool, 9007199254740991::int8 as int8, 1.5::float8 as float8, 1.50::numeric as numeric,
       '{"a":[1]}'::jsonb as jsonb, '2026-11-27 10:00+02'::timestamptz as timestamptz, '2026-11-27'::date as date,
       '{a,"b c",NULL}'::text[] as texts, '\\x00ff'::bytea as bytes, null as nothing, ''::text as empty,
       $1::bytea as bound_bytes, $2::text[] as bound_texts, $3::jsonb as bound_json, $4::timestamptz as bound_time`,
    [Buffer.from([0, 255]), ['x', 'y"z'], { a: 1 }, new Date(0)],
  );
  expect(rows).toEqual([
    {
      bool: true,
      int8: 9_007_199_254_740_991,
      float8: 1.5,
      numeric: '1.50',
      jsonb: { a: [1] },
      timestamptz: new Date('2026-11-27T08:00:00Z'),
      date: '2026-11-27',
      texts: ['a', 'b c', null],
      bytes: Buffer.from([0, 255]),
      nothing: null,
      empty: '',
      bound_bytes: Buffer.from([0, 255]),
      bound_texts: ['x', 'y"z'],
      bound_json: { a: 1 },
      bound_time: new Date(0),
    },
  ]);
  const { rows: updatedRows, rowCount } = await database.query(`update public.things set name = 'x' where id = 404`);
  expect([updatedRows, rowCount]).toEqual([[], 0]);
  expect(await database.query('')).toEqual({ rows: [], rowCount: 0 });
});

it('rejects values that the protocol cannot carry, and stays usable', async () => {
  const single = open();
  const values = Array.from({ length: 65_536 }, () => 1);
  await expect(single.query('select 1', values)).rejects.toMatchObject({ code: '54000' });
  await expect(single.query('copy public.things from stdin')).rejects.toMatchObject({ code: '57014' });
  await expect(single.query('select $1::text', ['\0'])).rejects.toMatchObject({ code: '22021' });
  expect((await single.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
});

it('rejects a transaction whose work ignored a failed statement', async () => {
  const work = database.transaction(async (tx) => {
    await tx.query(`insert into public.things values (3, 'lost')`);
    await tx.query('select 1 / 0').catch(() => undefined);
  });
  await expect(work).rejects.toMatchObject({ code: '22012' });
  const { rows } = await database.query('select 1 from public.things where id = 3');
  expect(rows).toEqual([]);
});

it("cancels the statement of a disconnected client, but not the next client's", async () => {
  const single = open();
  for (let round = 0; round < 25; round++) {
    const client = new AbortController();
    const durations: number[] = [];
    const onTime = (milliseconds: number) => durations.push(milliseconds);
    const query = single.query('select pg_sleep(60)', [], { signal: client.signal, onTime });
    // Even rounds abort while the statement runs, odd rounds before it has arrived.
    if (round % 2 === 0) await expect.poll(countSleeping).toBe(1);
    client.abort();
    await expect(query).rejects.toMatchObject({ code: '57014', message: 'canceling statement due to user request' });
    expect(durations.length).toBeLessThanOrEqual(1);
    expect((await single.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
  }
});

it('rolls back a transaction if its client disconnects between statements', async () => {
  const client = new AbortController();
  const work = open().transaction(
    async (tx) => {
      await tx.query(`insert into public.things values (4, 'left')`);
      client.abort();
      await tx.query('select 1');
    },
    { signal: client.signal },
  );
  await expect(work).rejects.toMatchObject({ code: '57014' });
  const { rows } = await database.query('select 1 from public.things where id = 4');
  expect(rows).toEqual([]);
});

it('fails the running statements of a lost connection, and reconnects for the next statement', async () => {
  const single = open();
  const termination = single.query('select pg_terminate_backend(pg_backend_pid())');
  await expect(termination).rejects.toMatchObject({ code: '57P01' });
  expect((await single.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
  const transaction = single.transaction(async (tx) => {
    const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    await database.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await expect.poll(async () => (await activity(rows[0]?.pid)).length).toBe(0);
    await tx.query('select 1');
  });
  await expect(transaction).rejects.toMatchObject({ code: expect.stringMatching(/57P01|08006/) });
  expect((await single.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
});

const countSleeping = async () => {
  const text = `select 1 from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'`;
  return (await database.query(text)).rowCount;
};

const activity = async (pid: number | undefined) =>
  (await database.query('select 1 from pg_stat_activity where pid = $1', [pid])).rows;

it('signs in with a password (SCRAM), and reports a wrong or missing password', async () => {
  await database.script(
    `set password_encryption = 'scram-sha-256'; create role keeper login superuser password 'se cret'`,
  );
  await requirePassword();
  const url = (password: string) => server.url.replace('postgres@', `keeper${password}@`);
  expect((await open(url(':se%20cret')).query('select current_user::text as name')).rows).toEqual([{ name: 'keeper' }]);
  await expect(open(url(':wrong')).query('select 1')).rejects.toMatchObject({ code: '28P01' });
  await expect(open(url('')).query('select 1')).rejects.toMatchObject({ code: '28000' });
});

it('encrypts with sslmode=require, rejects an untrusted server with verify-full, and cancels over TLS', async () => {
  await expect(open(`${server.url}?sslmode=require`).query('select 1')).rejects.toMatchObject({ code: '28000' });
  await enableTls();
  const encrypted = open(`${server.url}?sslmode=require`);
  const { rows } = await encrypted.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
  expect(rows).toEqual([{ ssl: true }]);
  const strictDatabase = open(`${server.url}?sslmode=verify-full`);
  await expect(strictDatabase.query('select 1')).rejects.toMatchObject({ code: '28000' });
  const client = new AbortController();
  const query = encrypted.query('select pg_sleep(60)', [], { signal: client.signal });
  await expect.poll(countSleeping).toBe(1);
  client.abort();
  await expect(query).rejects.toMatchObject({ code: '57014' });
});

/** Requires a password for the role `keeper`. Other roles connect as before. */
async function requirePassword() {
  const file = join(server.data, 'pg_hba.conf');
  await writeFile(file, `host all keeper all scram-sha-256\n${await readFile(file, 'utf8')}`);
  await database.query('select pg_reload_conf()');
}

/** Enables TLS with a self-signed certificate. */
async function enableTls() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const certificate = selfSignedCertificate(key, {
    name: 'localhost',
    from: '20200101000000Z',
    until: '21700101000000Z',
  });
  for (const [name, content] of [
    ['server.key', key],
    ['server.crt', certificate],
  ] as const) {
    await writeFile(join(server.data, name), content);
    await chmod(join(server.data, name), 0o600);
    if (process.getuid?.() === 0) await chown(join(server.data, name), 65_534, 65_534);
  }
  await database.query('alter system set ssl = on');
  await database.query('select pg_reload_conf()');
}
