/** The embedded database while there is too little room on its disk. The tests say how much there is. */
import { mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { copyFolder } from '../../tests/support/copy-folder.ts';
import { BALLAST_BYTES, ballastIn, DiskRoom, ROOM_TO_WRITE_BYTES, readRoom } from './disk-room.ts';
import { openPgliteDatabase, type PgliteDatabase } from './pglite-database.ts';
import { assumeRole } from './request-role.ts';

const MB = 1024 * 1024;
const REFUSED = { code: '53100', message: expect.stringContaining('The disk of the server is full') };

let root: string;
let folder: string;
let ballast: string;
/** Free on the disk as long as no ballast lies on it. */
let empty: number;
let said: string[];
let database: PgliteDatabase;

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );
const readFree = async () => empty - (await sizeOf(ballast));

async function open(): Promise<void> {
  const room = new DiskRoom(folder, { ballast, readFree });
  room.onChange((sentence) => said.push(sentence));
  database = await openPgliteDatabase({ folder, room });
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'signalfjord-room-'));
  folder = join(root, 'postgres');
  ballast = ballastIn(root);
  empty = 1024 * MB;
  said = [];
  await copyFolder(inject('databaseTemplate'), folder);
  await open();
  await database.script('create table public.notes (n int)');
});
afterEach(async () => {
  await database.close();
  await rm(root, { recursive: true, force: true });
});

const insert = (n: number) => database.query('insert into notes (n) values ($1)', [n]);
const numbers = async () =>
  (await database.query<{ n: number }>('select n from notes order by n')).rows.map(({ n }) => n);
/** Polls, because a look is remembered for a moment. */
const becomes = (work: () => Promise<unknown>) =>
  expect.poll(() =>
    work().then(
      () => 'done',
      ({ code }) => code,
    ),
  );

