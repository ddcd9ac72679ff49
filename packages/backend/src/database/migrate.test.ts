import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEmptyDatabase } from '../../tests/support/test-database.ts';
import { migrate } from './migrate.ts';

const MIGRATIONS = join(import.meta.dirname, '../../../../supabase/migrations');
const FILE = '20260101000000_create_things.sql';

test('A migration is applied once, and refused in one sentence when it was edited afterwards', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-migrations-'));
  const database = await openEmptyDatabase();
  const write = (text: string) => writeFile(join(folder, FILE), text);

  await write('create table public.things (id int);\n');
  await migrate(database, folder);
  await migrate(database, folder);
  // Line ends are Git's business.
  await write('create table public.things (id int);\r\n');
  await migrate(database, folder);

  await write('create table public.things (id bigint);\n');
  const refused = migrate(database, folder);
  await expect(refused).rejects.toThrow('was edited after');
  await expect(refused).rejects.toThrow(`${FILE} was edited after this database had applied it`);

  // A database from before hashes were kept takes the files as they are now, and holds them to that.
  await database.query('delete from backend.applied_files');
  await migrate(database, folder);
  await write('create table public.things (id int);\n');
  await expect(migrate(database, folder)).rejects.toThrow('was edited after');

  await database.close();
  await rm(folder, { recursive: true });
});

test('A migration tells all copies of the process to read the schema again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-migrations-'));
  const database = await openEmptyDatabase();
  await migrate(database, folder);
  const heard: string[] = [];
  await database.listen('pgrst', (payload) => heard.push(payload));
  await migrate(database, folder);
  expect(heard).toEqual([]);
  await writeFile(join(folder, FILE), 'create table public.things (id int);');
  await migrate(database, folder);
  await expect.poll(() => heard).toEqual(['reload schema']);
  await database.close();
  await rm(folder, { recursive: true });
});

test('A migration that fails in its middle is named, leaves nothing, and is gone on with when it is repaired', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-migrations-'));
  const database = await openEmptyDatabase();
  const write = (file: string, text: string) => writeFile(join(folder, file), text);
  const tables = async () => {
    const { rows } = await database.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    );
    return rows.map(({ name }) => name);
  };
  const second = '20260102000000_fill_things.sql';

  await write(FILE, 'create table public.things (id int);');
  await write(second, 'create table public.more (id int); insert into public.things values (1); select 1 / 0;');
  await write('20260103000000_create_last.sql', 'create table public.last (id int);');
  await expect(migrate(database, folder)).rejects.toThrow(`${second} failed`);
  expect(await tables()).toEqual(['things']);
  expect((await database.query('select id from public.things')).rows).toEqual([]);
  await expect(migrate(database, folder)).rejects.toThrow(`${second} failed`);

  await write(second, 'create table public.more (id int); insert into public.things values (1);');
  await migrate(database, folder);
  expect(await tables()).toEqual(['last', 'more', 'things']);
  expect((await database.query('select id from public.things')).rows).toEqual([{ id: 1 }]);
  await database.close();
  await rm(folder, { recursive: true });
});

test('A database of before versions were frozen opens: renumbered files and earlier forms are known', async () => {
  const database = await openEmptyDatabase();
  await migrate(database, MIGRATIONS);
  const applied = 'select version, name from supabase_migrations.schema_migrations order by version';
  const present = await database.query(applied);
  await database.script(`
    -- As it was recorded under the version that another file has today, and once more by a start in between.
    update supabase_migrations.schema_migrations set name = 'number_shared_places' where version = '20261122190000';
    drop function public.content_origins();
    update supabase_migrations.schema_migrations set version = '20261121100200' where name = 'create_account_sessions';
    delete from backend.applied_files where name = '20261121103200';
    -- An earlier form of a file.
    update backend.applied_files set sha256 = 'a9e94a9b6cd80c7a13884c0c722c19c7e5d0480c44ec7fc664a5e6c46148550a'
    where name = '20261125140300';
  `);
  await migrate(database, MIGRATIONS);
  expect(await database.query(applied)).toEqual(present);
  expect((await database.query('select * from public.content_origins()')).rows).toEqual([]);

  await database.query(`update backend.applied_files set sha256 = 'another' where name = '20261125140300'`);
  await expect(migrate(database, MIGRATIONS)).rejects.toThrow('was edited after');
  await database.close();
});
