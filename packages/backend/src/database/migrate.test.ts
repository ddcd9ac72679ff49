import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEmptyDatabase } from '../../tests/support/test-database.ts';
import { baselineHeader } from './landed-migrations.ts';
import { migrate } from './migrate.ts';

const FILE = '20260101000000_create_things.sql';

test('A migration is applied once, and editing it afterwards is an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-migrations-'));
  const database = await openEmptyDatabase();
  const write = (text: string) => writeFile(join(folder, FILE), text);

  await write('create table public.things (id int);\n');
  await migrate(database, folder);
  await migrate(database, folder);
  // Git may convert line endings.
  await write('create table public.things (id int);\r\n');
  await migrate(database, folder);

  await write('create table public.things (id bigint);\n');
  const migration = migrate(database, folder);
  await expect(migration).rejects.toThrow('was edited after');
  await expect(migration).rejects.toThrow(`${FILE} was edited after this database had applied it`);

  // If no hash was recorded, as with the Supabase CLI, the current one is recorded.
  await database.query('delete from backend.applied_files');
  await migrate(database, folder);
  await write('create table public.things (id int);\n');
  await expect(migrate(database, folder)).rejects.toThrow('was edited after');

  await database.close();
  await rm(folder, { recursive: true });
});

test('A migration makes all processes reload the schema', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-migrations-'));
  const database = await openEmptyDatabase();
  await migrate(database, folder);
  const payloads: string[] = [];
  await database.listen('pgrst', (payload) => payloads.push(payload));
  await migrate(database, folder);
  expect(payloads).toEqual([]);
  await writeFile(join(folder, FILE), 'create table public.things (id int);');
  await migrate(database, folder);
  await expect.poll(() => payloads).toEqual(['reload schema']);
  await database.close();
  await rm(folder, { recursive: true });
});

test('A failed migration is rolled back and named in the error, and is applied after it is fixed', async () => {
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

test('A database with the replaced migrations is marked as being at the baseline, even if the baseline has a lower version', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-migrations-'));
  const database = await openEmptyDatabase();
  const write = (file: string, sql: string) => writeFile(join(folder, file), sql);
  const versions = async () => {
    const sql = 'select version from supabase_migrations.schema_migrations order by 1';
    return (await database.query<{ version: string }>(sql)).rows.map(({ version }) => version);
  };
  await write('20300101000000_create_things.sql', 'create table public.things (id int);');
  await write('20300102000000_add_names.sql', 'alter table public.things add column name text;');
  await migrate(database, folder, (name) => name !== '20300102000000');

  await rm(folder, { recursive: true });
  await mkdir(folder);
  const baseline = `${baselineHeader({ last: '20300102000000', version: '7.1' })}\ncreate table public.things (id int, name text);`;
  await write('20290101000000_baseline.sql', baseline);
  const expectedMessage = 'This database is older than version 7.1. Start version 7.1 once';
  await expect(migrate(database, folder)).rejects.toThrow(expectedMessage);
  expect(await versions()).toEqual(['20300101000000']);

  await database.script(`alter table public.things add column name text;
    insert into supabase_migrations.schema_migrations (version, name) values ('20300102000000', 'add_names')`);
  await write('20290102000000_create_more.sql', 'create table public.more (id int);');
  await migrate(database, folder);
  expect(await versions()).toEqual(['20290101000000', '20290102000000']);
  expect((await database.query('select from public.more, public.things')).rows).toEqual([]);

  const newDatabase = await openEmptyDatabase();
  await migrate(newDatabase, folder);
  const columns = `select table_name, column_name, data_type from information_schema.columns
    where table_schema = 'public' order by 1, 2`;
  expect((await newDatabase.query(columns)).rows).toEqual((await database.query(columns)).rows);
  await newDatabase.close();
  await database.close();
  await rm(folder, { recursive: true });
});
