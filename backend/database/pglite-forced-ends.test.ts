/** Forced ends of the embedded database's worker. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { copyFolder } from '../../tests/support/copy-folder.ts';
import type { Statement } from './database.ts';
import { openPgliteDatabase, type PgliteDatabase } from './pglite-database.ts';

/** The short form of a test that was also run with 100 (bench/README.md). */
const FORCED_ENDS = Number(process.env['FORCED_ENDS'] ?? 10);

const ENDLESS: Statement = {
  text: 'select count(*) from (select generate_series(1, 1000000000000)) n',
  deadlineMs: 200,
};
const TIMEOUT = { code: '57014', message: 'canceling statement due to statement timeout' };

let folder: string;
let database: PgliteDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-ends-'));
  await copyFolder(inject('databaseTemplate'), join(folder, 'postgres'));
  database = await openPgliteDatabase({ folder: join(folder, 'postgres') });
  await database.script('create table public.notes (n int)');
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const numbers = async () =>
  (await database.query<{ n: number }>('select n from notes order by n')).rows.map(({ n }) => n);
const insert = (n: number) => database.query('insert into notes (n) values ($1)', [n]);

test('What waits behind a statement that is ended is done by the next worker, once', async () => {
  const ended = expect(database.batch([ENDLESS])).rejects.toMatchObject(TIMEOUT);
  const waiting = Array.from({ length: 12 }, (_, n) => insert(n));
  await ended;
  await Promise.all(waiting);
  expect(await numbers()).toEqual(Array.from({ length: 12 }, (_, n) => n));
});

test('Prepared statements and listeners are there again', async () => {
  const heard: string[] = [];
  await database.listen('news', (payload) => heard.push(payload));
  await insert(1);
  await expect(database.batch([ENDLESS])).rejects.toMatchObject(TIMEOUT);
  await insert(2);
  await database.query(`select pg_notify('news', 'again')`);
  expect(await numbers()).toEqual([1, 2]);
  // The empty one says that something may have been missed.
  expect(heard).toEqual(['', 'again']);
});

test('Listeners are told that they may have missed something only when a change may have been lost', async () => {
  const heard: string[] = [];
  await database.listen('news', (payload) => heard.push(payload));
  const readOnly: Statement = { text: `select set_config('transaction_read_only', 'on', true)`, isReadOnly: true };
  const endWith = (...statements: Statement[]) =>
    expect(database.batch([...statements, ENDLESS])).rejects.toMatchObject(TIMEOUT);

  await endWith(readOnly);
  const uncommitted = database.transaction(async (tx) => {
    await tx.query('insert into notes (n) values (1)');
    await tx.run(ENDLESS);
  });
  await expect(uncommitted).rejects.toMatchObject(TIMEOUT);
  await database.query(`select pg_notify('news', 'reads and what was not committed')`);
  expect(heard).toEqual(['reads and what was not committed']);

  await endWith({ text: 'insert into notes (n) values (2)' });
  await database.query(`select pg_notify('news', 'a write')`);
  expect(heard.slice(1)).toEqual(['', 'a write']);
});

test('A transaction whose worker was ended fails as a whole, whatever its callback makes of it', async () => {
  const outcome = database.transaction(async (tx) => {
    await tx.query('insert into notes (n) values (1)');
    await expect(tx.run(ENDLESS)).rejects.toMatchObject(TIMEOUT);
    await expect(tx.query('insert into notes (n) values (2)')).rejects.toMatchObject(TIMEOUT);
  });
  await expect(outcome).rejects.toMatchObject(TIMEOUT);
  expect(await numbers()).toEqual([]);

  await database.transaction((tx) => tx.query('insert into notes (n) values (3)'));
  expect(await numbers()).toEqual([3]);
});

test('The deadline of a statement holds for the rest of its transaction', async () => {
  const outcome = database.transaction(async (tx) => {
    await tx.run({ text: 'select 1', deadlineMs: 200 });
    await tx.query(ENDLESS.text);
  });
  await expect(outcome).rejects.toMatchObject(TIMEOUT);
});

