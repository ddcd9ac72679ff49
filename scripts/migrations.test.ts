import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@signalfjord/backend/commands';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { schemaOf } from '../tests/support/schema-of.ts';
import { openEmptyDatabase } from '../tests/support/test-database.ts';
import { faultsOfMigrations, landMigrations, nextVersion } from './migrations.ts';

const LANDED = '20300101000000_create_notes.sql';
const EARLY = '20290101000000_add_titles.sql';
const LATE = '20300101000100_add_titles.sql';

let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'signalfjord-migrations-'));
  folder = join(root, 'migrations');
  await mkdir(folder);
  await writeFile(join(folder, LANDED), 'create table public.notes (id integer primary key);\n');
  await landMigrations(folder);
});
afterEach(() => rm(root, { recursive: true }));

test('The next number is the time, and behind the last migration where that is dated later', () => {
  const now = new Date('2026-11-23T10:20:30Z');
  expect(nextVersion(['20261122110000_create_kinds.sql'], now)).toBe('20261123102000');
  expect(nextVersion(['20261127140200_keep_origins.sql'], now)).toBe('20261127140300');
  expect(nextVersion(['20261127235900_keep_origins.sql'], now)).toBe('20261128000000');
  expect(nextVersion([], now)).toBe('20261123102000');
});

test('A migration that sorts before one that landed is refused, by the check and by a start', async () => {
  await writeFile(join(folder, EARLY), 'alter table public.notes add column title text;\n');
  expect(await faultsOfMigrations(folder, false)).toEqual([expect.stringContaining(`${EARLY} sorts before ${LANDED}`)]);
  await expect(landMigrations(folder)).rejects.toThrow(EARLY);
  const database = await openEmptyDatabase();
  await expect(migrate(database, folder)).rejects.toThrow(`${EARLY} sorts before ${LANDED}`);
  await database.close();
});

test('One that sorts behind lands, and an old database and a new one come to one schema', async () => {
  const old = await openEmptyDatabase();
  await migrate(old, folder);
  await writeFile(join(folder, LATE), 'alter table public.notes add column title text;\n');
  expect(await faultsOfMigrations(folder, false)).toEqual([]);
  expect(await faultsOfMigrations(folder, true)).toEqual([expect.stringContaining(`${LATE} did not land`)]);
  expect(await landMigrations(folder)).toEqual([LATE]);
  expect(await faultsOfMigrations(folder, true)).toEqual([]);
  await migrate(old, folder);
  const schema = await schemaOf(old);
  await old.close();
  const fresh = await openEmptyDatabase();
  await migrate(fresh, folder);
  expect(await schemaOf(fresh)).toEqual(schema);
  expect(schema).toContainEqual(expect.stringContaining('column public.notes.title'));
  await fresh.close();
});

test('One that landed may be neither edited nor renamed', async () => {
  await writeFile(join(folder, LANDED), 'create table public.notes (id bigint primary key);\n');
  expect(await faultsOfMigrations(folder, false)).toEqual([expect.stringContaining(`${LANDED} landed and was edited`)]);
  await rename(join(folder, LANDED), join(folder, LATE));
  expect(await faultsOfMigrations(folder, false)).toEqual([expect.stringContaining(`${LANDED} landed and is gone`)]);
});
