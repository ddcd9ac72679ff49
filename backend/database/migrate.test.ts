import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EditedMigrationError, migrate } from './migrate.ts';
import { openPgliteDatabase } from './pglite-database.ts';

const FILE = '20260101000000_create_things.sql';

test('A migration is applied once, and refused in one sentence when it was edited afterwards', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-migrations-'));
  const database = await openPgliteDatabase({});
  const write = (text: string) => writeFile(join(folder, FILE), text);

  await write('create table public.things (id int);\n');
  expect(await migrate(database, folder)).toEqual({ isNew: true });
  expect(await migrate(database, folder)).toEqual({ isNew: false });
  // Line ends are Git's business.
  await write('create table public.things (id int);\r\n');
  expect(await migrate(database, folder)).toEqual({ isNew: false });

  await write('create table public.things (id bigint);\n');
  const refused = migrate(database, folder);
  await expect(refused).rejects.toThrow(EditedMigrationError);
  await expect(refused).rejects.toThrow(`${FILE} was edited after this database had applied it`);

  // A database from before hashes were kept takes the files as they are now, and holds them to that.
  await database.query('delete from backend.applied_files');
  await migrate(database, folder);
  await write('create table public.things (id int);\n');
  await expect(migrate(database, folder)).rejects.toThrow(EditedMigrationError);

  await database.close();
  await rm(folder, { recursive: true });
});
