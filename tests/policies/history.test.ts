/**
 * History and trash. Only changes to content create versions. Tests which versions are stored and who can read them.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../../app/content/kinds.ts';
import type { SqlValue } from '../../packages/backend/src/database/database.ts';
import { labelledRoles } from '../support/role-labels.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const ALL_ROLES = [...OUTSIDERS, 'admin', 'service'] as const;
type Caller = (typeof ALL_ROLES)[number];

/** Minimal row for each kind of content. */
const ROWS: Record<string, object> = {
  posts: { title: 'A post', slug: 'a-post', status: 'published' },
  projects: { title: 'A project', slug: 'a-project', status: 'published' },
  services: { title: 'A service', slug: 'a-service', status: 'published' },
  reviews: { author_name: 'A review', quote: 'Good', status: 'published' },
  team_members: { name: 'A team member', status: 'published' },
  faq: { question: 'A question', status: 'published' },
};

let site: TestBackend;
let admin: Awaited<ReturnType<TestBackend['signedIn']>>;
const clients = new Map<Caller, SupabaseClient>();

beforeAll(async () => {
  site = await startTestBackend();
  clients.set('visitor', site.visitor);
  clients.set('service', site.service);
  for (const role of ['stranger', 'pending', 'client', 'team', 'admin'] as const) {
    const user = await site.signedIn(role satisfies Person);
    clients.set(role, user.client);
    if (role === 'admin') admin = user;
  }
});
afterAll(() => site.close());

const getClient = (caller: Caller) => clients.get(caller) ?? site.visitor;

const query = <Row extends object>(sql: string, values: SqlValue[] = []) =>
  site.backend.database.query<Row>(sql, values).then(({ rows }) => rows);

interface Version {
  id: number;
  action: string;
  changes: string[];
  author_id: string | null;
  data: Record<string, unknown>;
}

/** Returns the versions of an item, oldest first. */
const listVersions = (kind: string, itemId: string) =>
  query<Version>(
    'select id, action, changes, author_id, data from public.content_versions where kind = $1 and item_id = $2 order by id',
    [kind, itemId],
  );

const listActions = async (kind: string, itemId: string) =>
  (await listVersions(kind, itemId)).map(({ action, changes }) => (changes.length > 0 ? [action, changes] : action));

async function insert(client: SupabaseClient, kind: string, row: object): Promise<string> {
  return (await client.from(kind).insert(row).select('id').single().throwOnError()).data.id;
}

const insertPost = (row: object = {}) => {
  const slug = `post-${crypto.randomUUID()}`;
  return insert(admin.client, 'posts', { title: slug, slug, ...row });
};

const change = (kind: string, id: string, values: object) =>
  admin.client.from(kind).update(values).eq('id', id).throwOnError();

describe('Every kind of content', () => {
  test('has a sample row in this test', () => {
    expect(Object.keys(ROWS).sort()).toEqual(KINDS.map(({ table }) => table).sort());
  });

  test.each(Object.entries(ROWS))(
    'stores a version with its author on each creation, change, deletion and restore (%s)',
    async (kind, row) => {
      const id = await insert(admin.client, kind, row);
      await change(kind, id, { status: 'draft' });
      await site.service.from(kind).update({ status: 'published' }).eq('id', id).throwOnError();
      const before = (await site.service.from(kind).select().eq('id', id).single().throwOnError()).data;
      await admin.client.from(kind).delete().eq('id', id).throwOnError();
      expect((await site.service.from(kind).select().eq('id', id)).data).toEqual([]);
      expect((await admin.client.rpc('restore_item', { _kind: kind, _item_id: id })).data).toBeNull();
      expect((await site.service.from(kind).select().eq('id', id).single().throwOnError()).data).toEqual(before);

      const versions = await listVersions(kind, id);
      expect(
        versions.map(({ action, changes, author_id, data }) => [action, changes, author_id, data['status']]),
      ).toEqual([
        ['created', [], admin.id, 'published'],
        ['changed', ['status'], admin.id, 'draft'],
        ['changed', ['status'], null, 'published'],
        ['deleted', [], admin.id, 'published'],
        ['restored', [], admin.id, 'published'],
      ]);
      expect(versions[0]?.data).toMatchObject(row);
    },
  );
});

