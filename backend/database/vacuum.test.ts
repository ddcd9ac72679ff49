import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openEmptyPglite } from '../../tests/support/test-database.ts';
import { askingFor } from './asker.ts';
import type { PgliteDatabase } from './pglite-database.ts';
import { keepVacuumed, Vacuum } from './vacuum.ts';

let database: PgliteDatabase;
let vacuum: Vacuum;
beforeAll(async () => {
  database = await openEmptyPglite();
  await database.script('create table notes (id int primary key, body text); create index on notes (body)');
});
afterAll(() => database.close());
afterEach(() => void vi.useRealTimers());
beforeEach(async () => {
  vacuum = new Vacuum(database);
  await database.script('truncate notes');
  await fill();
  await vacuum.run();
});

/** Counts reach the statistics at most once a second, unless they are told to. */
const change = (sql: string) => database.script(`${sql}; select pg_stat_force_next_flush()`);

const fill = () => change(`insert into notes select n, repeat('x', 100) || n from generate_series(1, 3000) as n`);

const churn = () =>
  change(`update notes set body = reverse(body) where id % 2 = 0; delete from notes where id % 2 = 1;
  insert into notes select n, repeat('x', 100) || n from generate_series(1, 3000, 2) as n`);

async function sizeOf(name: string): Promise<{ bytes: number; tuples: number; pages: number; visible: number }> {
  const { rows } = await database.query<{ bytes: number; tuples: number; pages: number; visible: number }>(
    `select pg_relation_size(oid)::float8 as bytes, reltuples::float8 as tuples, relpages as pages,
       relallvisible as visible from pg_class where relname = $1`,
    [name],
  );
  return rows[0] as { bytes: number; tuples: number; pages: number; visible: number };
}

const vacuums = (table: string, cleanup = 'auto') =>
  `vacuum (process_toast off, parallel 0, index_cleanup ${cleanup}) public.${table}`;

const analyzes = (table: string) => `set local default_statistics_target = 10; analyze public.${table}`;

const ofNotes = (statements: string[]) => statements.filter((sql) => sql.includes(' public.notes'));

/** Holds the database until it is told to let go. */
function hold(): () => Promise<void> {
  let isHeld = true;
  const holding = database.transaction(async (tx) => {
    while (isHeld) await tx.query('select 1');
  });
  return () => {
    isHeld = false;
    return holding;
  };
}

function asVisitor<T>(work: () => Promise<T>): Promise<T> {
  return askingFor({ lane: 'requests', address: '192.0.2.1', account: null }, work);
}