test('A statement that takes more memory than it may is cancelled', async () => {
  const text = `select length(string_agg(repeat('x', 1000000), '')) as size from generate_series(1, $1::int)`;
  await expect(database.query(text, [500])).rejects.toMatchObject({
    code: '57014',
    message: 'canceling statement due to memory limit',
  });
  expect((await database.query(text, [5])).rows).toEqual([{ size: 5_000_000 }]);
});

test('Work whose caller has gone while it waited is not begun', async () => {
  const ended = expect(database.batch([ENDLESS])).rejects.toMatchObject(TIMEOUT);
  // These take the places beside it; what comes after has not been posted yet.
  const posted = [insert(1), insert(2), insert(3)];
  const gone = new AbortController();
  const refused = expect(
    database.query('insert into notes (n) values (4)', [], { signal: gone.signal }),
  ).rejects.toMatchObject({ code: '57014', message: 'canceling statement due to user request' });
  gone.abort();
  await Promise.all([ended, refused, ...posted]);
  expect(await numbers()).toEqual([1, 2, 3]);
});

test('Closing cancels a statement that does not end, and keeps what was acknowledged', async () => {
  await insert(1);
  const cancelled = expect(database.query(ENDLESS.text)).rejects.toMatchObject({ code: '57P01' });
  const refused = expect(insert(2)).rejects.toMatchObject({ code: '57P01' });
  await database.close();
  await Promise.all([cancelled, refused]);
  await expect(insert(3)).rejects.toMatchObject({ code: '57P01' });
  database = await openPgliteDatabase({ folder: join(folder, 'postgres') });
  expect(await numbers()).toEqual([1]);
});

test('A folder that cannot be opened again fails statements with the reason, and is not filled with a new database', async () => {
  await rm(join(folder, 'postgres', 'PG_VERSION'));
  await expect(database.batch([ENDLESS])).rejects.toMatchObject(TIMEOUT);
  const failure = { code: '57P03', message: expect.stringContaining('could not be opened again') };
  await expect(insert(1)).rejects.toMatchObject(failure);
  await expect(insert(2)).rejects.toMatchObject(failure);
});

test('A database in memory says that it has ended', async () => {
  const inMemory = await openPgliteDatabase({ load: await database.dump() });
  await expect(inMemory.batch([ENDLESS])).rejects.toMatchObject(TIMEOUT);
  await expect(inMemory.query('select 1')).rejects.toMatchObject({ code: '57P03' });
  await inMemory.close();
});

test('However often the worker is ended in the middle of writing, nothing acknowledged is lost or doubled', {
  timeout: 30_000 + FORCED_ENDS * 30_000,
}, async () => {
  const acknowledged: number[] = [];
  let next = 1;
  let ends = 0;
  const write = async () => {
    while (ends < FORCED_ENDS) {
      const n = next++;
      await insert(n).then(
        () => acknowledged.push(n),
        (error: unknown) => expect(error).toMatchObject({ code: '57014' }),
      );
    }
  };
  /** Writes far more than its deadline allows, so that it is ended while it does. */
  const writeTooMuch: Statement = {
    text: 'insert into notes (n) select -n from generate_series(1, 100000000) n',
    deadlineMs: 50,
  };
  const end = async () => {
    for (; ends < FORCED_ENDS; ends++) {
      await expect(database.batch([writeTooMuch])).rejects.toMatchObject(TIMEOUT);
      for (let more = 0; more < 20; more++) await database.query('select 1');
    }
  };
  await Promise.all([end(), write(), write(), write(), write(), write()]);
  const found = await numbers();
  expect(found.filter((n) => n < 0)).toEqual([]);
  expect(new Set(found).size).toBe(found.length);
  expect(acknowledged.length).toBeGreaterThan(FORCED_ENDS * 20);
  expect(acknowledged.filter((n) => !found.includes(n))).toEqual([]);
  if (process.env['FORCED_ENDS']) console.log(`${ends} forced ends, ${acknowledged.length} acknowledged, none lost`);
});