describe('A version', () => {
  test('a version of a section is stored under its page and name, even after a reset', async () => {
    const sections = admin.client.from('page_content');
    const section = { page_slug: 'home', section_name: 'hero' };
    await sections.insert({ ...section, content: '{"mainHeading":"One"}' }).throwOnError();
    await sections.delete().match(section).throwOnError();
    await sections.upsert({ ...section, content: '{}' }, { onConflict: 'page_slug,section_name' }).throwOnError();
    await sections.upsert({ ...section, content: '{"a":1}' }, { onConflict: 'page_slug,section_name' }).throwOnError();
    expect(await listActions('page_content', 'home/hero')).toEqual([
      'created',
      'deleted',
      'created',
      ['changed', ['content']],
    ]);
    expect((await listVersions('page_content', 'home/hero'))[1]?.data['content']).toBe('{"mainHeading":"One"}');
    expect(await query("select from public.deleted_content where kind = 'page_content'")).toEqual([]);
  });

  test('a version of a setting is stored under its key', async () => {
    const settings = admin.client.from('site_settings');
    for (const setting_value of ['One', 'Two']) {
      await settings
        .upsert({ setting_key: 'site_tagline', setting_value }, { onConflict: 'setting_key' })
        .throwOnError();
    }
    expect(await listActions('site_settings', 'site_tagline')).toEqual(['created', ['changed', ['setting_value']]]);
  });

  test('a version with the original state is stored when an item without history is first changed', async () => {
    const id = await insertPost({ excerpt: 'Old' });
    await query('delete from public.content_versions where item_id = $1', [id]);
    await change('posts', id, { excerpt: 'New' });
    const [original, changedVersion] = await listVersions('posts', id);
    expect(original).toMatchObject({ action: 'before', author_id: null, data: { excerpt: 'Old' } });
    expect(changedVersion).toMatchObject({ action: 'changed', author_id: admin.id, data: { excerpt: 'New' } });
  });

  test('is not created by saving without a change or by reordering', async () => {
    const first = await insert(admin.client, 'services', { title: 'One', slug: 'order-1', display_order: 1 });
    const second = await insert(admin.client, 'services', { title: 'Two', slug: 'order-2', display_order: 2 });
    await change('services', first, { title: 'One' });
    await admin.client.rpc('reorder_items', { _table: 'services', _ids: [second, first] }).throwOnError();
    expect(
      (await query<{ display_order: number }>('select display_order from public.services where id = $1', [second]))[0],
    ).toEqual({ display_order: 1 });
    expect(await listActions('services', first)).toEqual(['created']);
    expect(await listActions('services', second)).toEqual(['created']);
    await change('services', first, { title: 'Three', display_order: 9 });
    expect(await listActions('services', first)).toEqual(['created', ['changed', ['display_order', 'title']]]);
  });

  test('does not contain generated columns', async () => {
    await query('alter table public.reviews add column words integer generated always as (length(quote)) stored');
    const id = await insert(admin.client, 'reviews', { author_name: 'Computed', quote: 'Good' });
    expect((await listVersions('reviews', id))[0]?.data).not.toHaveProperty('words');
    await admin.client.from('reviews').delete().eq('id', id).throwOnError();
    await admin.client.rpc('restore_item', { _kind: 'reviews', _item_id: id }).throwOnError();
    expect(await query('select words from public.reviews where id = $1', [id])).toEqual([{ words: 4 }]);
    await query('alter table public.reviews drop column words');
  });

  test('is deleted when its item has 50 newer versions', async () => {
    const [id, otherId] = [await insertPost(), await insertPost()];
    await query(
      `do $$ begin for n in 1..60 loop update public.posts set excerpt = n::text where id = '${id}'; end loop; end $$`,
    );
    const versions = await listVersions('posts', id);
    expect(versions).toHaveLength(50);
    expect(versions.map(({ data }) => data['excerpt'])).toEqual(Array.from({ length: 50 }, (_, n) => String(n + 11)));
    expect(await listActions('posts', otherId)).toEqual(['created']);
  });

  test('is deleted 90 days after it was replaced, but the newest version is never deleted', async () => {
    const [id, unchangedId] = [await insertPost({ excerpt: '0' }), await insertPost()];
    for (const excerpt of ['1', '2', '3']) await change('posts', id, { excerpt });
    const ages = [200, 100, 89, 1];
    for (const [n, days] of ages.entries()) {
      await query(
        `update public.content_versions set created_at = now() - $2 * interval '1 day'
         where id = (select id from public.content_versions where item_id = $1 order by id offset $3 limit 1)`,
        [id, days, n],
      );
    }
    await query(`update public.content_versions set created_at = now() - interval '2 years' where item_id = $1`, [
      unchangedId,
    ]);
    expect(await query('select private.delete_old_versions() as deleted')).toEqual([{ deleted: 1 }]);
    // The version that is 100 days old was replaced 89 days ago.
    expect((await listVersions('posts', id)).map(({ data }) => data['excerpt'])).toEqual(['1', '2', '3']);
    expect(await listActions('posts', unchangedId)).toEqual(['created']);
  });

  test('is read by the cleanup only if it is one of the two oldest versions of an item', async () => {
    await query(
      `insert into public.content_versions (kind, item_id, data, action, created_at)
       select 'posts', 'long ' || item, '{}', 'changed', now() - case version when 1 then 95 else 1 end * interval '1 day'
       from generate_series(1, 40) as item, generate_series(1, 50) as version order by version`,
    );
    const fetchedRows = await site.backend.database.transaction(async (tx) => {
      await tx.query('set local enable_seqscan = off');
      await tx.query('select private.delete_old_versions(200)');
      const { rows } = await tx.query<{ rows: number }>(
        `select pg_stat_get_xact_tuples_fetched('public.content_versions'::regclass)::integer as rows`,
      );
      return rows[0]?.rows;
    });
    // The cleanup reads the oldest version and its successor for each of 40 items, out of 2,000 versions.
    expect(fetchedRows).toBeLessThan(400);
    await query(`delete from public.content_versions where item_id like 'long %'`);
  });
});

