import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmptyPglite } from '../../tests/support/test-database.ts';
import { DatabaseError } from './database.ts';
import type { PgliteDatabase } from './pglite-database.ts';

let database: PgliteDatabase;
beforeAll(async () => {
  database = await openEmptyPglite();
  await database.script('create table notes (id int primary key, body text)');
});
afterAll(() => database.close());

test('A batch is one transaction: when a later statement fails, the earlier ones are undone', async () => {
  const failing = database.batch([
    { text: 'insert into notes (id, body) values ($1, $2)', values: [1, 'first'] },
    { text: 'insert into notes (id, body) values ($1, $2)', values: [1, 'again'] },
  ]);
  await expect(failing).rejects.toMatchObject({ code: '23505', table: 'notes' });
  expect((await database.query('select * from notes')).rows).toEqual([]);

  await database.batch([
    { text: 'insert into notes (id, body) values ($1, $2)', values: [1, 'first'] },
    { text: 'insert into notes (id, body) values ($1, $2)', values: [2, 'second'] },
  ]);
  expect((await database.query('select count(*) as n from notes')).rows).toEqual([{ n: 2 }]);
});

test('A setting made in a batch ends with it', async () => {
  await database.batch([{ text: `select set_config('request.path', '/secret', true)` }, { text: 'select 1' }]);
  const after = await database.query(`select current_setting('request.path', true) as path`);
  expect(after.rows[0]).toEqual({ path: '' });
});

test('A transaction rolls back when its work throws, and the error reaches the caller', async () => {
  const failing = database.transaction(async (tx) => {
    await tx.query(`insert into notes (id) values (10)`);
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect((await database.query('select * from notes where id = 10')).rows).toEqual([]);
});

test('Values keep their type on the way out and back in', async () => {
  const { rows } = await database.query(
    `select $1::boolean as flag, $2::jsonb as json, $3::text[] as list, $4::timestamptz as time, $5::bytea as bytes, $6::int8 as big`,
    [true, { a: [1] }, ['a,b', 'c"d', null, '{}'], new Date(0), new Uint8Array([0, 255]), 2 ** 40],
  );
  expect(rows[0]).toEqual({
    flag: true,
    json: { a: [1] },
    list: ['a,b', 'c"d', null, '{}'],
    time: new Date(0),
    bytes: Buffer.from([0, 255]),
    big: 2 ** 40,
  });
});

test('A prepared statement survives a change of its table', async () => {
  const read = () => database.query('select * from notes where id = 1');
  await read();
  await database.script('alter table notes add column extra int default 7');
  expect((await read()).rows[0]).toMatchObject({ extra: 7 });
});

test('A listener hears notifications of its channel only', async () => {
  const heard: string[] = [];
  const stop = await database.listen('news', (payload) => heard.push(payload));
  await database.query(`select pg_notify('news', 'one'), pg_notify('other', 'two')`);
  expect(heard).toEqual(['one']);
  await stop();
});

test('Errors carry the SQLSTATE', async () => {
  await expect(database.query('select nope')).rejects.toBeInstanceOf(DatabaseError);
  await expect(database.query('select nope')).rejects.toMatchObject({ code: '42703' });
});

test('Work is told the time that the database took, and is not begun once whoever asked has gone', async () => {
  const times: number[] = [];
  const onTime = (milliseconds: number) => times.push(milliseconds);
  await database.query('select 1', [], { onTime });
  await database.batch([{ text: 'select 1' }, { text: 'select 2' }], { onTime });
  await expect(database.query('select 1 / 0', [], { onTime })).rejects.toMatchObject({ code: '22012' });
  expect(times).toHaveLength(3);
  expect(Math.min(...times)).toBeGreaterThan(0);

  const signal = AbortSignal.abort();
  for (const work of [
    () => database.query('insert into notes (id) values (90)', [], { signal }),
    () => database.batch([{ text: 'insert into notes (id) values (90)' }], { signal }),
    () => database.transaction((tx) => tx.query('insert into notes (id) values (90)'), { signal }),
  ]) {
    await expect(work()).rejects.toMatchObject({ code: '57014' });
  }
  expect((await database.query('select from notes where id = 90')).rowCount).toBe(0);
});
