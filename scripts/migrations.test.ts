import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@signalfjord/backend/commands';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSchema } from '../tests/support/read-schema.ts';
import { openEmptyDatabase } from '../tests/support/test-database.ts';
import { findDifference, findMigrationFaults, landMigrations, nextVersion, writeBaseline } from './migrations.ts';

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

test('The version of a new migration is the current time, or one minute after the last version if that is later', () => {
  const now = new Date('2026-11-23T10:20:30Z');
  expect(nextVersion(['20261122110000_create_kinds.sql'], now)).toBe('20261123102000');
  expect(nextVersion(['20261127140200_keep_origins.sql'], now)).toBe('20261127140300');
  expect(nextVersion(['20261127235900_keep_origins.sql'], now)).toBe('20261128000000');
  expect(nextVersion([], now)).toBe('20261123102000');
});

test('The check and the server reject a migration that sorts before a frozen migration', async () => {
  await writeFile(join(folder, EARLY), 'alter table public.notes add column title text;\n');
  expect(await findMigrationFaults(folder, false)).toEqual([
    expect.stringContaining(`${EARLY} sorts before ${LANDED}`),
  ]);
  await expect(landMigrations(folder)).rejects.toThrow(EARLY);
  const database = await openEmptyDatabase();
  await expect(migrate(database, folder)).rejects.toThrow(`${EARLY} sorts before ${LANDED}`);
  await database.close();
});

test('A new migration is frozen and gives old and new databases the same schema', async () => {
  const old = await openEmptyDatabase();
  await migrate(old, folder);
  await writeFile(join(folder, LATE), 'alter table public.notes add column title text;\n');
  expect(await findMigrationFaults(folder, false)).toEqual([]);
  expect(await findMigrationFaults(folder, true)).toEqual([
    expect.stringContaining(`${LATE} is not recorded as landed`),
  ]);
  expect(await landMigrations(folder)).toEqual([LATE]);
  expect(await findMigrationFaults(folder, true)).toEqual([]);
  await migrate(old, folder);
  const schema = await readSchema(old);
  await old.close();
  const fresh = await openEmptyDatabase();
  await migrate(fresh, folder);
  expect(await readSchema(fresh)).toEqual(schema);
  expect(schema).toContainEqual(expect.stringContaining('column public.notes.title'));
  await fresh.close();
});

test('A frozen migration cannot be edited or renamed', async () => {
  await writeFile(join(folder, LANDED), 'create table public.notes (id bigint primary key);\n');
  expect(await findMigrationFaults(folder, false)).toEqual([
    expect.stringContaining(`${LANDED} has landed and must not be edited`),
  ]);
  await rename(join(folder, LANDED), join(folder, LATE));
  expect(await findMigrationFaults(folder, false)).toEqual([
    expect.stringContaining(`${LANDED} has landed and must not be deleted`),
  ]);
});

const FORMER_SCHEMA = `create table public.notes (
  id integer primary key,
  text text not null,
  size integer,
  former text
);
create index notes_text_idx on public.notes (text);
grant select on public.notes to anon;

create function public.count_notes() returns integer language sql as $$
  select count(*)::integer from public.notes
$$;

create function public.newest_note() returns integer language sql as $$
  select max(id) from public.notes
$$;
`;

const EDITED_SCHEMA = `create table public.notes (
  id integer primary key,
  text text not null default 'Empty',
  size bigint,
  -- In characters.
  title text not null default '' check (length(title) <= 100)
);
grant select on public.notes to authenticated;
alter table public.notes enable row level security;

create table public.tags (
  note_id integer references public.notes (id),
  tag text
);

create function public.count_notes() returns integer language sql as $$
  -- Notes with a title.
  select count(*)::integer from public.notes where title <> ''
$$;
grant execute on function public.count_notes to anon;

create function public.newest_note() returns setof public.notes language sql as $$
  select * from public.notes order by id desc limit 1
$$;

create policy "Users read notes with a title" on public.notes for select to authenticated
  using (title <> '');
`;

async function difference(): Promise<string> {
  const [wantedDatabase, migratedDatabase] = [await openEmptyDatabase(), await openEmptyDatabase()];
  const sql = await findDifference(root, wantedDatabase, migratedDatabase);
  await wantedDatabase.close();
  await migratedDatabase.close();
  return sql;
}

test('A new migration contains the difference between the schemas and the migrated database', async () => {
  await mkdir(join(root, 'schemas'));
  await writeFile(join(root, 'config.toml'), 'schema_paths = [\n  "./schemas/notes.sql",\n]\n');
  await writeFile(join(root, 'schemas/notes.sql'), FORMER_SCHEMA);
  const baseline = await writeBaseline(root, '7.1');
  expect(await readdir(folder)).toEqual([baseline.slice('supabase/migrations/'.length)]);
  expect(await readFile(join(folder, baseline.slice('supabase/migrations/'.length)), 'utf8')).toContain(
    '-- Replaces the migrations up to 20300101000000, the last of version 7.1.',
  );
  expect(await difference()).toBe('');

  await writeFile(join(root, 'schemas/notes.sql'), EDITED_SCHEMA);
  const sql = await difference();
  const statements = sql.split('\n\n').map((statement) => statement.trim());
  expect(statements).toEqual(
    expect.arrayContaining([
      'drop index public.notes_text_idx;',
      'alter table public.notes drop column former;',
      `alter table public.notes alter column text set default 'Empty'::text;`,
      `alter table public.notes add column title text not null default '' check (length(title) <= 100);`,
      'revoke select on table public.notes from anon;',
      'grant select on table public.notes to authenticated;',
      'alter table public.notes enable row level security;',
      'grant execute on function public.count_notes() to anon;',
      `create policy "Users read notes with a title" on public.notes for select to authenticated\n  using (title <> '');`,
    ]),
  );
  expect(sql).toContain(
    'create or replace function public.count_notes() returns integer language sql as $$\n  -- Notes',
  );
  expect(sql).toContain('drop function public.newest_note();\ncreate function public.newest_note() returns setof');
  expect(sql).toContain('create table public.tags (');
  expect(sql.match(/^-- by hand.*/gm)).toEqual(['-- by hand: alter table public.notes alter column size bigint']);

  const completed = sql.replace(
    '-- by hand: alter table public.notes alter column size bigint',
    'alter table public.notes alter column size type bigint;',
  );
  await writeFile(join(folder, '20990101000000_edit_notes.sql'), completed);
  expect(await difference()).toBe('');
});

test('A schema file that is missing in schema_paths is rejected', async () => {
  await mkdir(join(root, 'schemas'));
  await writeFile(join(root, 'config.toml'), 'schema_paths = [\n]\n');
  await writeFile(join(root, 'schemas/notes.sql'), FORMER_SCHEMA);
  await expect(writeBaseline(root, '7.1')).rejects.toThrow(
    'Add supabase/schemas/notes.sql to schema_paths in supabase/config.toml.',
  );
  expect(await readdir(folder)).toEqual([LANDED]);
});