describe('History and deleted items', () => {
  let id: string;
  beforeAll(async () => {
    id = await insertPost({ title: 'Secret draft' });
    await admin.client.from('posts').delete().eq('id', id).throwOnError();
  });

  test.each(['admin', 'service'] as const)('can be read by the role %s', async (caller) => {
    expect((await getClient(caller).from('content_versions').select('action').eq('item_id', id)).data).toHaveLength(2);
    expect((await getClient(caller).from('deleted_content').select('title').eq('item_id', id)).data).toEqual([
      { title: 'Secret draft' },
    ]);
  });

  test.each(labelledRoles(OUTSIDERS))('cannot be read by %s', async (_label, caller) => {
    for (const table of ['content_versions', 'deleted_content']) {
      const { data, error } = await getClient(caller).from(table).select('*');
      if (caller === 'visitor') expect(error?.code).toBe('42501');
      else expect(data).toEqual([]);
    }
  });

  test.each(ALL_ROLES)('cannot be written by the role %s', async (caller) => {
    const before = await query('select * from public.content_versions, public.deleted_content order by 1');
    const forgedRows: Record<string, Record<string, unknown>> = {
      content_versions: { kind: 'posts', item_id: id, data: {}, action: 'changed' },
      deleted_content: { kind: 'posts', item_id: crypto.randomUUID(), title: 'Forged', data: {} },
    };
    for (const [table, row] of Object.entries(forgedRows)) {
      const rows = getClient(caller).from(table);
      expect((await rows.insert(row)).error?.code).toBe('42501');
      expect((await rows.upsert(row)).error?.code).toBe('42501');
      expect((await rows.update({ data: {} }).eq('item_id', id)).error?.code).toBe('42501');
      expect((await rows.delete().eq('item_id', id)).error?.code).toBe('42501');
    }
    expect(await query('select * from public.content_versions, public.deleted_content order by 1')).toEqual(before);
  });

  test.each(labelledRoles(OUTSIDERS))(
    'cannot be restored or permanently deleted by %s, who also cannot read names of editors',
    async (_label, caller) => {
      const client = getClient(caller);
      expect((await client.rpc('restore_item', { _kind: 'posts', _item_id: id })).error?.code).toBe('42501');
      expect((await client.rpc('delete_permanently', { _kind: 'posts', _item_ids: [id] })).error?.code).toBe('42501');
      expect((await client.rpc('editor_names', { _user_ids: [admin.id] })).error?.code).toBe('42501');
      expect(await query('select title from public.deleted_content where item_id = $1', [id])).toEqual([
        { title: 'Secret draft' },
      ]);
    },
  );

  test('show an admin the name of the editor', async () => {
    expect((await admin.client.rpc('editor_names', { _user_ids: [admin.id, crypto.randomUUID()] })).data).toEqual([
      { user_id: admin.id, name: admin.email },
    ]);
    await site.service.auth.admin.updateUserById(admin.id, { user_metadata: { name: 'Anna' } });
    expect((await admin.client.rpc('editor_names', { _user_ids: [admin.id] })).data).toEqual([
      { user_id: admin.id, name: 'Anna' },
    ]);
  });

  test("are in the editor's data export, and remain when the editor's account is deleted", async () => {
    const editor = await site.signedIn('admin');
    const post = await insert(editor.client, 'posts', { title: 'Left', slug: `left-${editor.id}` });
    await editor.client.from('posts').delete().eq('id', post).throwOnError();
    const { data } = await admin.client.rpc('export_person', { _user_id: editor.id }).throwOnError();
    expect(data).toMatchObject({
      changes_of_content: [
        { kind: 'posts', item: post, action: 'created' },
        { kind: 'posts', item: post, action: 'deleted' },
      ],
    });
    await admin.client.rpc('delete_person', { _user_id: editor.id }).throwOnError();
    expect((await listVersions('posts', post)).map(({ author_id }) => author_id)).toEqual([null, null]);
    expect(await query('select deleted_by from public.deleted_content where item_id = $1', [post])).toEqual([
      { deleted_by: null },
    ]);
  });
});

