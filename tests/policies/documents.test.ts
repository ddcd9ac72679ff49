/** The registry of documents lists every table with a history and is updated when kinds of content change. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database, SqlValue } from '../../packages/backend/src/database/database.ts';
import { openTestDatabase } from '../support/test-database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const query = <Row extends object>(sql: string, values: SqlValue[] = []) =>
  database.query<Row>(sql, values).then(({ rows }) => rows);

const KINDS = 'select kind::text, title_column::text, is_item from private.documents order by is_item desc, number';

/** Returns the missing step for each unregistered table with a history. */
async function findMissingSteps(): Promise<string[]> {
  const rows = await query<{ table: string }>(
    `select relname as table from pg_trigger join pg_class on pg_class.oid = tgrelid
     where tgfoid = 'private.keep_versions'::regproc
       and not exists (select from private.documents where kind = relname) order by 1`,
  );
  return rows.map(({ table }) => `${table} has a history: insert its row into private.documents (docs/extending.md).`);
}

test('The registry lists exactly the tables with a history and only existing columns', async () => {
  expect(await findMissingSteps()).toEqual([]);
  expect(
    await query(
      `select kind, name from private.documents, unnest(key_columns || title_column) as name
       where name is not null and not exists (
         select from pg_attribute where attrelid = to_regclass(format('public.%I', kind)) and attname = name
       )`,
    ),
  ).toEqual([]);
  expect(
    await query(
      `select kind from private.documents where not exists (
         select from pg_trigger where tgrelid = to_regclass(format('public.%I', kind)) and tgfoid = 'private.keep_versions'::regproc
       )`,
    ),
  ).toEqual([]);
});

test('Every registered table has a preview function and a trigger that tracks its files', async () => {
  expect(
    await query(
      `select kind from private.documents where not exists (
         select from pg_trigger
         where tgrelid = to_regclass(format('public.%I', kind))
           and tgfoid in ('private.track_media_mentions'::regproc, 'private.track_references'::regproc)
       )`,
    ),
  ).toEqual([]);
  expect(
    await query(
      `select kind from private.documents where to_regprocedure(format('public.%I()', 'preview_' || kind)) is null`,
    ),
  ).toEqual([]);
});

test('An unregistered table with a history is reported', async () => {
  await database.script(`
    create table public.reports (id uuid primary key);
    create trigger keep_versions after insert on public.reports for each row execute function private.keep_versions()`);
  expect(await findMissingSteps()).toEqual([expect.stringMatching(/^reports has a history: insert its row/)]);
  await database.script(`
    insert into private.documents (kind, key_columns, is_item) values ('reports', '{id}', false)`);
  expect(await findMissingSteps()).toEqual([]);
  await database.script(`drop table public.reports; delete from private.documents where kind = 'reports'`);
});

test('Adding or removing a kind of content updates the registry', async () => {
  const before = await query(KINDS);
  expect(before.slice(-2)).toEqual([
    { kind: 'page_content', title_column: null, is_item: false },
    { kind: 'site_settings', title_column: null, is_item: false },
  ]);
  await database.script(`
    create table public.awards (
      id uuid primary key default gen_random_uuid(), name text not null, status text not null, updated_at timestamptz default now()
    );
    insert into private.content_kinds (table_name, title_column, list_order) values ('awards', 'name', 'name')`);
  expect((await query(KINDS)).at(-3)).toEqual({ kind: 'awards', title_column: 'name', is_item: true });
  await database.script(`update private.content_kinds set title_column = 'status' where table_name = 'awards'`);
  expect((await query(KINDS)).at(-3)).toMatchObject({ title_column: 'status' });
  await database.script(
    `delete from private.content_kinds where table_name = 'awards'; drop table public.awards cascade`,
  );
  expect(await query(KINDS)).toEqual(before);
});

test('The key of a row is null if a key column is missing, and can be found with an index', async () => {
  const readKey = async (kind: string, row: object) =>
    (await query<{ key: string | null }>('select private.document_key($1, $2) as key', [kind, row]))[0]?.key;
  expect(await readKey('page_content', { page_slug: 'home', section_name: 'hero' })).toBe('home/hero');
  expect(await readKey('page_content', { page_slug: 'home', section_name: null })).toBeNull();
  expect(await readKey('page_content', { page_slug: 'home' })).toBeNull();
  expect(await readKey('site_settings', { setting_key: 'site_name' })).toBe('site_name');
  expect(await readKey('posts', { id: 'one', slug: 'other' })).toBe('one');
  expect(await readKey('accounts', { id: 'one' })).toBeNull();
  const conditions = await query<{ condition: string }>(
    `select private.is_document_in_sql(kind) as condition from unnest('{posts,site_settings,page_content}'::text[]) as kind`,
  );
  expect(conditions.map(({ condition }) => condition)).toEqual([
    'item.id = $1::pg_catalog.uuid',
    'item.setting_key = $1::pg_catalog.text',
    "item.page_slug::text || '/' || item.section_name::text = $1",
  ]);
});

test('The roles of the API have no privileges on the registry', async () => {
  expect(
    await query(
      `select role from unnest('{anon,authenticated,service_role}'::text[]) as role
       where has_table_privilege(role, 'private.documents', 'select, insert, update, delete')`,
    ),
  ).toEqual([]);
});
