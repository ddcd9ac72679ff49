/** Releases of many items use few statements, because the transaction holds locks. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
beforeAll(async () => {
  site = await startTestBackend();
  ({ client: admin } = await site.signedIn('admin'));
  // A sequence also counts writes that are rolled back.
  await site.backend.database.script(`
    create sequence private.statements;
    create function private.count_statement() returns trigger language plpgsql security definer as $$
    begin
      perform nextval('private.statements');
      return null;
    end
    $$;
    create trigger count_statement after insert or update or delete on public.posts
      for each statement execute function private.count_statement();
  `);
});
afterAll(() => site.close());
beforeEach(async () => {
  await site.backend.database.query('truncate public.releases, public.posts, public.slug_aliases cascade');
});

async function readSequence(sequence: string): Promise<number> {
  const { rows } = await site.backend.database.query<{ last: string }>(
    `select last_value + is_called::integer as last from ${sequence}`,
  );
  return Number(rows[0]?.last);
}

/** Counts the statements of `run` that write posts, including rolled-back ones. */
async function countStatements(run: () => PromiseLike<unknown>): Promise<number> {
  const before = await readSequence('private.statements');
  await run();
  return (await readSequence('private.statements')) - before;
}

const saveChange = (release: string | null, kind: string, item_id: string, action: string, more: object) =>
  admin
    .rpc('save_to_release', {
      _kind: kind,
      _item_id: item_id,
      _action: action,
      ...(release === null ? { _name: 'Spring' } : { _release_id: release }),
      ...more,
    })
    .throwOnError();

/** A release that changes 20 posts, deletes 10 and adds 10. @returns its id and the ids of the 20 changed posts */
async function newLargeRelease(): Promise<{ id: string; changed: string[] }> {
  const rows = Array.from({ length: 30 }, (_, n) => ({ title: `Post ${n}`, slug: `post-${n}`, status: 'published' }));
  const { data: posts } = await admin.from('posts').insert(rows).select().order('slug').throwOnError();
  let id: string | null = null;
  for (const [n, base] of posts.entries()) {
    const isDeleted = n >= 20;
    const data = isDeleted ? {} : { _data: { title: `Changed ${n}`, content: 'By the quayside' } };
    ({ data: id } = await saveChange(id, 'posts', base.id, isDeleted ? 'delete' : 'update', { _base: base, ...data }));
  }
  for (let n = 0; n < 10; n += 1) {
    const _data = { title: `New ${n}`, slug: `new-${n}`, status: 'published' };
    ({ data: id } = await saveChange(id, 'posts', crypto.randomUUID(), 'create', { _data }));
  }
  if (id === null) throw new Error('Nothing was saved');
  return { id, changed: posts.slice(0, 20).map((post) => post.id) };
}
const publish = (_id: string) => admin.rpc('publish_release', { _id });
const listProblems = async (_id: string) => (await admin.rpc('check_release', { _id }).throwOnError()).data;
const readSlugs = async () => (await admin.from('posts').select('title, slug').order('slug').throwOnError()).data;

test('Forty posts are published and reverted by three statements each, with versions and search words', async () => {
  const { id, changed } = await newLargeRelease();
  const before = await readSlugs();
  expect(await countStatements(() => publish(id).throwOnError())).toBe(3);
  const after = await readSlugs();
  expect(after?.map(({ title }) => title.split(' ')[0])).toEqual([
    ...Array(10).fill('New'),
    ...Array(20).fill('Changed'),
  ]);
  const { data: versions } = await admin
    .from('content_versions')
    .select('action')
    .eq('action', 'changed')
    .throwOnError();
  expect(versions).toHaveLength(20);
  const { data: results } = await admin
    .rpc('search_content', { _kind: 'posts', _query: 'quayside', _columns: ['id'] })
    .throwOnError();
  expect(results.map(({ item }: { item: { id: string } }) => item.id).sort()).toEqual([...changed].sort());
  const { data: changes } = await admin.from('release_changes').select('action, before, after').throwOnError();
  for (const { action, before: oldRow, after: newRow } of changes ?? []) {
    expect([oldRow === null, newRow === null]).toEqual([action === 'create', action === 'delete']);
  }

  const { data: revertId } = await admin.rpc('undo_release', { _id: id }).throwOnError();
  expect(await listProblems(revertId)).toEqual([]);
  expect(await countStatements(() => publish(revertId).throwOnError())).toBe(3);
  expect(await readSlugs()).toEqual(before);
});

test('Adding a change tests only possible conflicts, and checking a release writes no versions', async () => {
  const { id } = await newLargeRelease();
  const newPost = { _data: { title: 'More', slug: 'more' } };
  expect(await countStatements(() => saveChange(id, 'posts', crypto.randomUUID(), 'create', newPost))).toBe(1);
  const versions = await readSequence('public.content_versions_id_seq');
  expect(await countStatements(() => listProblems(id))).toBe(3);
  expect(await readSequence('public.content_versions_id_seq')).toBe(versions);
  await publish(id).throwOnError();
  expect(await readSequence('public.content_versions_id_seq')).toBeGreaterThan(versions);
  expect(await countStatements(() => admin.rpc('undo_release', { _id: id }).throwOnError())).toBe(0);
});

test('A slug that an earlier change of the release frees is available, and an occupied slug is not', async () => {
  const rows = ['a', 'b'].map((slug) => ({ title: slug, slug }));
  const { data: posts } = await admin.from('posts').insert(rows).select().order('slug').throwOnError();
  const [a, b] = posts;
  const { data: id } = await saveChange(null, 'posts', b.id, 'update', { _base: b, _data: { slug: 'c' } });
  await saveChange(id, 'posts', a.id, 'update', { _base: a, _data: { slug: 'b' } });
  await saveChange(id, 'posts', crypto.randomUUID(), 'create', { _data: { title: 'new', slug: 'a' } });
  await expect(
    saveChange(id, 'posts', crypto.randomUUID(), 'create', { _data: { title: 'newer', slug: 'c' } }),
  ).rejects.toMatchObject({ code: '23505' });
  await publish(id).throwOnError();
  expect(await readSlugs()).toEqual(['new', 'a', 'b'].map((title, n) => ({ title, slug: 'abc'[n] })));
});

test('A change by others is kept, and a change to the same field blocks the whole release', async () => {
  const { id, changed } = await newLargeRelease();
  const before = await readSlugs();
  await admin.from('posts').update({ excerpt: 'Theirs' }).eq('id', changed[0]).throwOnError();
  expect(await listProblems(id)).toEqual([]);
  await admin.from('posts').update({ content: 'Theirs' }).eq('id', changed[1]).throwOnError();
  expect(await listProblems(id)).toMatchObject([{ problem: 'conflict', fields: ['content'] }]);
  expect(await publish(id)).toMatchObject({ status: 409 });
  expect(await readSlugs()).toEqual(before);
  await admin.from('posts').update({ content: '' }).eq('id', changed[1]).throwOnError();
  await publish(id).throwOnError();
  const { data: mergedPost } = await admin.from('posts').select('title, excerpt').eq('id', changed[0]).throwOnError();
  expect(mergedPost).toEqual([{ title: 'Changed 0', excerpt: 'Theirs' }]);
});