describe('While there is too little room', () => {
  beforeEach(async () => {
    await insert(1);
    await expect.poll(() => sizeOf(ballast)).toBe(BALLAST_BYTES);
    empty = BALLAST_BYTES + ROOM_TO_WRITE_BYTES - 1;
    await becomes(() => database.query('delete from notes where false')).toBe('53100');
  });

  test('whatever writes is refused with 53100, in every way to write', async () => {
    const service = { role: 'service_role' as const, claims: {}, headers: {}, method: 'POST', path: '/' };
    const writes: (() => Promise<unknown>)[] = [
      () => database.query('insert into notes (n) values (2)'),
      () => database.query('with made as (insert into notes (n) values (2) returning n) select n from made'),
      () => database.query('create table public.more ()'),
      () => database.query('select n from notes for update'),
      () => database.query(`select set_config('transaction_read_only', 'off', true)`).then(() => insert(2)),
      () => database.script('insert into notes (n) values (2)'),
      () => database.batch([assumeRole(service), { text: `select set_config('role', 'postgres', true)` }, INSERT]),
      () => database.transaction((tx) => tx.query('update notes set n = 2')),
      () => database.transaction(async (tx) => tx.run(INSERT).catch(() => tx.run(INSERT))),
    ];
    for (const write of writes) {
      await expect(write(), String(write)).rejects.toMatchObject(
        /set_config\('transaction_read_only'/.test(String(write)) ? { code: '25001' } : { code: /53100|25P02/ },
      );
    }
    expect(await numbers()).toEqual([1]);
  });

  test('no table is vacuumed, which a transaction that only reads would let happen', async () => {
    const vacuum = (bytes: number) => database.whenIdle('vacuum public.notes', bytes);
    expect(await vacuum(0)).toBe(false);
    empty += 10 * MB;
    expect(await vacuum(20 * MB)).toBe(false);
    expect(await vacuum(5 * MB)).toBe(true);
  });

  test('reading goes on, for roles and in transactions too', async () => {
    const anybody = { role: 'anon' as const, claims: {}, headers: {}, method: 'POST', path: '/' };
    expect(await numbers()).toEqual([1]);
    expect(await database.batch([assumeRole(anybody), { text: 'select 1 as one' }])).toHaveLength(2);
    expect(await database.batch([assumeRole(anybody, { readOnly: true }), { text: 'select 1 as one' }])).toHaveLength(
      2,
    );
    expect((await database.transaction((tx) => tx.query('select n from notes'))).rows).toEqual([{ n: 1 }]);
    const stop = await database.listen('news', () => undefined);
    await stop();
  });

  test('writing goes on by itself when there is room again, and the log has one line for each change', async () => {
    empty += 1;
    await becomes(() => insert(2)).toBe('done');
    expect(await numbers()).toEqual([1, 2]);
    expect(said).toEqual([expect.stringContaining('nearly full'), expect.stringContaining('has room again')]);
  });
});

const INSERT = { text: 'insert into notes (n) values (2)' };

describe('The ballast', () => {
  beforeEach(async () => {
    await insert(1);
    await expect.poll(() => sizeOf(ballast)).toBe(BALLAST_BYTES);
  });

  test('is really written, and nobody else reads it', async () => {
    const { blocks, mode } = await stat(ballast);
    expect(blocks * 512).toBeGreaterThanOrEqual(BALLAST_BYTES);
    expect(mode & 0o777).toBe(0o600);
  });

  test('is given up to open the database again, which then reads and does not write; it comes back with the room', async () => {
    await database.close();
    empty = BALLAST_BYTES + 5 * MB;
    await open();
    expect(await sizeOf(ballast)).toBe(0);
    expect(await numbers()).toEqual([1]);
    await expect(insert(2)).rejects.toMatchObject(REFUSED);

    // Room that would be enough for writing does not count until it is also enough for a new ballast.
    empty = BALLAST_BYTES + ROOM_TO_WRITE_BYTES - 1;
    expect(await new DiskRoom(folder, { ballast, readFree }).isEnough()).toBe(false);
    empty += 1;
    await becomes(() => insert(2)).toBe('done');
    await expect.poll(() => sizeOf(ballast)).toBe(BALLAST_BYTES);
  });

  test('is given up when the worker has to be ended, and stays when there is room to open without it', async () => {
    const endless = { text: 'select count(*) from (select generate_series(1, 1000000000000)) n', deadlineMs: 200 };
    await expect(database.batch([endless])).rejects.toMatchObject({ code: '57014' });
    expect(await numbers()).toEqual([1]);
    expect(await sizeOf(ballast)).toBe(BALLAST_BYTES);
    empty = BALLAST_BYTES + 5 * MB;
    await expect(database.batch([endless])).rejects.toMatchObject({ code: '57014' });
    expect(await numbers()).toEqual([1]);
    expect(await sizeOf(ballast)).toBe(0);
  });

  test('that was cut short is written to its end', async () => {
    await truncate(ballast, 3 * MB);
    expect(await readRoom(folder, ballast, readFree)).toBe(empty - BALLAST_BYTES);
    await expect.poll(() => numbers().then(() => sizeOf(ballast))).toBe(BALLAST_BYTES);
  });
});

test('A database that cannot be opened again for want of room says so', async () => {
  await insert(1);
  await rm(join(folder, 'PG_VERSION'));
  empty = 0;
  const endless = { text: 'select count(*) from (select generate_series(1, 1000000000000)) n', deadlineMs: 200 };
  await expect(database.batch([endless])).rejects.toMatchObject({ code: '57014' });
  await expect(numbers()).rejects.toMatchObject(REFUSED);
});

test('What Postgres loses its way by just after the disk was full is told as the full disk, and otherwise not', async () => {
  // PGlite overflows its stack without telling.
  const overflow = () => database.query(`select 'a' ~ repeat('(', 20000)`);
  await expect(overflow()).rejects.toMatchObject({ code: '57014' });
  empty = 0;
  await becomes(() => insert(1)).toBe('53100');
  empty = 1024 * MB;
  await becomes(() => insert(2)).toBe('done');
  await expect(overflow()).rejects.toMatchObject(REFUSED);
  expect(await numbers()).toEqual([2]);
});