test('Rounds of the same changes take no more room than one, and every page is known to be visible to all', async () => {
  const { bytes } = await sizeOf('notes');
  const sizes: number[] = [];
  for (let round = 0; round < 6; round++) {
    await churn();
    expect(ofNotes(await vacuum.run())).toHaveLength(2);
    sizes.push((await sizeOf('notes')).bytes);
  }
  expect(Math.max(...sizes)).toBeLessThan(2.5 * bytes);
  const { pages, visible, tuples } = await sizeOf('notes');
  expect([visible, tuples]).toEqual([pages, 3000]);
  const { rows } = await database.query<{ 'QUERY PLAN': string }>(
    'explain (analyze, costs off) select id from notes where id between 10 and 20',
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Heap Fetches: 0');
});

test('Without it each takes as much again', async () => {
  const before = (await sizeOf('notes')).bytes;
  for (let round = 0; round < 6; round++) await churn();
  expect((await sizeOf('notes')).bytes).toBeGreaterThan(5 * before);
});

test('The smaller sample is for this alone', async () => {
  await change('update notes set id = id');
  expect(await vacuum.run()).toContain(analyzes('notes'));
  const { rows } = await database.query('show default_statistics_target');
  expect(rows).toEqual([{ default_statistics_target: '100' }]);
});

test('It does what has changed enough, once', async () => {
  await change('update notes set body = body where id <= 600');
  expect(ofNotes(await vacuum.run())).toEqual([analyzes('notes')]);
  await change('update notes set body = body where id between 601 and 800');
  expect(ofNotes(await vacuum.run())).toEqual([vacuums('notes')]);
  expect(await vacuum.run()).toEqual([]);
});

test('Nothing is done while somebody waits, and all of it when nobody does any more', async () => {
  await churn();
  const letGo = hold();
  const waiting = asVisitor(() => database.query('select 1'));
  expect(await database.whenIdle('vacuum public.notes', 0)).toBe(false);
  await Promise.all([letGo(), waiting]);
  expect(await database.whenIdle('vacuum public.notes', 0)).toBe(true);
});

test('Who comes while it waits for its turn goes first', async () => {
  const letGo = hold();
  const done: string[] = [];
  const cleaning = database.whenIdle('vacuum public.notes', 0).then((ran) => ran && done.push('vacuumed'));
  const waiting = asVisitor(() => database.query('select 1')).then(() => done.push('answered'));
  await Promise.all([letGo(), cleaning, waiting]);
  expect(done[0]).toBe('answered');
});

/** A table of 1,250 pages with 50 rows on each, vacuumed and analyzed. */
async function makeWide(): Promise<void> {
  await change(`create table wide (id int primary key, body text);
    insert into wide select n, repeat('x', 125) from generate_series(1, 62500) as n`);
  expect(await vacuum.run()).toEqual([vacuums('wide'), analyzes('wide')]);
}

/** Changes so many rows of it, each on a page of its own. */
const dirty = (pages: number) => change(`update wide set id = -id where id % 50 = 7 and id <= ${pages * 50}`);

test('A large table is vacuumed long before a fifth has changed, so that each time takes as long as a small one', async () => {
  await makeWide();
  await dirty(380);
  expect(await vacuum.run()).toEqual([]);
  await change(`insert into wide select n, repeat('x', 125) from generate_series(62501, 64000) as n`);
  expect(await vacuum.run()).toEqual([vacuums('wide')]);
  await change(`insert into wide select n, repeat('x', 125) from generate_series(64001, 83000) as n`);
  expect(await vacuum.run()).toContain(vacuums('wide'));
  expect(await invisibleOf('wide')).toBe(0);
  await database.script('drop table wide');
});

test('Large indexes are read only when a fifth of the pages has dead entries in them', async () => {
  await makeWide();
  const large = { mostIndexBytes: 0 };
  await dirty(420);
  expect(await vacuum.run(large)).toEqual([vacuums('wide', 'off')]);
  expect(await invisibleOf('wide')).toBe(420);
  await change('update wide set id = id where id between 50 * 500 and 50 * 520');
  expect(await vacuum.run(large)).toEqual([vacuums('wide')]);
  expect(await invisibleOf('wide')).toBe(0);
  await database.script('drop table wide');
});

async function invisibleOf(name: string): Promise<number> {
  const { pages, visible } = await sizeOf(name);
  return pages - visible;
}

test('What has a megabyte is done once after each opening, which forgets what was counted; long texts are apart', async () => {
  await database.script(`create table large (id int, body text); alter table large alter body set storage external;
    insert into large select n, case when n <= 400 then repeat('x', 4000) end from generate_series(1, 60000) as n`);
  await database.script('vacuum large');
  await database.script('select pg_stat_reset()');
  const done = await vacuum.run();
  expect(done).toEqual(expect.arrayContaining([vacuums('large'), analyzes('large')]));
  expect(done.filter((sql) => sql.includes('pg_toast'))).toEqual([
    expect.stringMatching(/^vacuum .* pg_toast\.pg_toast_\d+$/),
  ]);
  expect(await vacuum.run()).toEqual([]);
});

test('A table that cannot be analyzed is told once, and keeps no other from its turn', async () => {
  await database.script(`create function broken(id int) returns int immutable language plpgsql
    as $$ begin if current_setting('test.is_broken', true) = 'yes' then raise 'is broken'; end if; return id; end $$`);
  await database.script('create table a_broken (id int); create index on a_broken (broken(id))');
  await change('insert into a_broken select generate_series(1, 100)');
  await churn();
  await database.script(`set test.is_broken = 'yes'`);
  await expect(vacuum.run()).rejects.toThrow('is broken');
  expect(ofNotes(await vacuum.run())).toHaveLength(2);
  await database.script('reset test.is_broken; drop table a_broken; drop function broken');
});

test('None is begun after it was stopped', async () => {
  await churn();
  vacuum.stop();
  expect(await vacuum.run()).toEqual([]);
});

test('It looks each minute until it is stopped', async () => {
  const count = async () => {
    const { rows } = await database.query<{ times: number }>(
      `select pg_stat_get_vacuum_count('notes'::regclass)::integer as times`,
    );
    return rows[0]?.times;
  };
  const before = await count();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const stop = keepVacuumed(database, pino({ level: 'silent' }));
  await churn();
  // A look leaves to the next what somebody waits for, as the counting does.
  while ((await count()) === before) {
    vi.advanceTimersByTime(60_000);
    await wait(20);
  }
  await stop();
  expect(vi.getTimerCount()).toBe(0);
});
