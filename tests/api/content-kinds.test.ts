/** Functions that handle all kinds of content support every kind in private.content_kinds. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../../app/content/kinds.ts';
import { changeSchema } from '../../packages/backend/tests/support/films.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
});
afterAll(() => site.close());

async function queryNames(sql: string): Promise<string[]> {
  const { rows } = await site.backend.database.query<{ name: string }>(sql);
  return rows.map(({ name }) => name).sort();
}

const KINDS_QUERY = 'select table_name as name from private.content_kinds';

test('Every table with a draft or published status is listed', async () => {
  const tables = await queryNames(
    `select conrelid::regclass::text as name from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace
       and pg_get_constraintdef(oid) like '%status%draft%published%'`,
  );
  expect(tables).toContain('posts');
  expect(tables).toEqual(await queryNames(KINDS_QUERY));
});

test('Every listed column exists, and a change to any kind invalidates cached pages', async () => {
  const missing = await queryNames(
    `select kind.table_name || '.' || wanted as name from private.content_kinds as kind,
       lateral unnest(kind.text_columns || kind.title_column || regexp_split_to_array(kind.list_order, '( desc)?(, |$)')::name[]) as wanted
     where wanted <> '' and not exists (
       select from information_schema.columns
       where table_schema = 'public' and table_name = kind.table_name and column_name = wanted)`,
  );
  expect(missing).toEqual([]);
  expect(
    await queryNames(
      `select table_name as name from private.content_kinds
       where not exists (select from pg_trigger
         where tgrelid = format('public.%I', table_name)::regclass and tgname = 'notify_content_changed')`,
    ),
  ).toEqual([]);
});

test('The kinds in the admin area match the list, with the same title and order', async () => {
  const { rows } = await site.backend.database.query<{ name: string }>(
    'select table_name as name, title_column, list_order from private.content_kinds',
  );
  const kinds = KINDS.map(({ table, titleColumn, listOrder }) => ({
    name: table,
    title_column: titleColumn,
    list_order: listOrder,
  }));
  expect(rows).toHaveLength(kinds.length);
  expect(rows).toEqual(expect.arrayContaining(kinds));
});

describe('The list of kinds', () => {
  test.each(['anon', 'authenticated', 'service_role'])(
    'cannot be read by %s, who can only call the functions that use it',
    async (role) => {
      const { database } = site.backend;
      const asRole = (sql: string) =>
        database.transaction(async (tx) => {
          await tx.query(`set local role ${role}`);
          return tx.query(sql);
        });
      for (const sql of [KINDS_QUERY, 'update private.content_kinds set title_column = title_column']) {
        await expect(asRole(sql)).rejects.toMatchObject({ code: '42501' });
      }
      expect((await asRole('select table_name from private.list_content_kinds()')).rows).toContainEqual({
        table_name: 'posts',
      });
    },
  );

  test('is not a table of the API', async () => {
    for (const client of [site.visitor, admin, site.service]) {
      expect((await client.schema('private').from('content_kinds').select()).error?.code).toBe('PGRST106');
      expect((await client.from('content_kinds').select()).error?.code).toBe('PGRST205');
    }
  });
});

describe('A kind that a migration adds', () => {
  const PICTURE = '/storage/v1/object/public/content-media/ferry.png';
  let ids: string[];
  beforeAll(async () => {
    await changeSchema(
      site,
      `
      create table public.case_studies (
        id uuid primary key default gen_random_uuid(),
        headline text not null, slug text not null, story text not null default '', tags text[] not null default '{}',
        picture text, status text not null check (status in ('draft', 'published')),
        display_order integer not null default 0, created_at timestamptz not null default now()
      );
      grant select, insert, update on public.case_studies to authenticated;
      grant select on public.case_studies to anon;
      alter table public.case_studies enable row level security;
      create policy "Everybody reads" on public.case_studies for select to anon, authenticated
        using (status = 'published' or (select private.is_admin()));
      create policy "Admins write" on public.case_studies for all to authenticated using ((select private.is_admin()));
      insert into public.case_studies (headline, slug, story, tags, picture, status, display_order) values
        ('Ferry', 'ferry', 'Cabins in winter', '{sea,north}', '${PICTURE}', 'published', 1),
        ('Train', 'train', '', '{}', null, 'draft', 2);
      insert into private.content_kinds (table_name, title_column, list_order, public_path, text_columns)
        values ('case_studies', 'headline', 'display_order, created_at', '/cases/{slug}', '{story,tags}');
    `,
    );
    const { rows } = await site.backend.database.query<{ id: string }>('select id from case_studies order by headline');
    ids = rows.map(({ id }) => id);
  });

  test('shows where its pictures are used', async () => {
    const { data } = await admin.rpc('media_usage', { _name: 'ferry.png' });
    expect(data).toEqual([{ kind: 'case_studies', id: ids[0], title: 'Ferry' }]);
  });

  test('can be reordered', async () => {
    await admin.rpc('reorder_items', { _table: 'case_studies', _ids: [...ids].reverse() }).throwOnError();
    const { rows } = await site.backend.database.query('select headline from case_studies order by display_order');
    expect(rows).toEqual([{ headline: 'Train' }, { headline: 'Ferry' }]);
  });

  test('is available to the assistant, without drafts, for every caller', async () => {
    for (const client of [site.visitor, admin]) {
      const { data } = await client.rpc('published_content').throwOnError();
      expect(data).toMatchObject([
        {
          kind: 'case_studies',
          title: 'Ferry',
          public_path: '/cases/{slug}',
          text_columns: ['story', 'tags'],
          item: { slug: 'ferry', story: 'Cabins in winter', tags: ['sea', 'north'] },
        },
      ]);
    }
  });
});
