import { mkdtemp, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmptyPglite } from '../../tests/support/test-database.ts';
import type { Database } from './database.ts';
import { openLocally, serveLocally } from './local-socket.ts';

let folder: string;
let served: Database;
let stopServing: () => Promise<void>;
let local: Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-socket-'));
  served = await openEmptyPglite();
  await served.script('create table public.notes (n int primary key)');
  stopServing = await serveLocally(served, folder);
  local = (await openLocally(folder)) as Database;
});
afterAll(async () => {
  await local.close();
  await stopServing();
  await served.close();
  await rm(folder, { recursive: true });
});

const numbers = async () =>
  (await served.query<{ n: number }>('select n from notes order by n')).rows.map(({ n }) => n);

test('Only this user may connect, and a folder of any length will do', async () => {
  expect(((await stat(join(folder, 'database.sock'))).mode & 0o777).toString(8)).toBe('600');
  const long = await mkdtemp(join(folder, 'a'.repeat(100)));
  const stop = await serveLocally(served, long);
  const database = await openLocally(long);
  expect((await database?.query('select 1 as one'))?.rows).toEqual([{ one: 1 }]);
  await stop();
  expect(await openLocally(long)).toBeNull();
});

test('Values and errors arrive as the database itself gives them', async () => {
  const bytes = Buffer.from([0, 255]);
  const [first, second] = await local.batch([
    {
      text: 'select $1::timestamptz as at, $2::bytea as bytes, $3::jsonb as json',
      values: [new Date(0), bytes, { a: [1] }],
    },
    { text: 'insert into notes values ($1)', values: [1] },
  ]);
  expect(first).toEqual({ rows: [{ at: new Date(0), bytes, json: { a: [1] } }], rowCount: 1 });
  expect(second?.rowCount).toBe(1);
  const large = 'ø'.repeat(3_000_000);
  expect((await local.query('select $1 as large', [large])).rows).toEqual([{ large }]);

  const statement = 'insert into notes values (1)';
  const expected = await served.query(statement).catch((error: unknown) => error);
  await expect(local.query(statement)).rejects.toEqual(expected);
  await expect(local.script('nonsense')).rejects.toMatchObject({ code: '42601' });
  await local.script('delete from notes; insert into notes values (2)');
  expect(await numbers()).toEqual([2]);
});

test('A transaction is committed, or undone when its work fails or its command is killed', async () => {
  await local.transaction(async (tx) => {
    await tx.query('delete from notes');
    await tx.query('insert into notes values ($1)', [3]);
  });
  expect(await numbers()).toEqual([3]);

  const failed = local.transaction(async (tx) => {
    await tx.query('delete from notes');
    await tx.query('select 1 / 0');
  });
  await expect(failed).rejects.toMatchObject({ code: '22012' });
  expect(await numbers()).toEqual([3]);

  const killed = local.transaction(async (tx) => {
    await tx.query('delete from notes');
    await local.close();
    await tx.query('select 1');
  });
  await expect(killed).rejects.toThrow();
  expect(await numbers()).toEqual([3]);
});

test('A command that falls silent in its transaction gives the database back, and has done nothing', async () => {
  const silent = await openLocally(folder);
  const isStopped = Promise.withResolvers<void>();
  const transaction = silent?.transaction(async (tx) => {
    await tx.run({ text: 'insert into notes values (4)' });
    isStopped.resolve();
    await new Promise<void>((resolve) => void served.query('select 1').then(() => resolve()));
    await tx.run({ text: 'select 1' });
  });
  await isStopped.promise;
  await expect(transaction).rejects.toThrow();
  expect(await numbers()).toEqual([3]);
  await silent?.close();
});

test('Notifications are heard until nobody listens any more', async () => {
  const heard = Promise.withResolvers<string>();
  const stop = await local.listen('news', heard.resolve);
  await served.query(`select pg_notify('news', 'hello')`);
  expect(await heard.promise).toBe('hello');
  await stop();
});

test('A command of another version is told so, and nonsense ends its connection only', async () => {
  const answerTo = async (message: Buffer) => {
    const socket = connect(join(folder, 'database.sock'));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(message.length);
    socket.write(Buffer.concat([length, message]));
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('latin1');
  };
  expect(await answerTo(serialize({ kind: 'script', sql: 'drop table notes', version: 0 }))).toContain(
    'is of another version than this command',
  );
  expect(await answerTo(Buffer.from('GET / HTTP/1.1'))).toBe('');
  expect(await numbers()).toEqual([3]);
});