describe('A deleted item', () => {
  const remove = (kind: string, id: string) => admin.client.from(kind).delete().eq('id', id).throwOnError();
  const restore = (kind: string, id: string, client = admin.client) =>
    client.rpc('restore_item', { _kind: kind, _item_id: id });

  test('is restored with a free slug if another item has its slug', async () => {
    const id = await insertPost({ slug: 'taken', status: 'published' });
    await remove('posts', id);
    await insertPost({ slug: 'taken' });
    await insertPost({ slug: 'taken-2' });
    expect((await restore('posts', id)).data).toBe('taken-3');
    expect(await query('select slug, status from public.posts where id = $1', [id])).toEqual([
      { slug: 'taken-3', status: 'published' },
    ]);
  });

  test('is restored with a free slug even if its slug has the maximum length', async () => {
    const slug = 'x'.repeat(300);
    const id = await insertPost({ slug });
    await remove('posts', id);
    await insertPost({ slug });
    expect((await restore('posts', id)).data).toBe(`${'x'.repeat(290)}-2`);
  });

  test('is public at its URL again after a restore', async () => {
    const id = await insertPost({ slug: 'back-again', status: 'published' });
    await remove('posts', id);
    expect((await site.visitor.from('posts').select('id').eq('slug', 'back-again')).data).toEqual([]);
    await restore('posts', id);
    expect((await site.visitor.from('posts').select('id').eq('slug', 'back-again')).data).toEqual([{ id }]);
  });

  test('is restored with defaults for added columns and without removed columns', async () => {
    await query("alter table public.faq add column old_column text not null default 'x'");
    const id = await insert(admin.client, 'faq', { question: 'Changed table' });
    await remove('faq', id);
    await query('alter table public.faq drop column old_column, add column new_column integer not null default 7');
    expect((await restore('faq', id)).error).toBeNull();
    expect(await query('select question, new_column from public.faq where id = $1', [id])).toEqual([
      { question: 'Changed table', new_column: 7 },
    ]);
    await query('alter table public.faq drop column new_column');
  });

  test('is restored only once by two concurrent requests', async () => {
    const id = await insertPost();
    await remove('posts', id);
    const responses = await Promise.all([restore('posts', id), restore('posts', id, site.service)]);
    expect(responses.map(({ error }) => error?.message ?? 'restored').sort()).toEqual([
      'This item is no longer in the trash. It was restored or permanently deleted.',
      'restored',
    ]);
    expect(await query('select from public.deleted_content where item_id = $1', [id])).toEqual([]);
  });

  test('leaves the trash when an item with its ID is inserted', async () => {
    const id = await insertPost({ slug: 'by-hand' });
    await remove('posts', id);
    await insertPost({ id, slug: 'by-hand' });
    expect(await query('select from public.deleted_content where item_id = $1', [id])).toEqual([]);
    expect((await listActions('posts', id)).at(-1)).toBe('restored');
  });

  test.each(['page_content', 'user_roles', 'pg_class', 'posts; drop table posts', null])(
    'cannot be restored with the invalid kind %s',
    async (kind) => {
      const { error } = await admin.client.rpc('restore_item', { _kind: kind, _item_id: crypto.randomUUID() });
      expect(error?.message).toBe(`Unknown kind of content: ${kind}`);
    },
  );

  test('can be permanently deleted with its history, without affecting other items', async () => {
    const [id, otherId] = [await insertPost(), await insertPost()];
    await remove('posts', id);
    await remove('posts', otherId);
    expect((await admin.client.rpc('delete_permanently', { _kind: 'projects', _item_ids: [id] })).data).toBe(0);
    expect((await admin.client.rpc('delete_permanently', { _kind: 'posts', _item_ids: [id] })).data).toBe(1);
    expect(await listVersions('posts', id)).toEqual([]);
    expect((await restore('posts', id)).error?.message).toContain('no longer in the trash');
    expect((await restore('posts', otherId)).error).toBeNull();
  });

  test('must be in the trash to be permanently deleted', async () => {
    const id = await insertPost();
    expect((await admin.client.rpc('delete_permanently', { _kind: 'posts', _item_ids: [id] })).data).toBe(0);
    expect(await listActions('posts', id)).toEqual(['created']);
  });

  test('is permanently deleted after 30 days', async () => {
    const [oldId, recentId] = [await insertPost(), await insertPost()];
    for (const [id, days] of [
      [oldId, 31],
      [recentId, 29],
    ] as const) {
      await remove('posts', id);
      await query(`update public.deleted_content set deleted_at = now() - $2 * interval '1 day' where item_id = $1`, [
        id,
        days,
      ]);
    }
    expect(await query('select private.delete_old_trash() as deleted')).toEqual([{ deleted: 1 }]);
    expect(await listVersions('posts', oldId)).toEqual([]);
    expect((await restore('posts', recentId)).error).toBeNull();
  });
});
