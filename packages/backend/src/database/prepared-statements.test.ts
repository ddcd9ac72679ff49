import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type NativePostgres, startNativePostgres } from '../../tests/support/native-postgres.ts';
import { startPooler } from '../../tests/support/pooler.ts';
import { openPostgresDatabase, type PostgresDatabase } from './postgres-database.ts';

let server: NativePostgres;
let secondDatabase: PostgresDatabase;
beforeAll(async () => {
  server = await startNativePostgres();
  secondDatabase = openPostgresDatabase(server.url, 1);
});
afterAll(async () => {
  await secondDatabase.close();
  await server.stop();
});

/** Opens a database with one connection, so that all statements share its session. */
function open(url = server.url, directUrl?: string) {
  const database = openPostgresDatabase(url, 1, directUrl);
  onTestFinished(() => database.close());
  return database;
}

const LIST = 'select statement from pg_prepared_statements order by prepare_time';
const preparedTexts = async (database: PostgresDatabase) =>
  (await database.query<{ statement: string }>(LIST)).rows.map(({ statement }) => statement);

test('A statement is parsed once per connection and role', async () => {
  const database = open();
  await secondDatabase.script('create role reader nologin');
  const text = 'select $1::int + 1 as n';
  for (const n of [1, 2, 3]) expect((await database.query(text, [n])).rows).toEqual([{ n: n + 1 }]);
  const role = { text: `select set_config('role', $1, true)`, values: ['reader'], role: 'reader' };
  for (const n of [1, 2]) {
    const [, { rows }] = await database.batch<[unknown, unknown]>([role, { text, values: [n] }]);
    expect(rows).toEqual([{ n: n + 1 }]);
  }
  expect(await preparedTexts(database)).toEqual([text, role.text, text, LIST]);
});

test('A connection closes its least recently used statements, and does not prepare very long statements', async () => {
  const database = open();
  await database.query('select 1 as hot');
  for (let n = 0; n < 300; n++) {
    expect((await database.query(`select ${n} as n`)).rows).toEqual([{ n }]);
    await database.query('select 1 as hot');
  }
  expect((await preparedTexts(database)).length).toBeLessThanOrEqual(102);
  expect(await preparedTexts(database)).toContain('select 1 as hot');
  expect(await preparedTexts(database)).not.toContain('select 7 as n');
  expect((await database.query('select 7 as n')).rows).toEqual([{ n: 7 }]);

  for (let n = 0; n < 20; n++) await database.query(`select ${n} as n -- ${'x'.repeat(7_000)}`);
  const texts = await preparedTexts(database);
  expect(texts.join('').length).toBeLessThan(80_000);
  await database.query(`select 1 as n -- ${'y'.repeat(9_000)}`);
  expect((await preparedTexts(database)).filter((text) => text.includes('yyy'))).toEqual([]);
});

test('A statement is prepared again if it or an earlier statement of its batch failed', async () => {
  const database = open();
  const [divide, selectFive] = ['select 6 / $1::int as n', 'select 5 as five'];
  const run = (divisor: number) => database.batch([{ text: divide, values: [divisor] }, { text: selectFive }]);
  for (const divisor of [0, 0]) await expect(run(divisor)).rejects.toMatchObject({ code: '22012' });
  expect((await run(3)).map(({ rows }) => rows)).toEqual([[{ n: 2 }], [{ five: 5 }]]);
  await expect(run(0)).rejects.toMatchObject({ code: '22012' });
  expect((await run(2)).map(({ rows }) => rows)).toEqual([[{ n: 3 }], [{ five: 5 }]]);
  expect(await preparedTexts(database)).toEqual([divide, selectFive, LIST]);
});

test('A statement whose columns have changed returns the new columns on its next run', async () => {
  const database = open();
  await secondDatabase.script('create table public.growing (id int)');
  const insert = 'insert into public.growing values ($1) returning *';
  for (const id of [1, 2]) await database.query(insert, [id]);
  await secondDatabase.script('alter table public.growing add column extra int default 7');
  expect((await database.query(insert, [3])).rows).toEqual([{ id: 3, extra: 7 }]);
  expect((await database.query(insert, [4])).rows).toEqual([{ id: 4, extra: 7 }]);
  const { rows } = await database.query('select id from public.growing order by id');
  expect(rows).toEqual([1, 2, 3, 4].map((id) => ({ id })));
});

test('A parameter whose column type has changed is sent again with the new type', async () => {
  const database = open();
  await secondDatabase.script(
    `create table public.retyped (code int, day date); insert into public.retyped values (7, '2026-01-01')`,
  );
  const byCode = 'select code from public.retyped where code = $1';
  const byDay = 'select code from public.retyped where day = $1';
  for (let n = 0; n < 2; n++) {
    expect((await database.query(byCode, ['7'])).rows).toEqual([{ code: 7 }]);
    expect((await database.query(byDay, ['2026-01-01'])).rows).toEqual([{ code: 7 }]);
  }
  await secondDatabase.script('alter table public.retyped alter code type text, alter day type timestamptz');
  expect((await database.query(byCode, ['7'])).rows).toEqual([{ code: '7' }]);
  await secondDatabase.script(`update public.retyped set day = '2026-01-01 10:00Z'`);
  database.discardPreparedStatements();
  expect((await database.query(byDay, ['2026-01-01 10:00Z'])).rows).toEqual([{ code: '7' }]);
});

test('Statements are prepared again after a session was reset', async () => {
  const database = open();
  for (let n = 0; n < 2; n++) expect((await database.query('select 8 as n')).rows).toEqual([{ n: 8 }]);
  await database.query('deallocate all');
  for (let n = 0; n < 2; n++) expect((await database.query('select 8 as n')).rows).toEqual([{ n: 8 }]);
  expect(await preparedTexts(database)).toContain('select 8 as n');
});

test('Statements of a transaction with several round trips are not prepared, because a failed one could not be retried', async () => {
  const database = open();
  await database.transaction((tx) => tx.query('select 9 as n'));
  expect(await preparedTexts(database)).toEqual([LIST]);
});

test('No statement is prepared behind a pooler', async () => {
  const pooler = await startPooler(server.url);
  onTestFinished(() => pooler.close());
  const database = open(pooler.url, server.url);
  for (let n = 0; n < 3; n++) {
    const results = await database.batch([{ text: 'select 8 as n' }, { text: LIST }]);
    expect(results.map(({ rows }) => rows)).toEqual([[{ n: 8 }], []]);
  }
});

test('Prepared statements that an undeclared pooler loses are prepared again', async () => {
  const pooler = await startPooler(server.url, ['options']);
  onTestFinished(() => pooler.close());
  const database = open(pooler.url);
  await secondDatabase.script('create table public.pooled (id int primary key)');
  for (let id = 0; id < 4; id++) {
    await database.batch([{ text: 'select 8 as n' }, { text: 'insert into public.pooled values ($1)', values: [id] }]);
  }
  expect((await secondDatabase.query('select id from public.pooled order by id')).rows.length).toBe(4);
});
