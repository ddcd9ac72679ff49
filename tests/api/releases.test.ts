/**
 * Releases. Their changes are validated, are published together or not at all, and never overwrite changes by others.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readNewestMail } from '../support/outbox.ts';
import { labelledRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

type Row = Record<string, unknown> & { id: string; updated_at: string };

let site: TestBackend;
let admin: { id: string; email: string; client: SupabaseClient };
beforeAll(async () => {
  site = await startTestBackend();
  admin = await site.signedIn('admin');
});
afterAll(() => site.close());
beforeEach(async () => {
  await site.backend.database.query('truncate public.releases, public.posts, public.faq, private.mail_queue cascade');
});

async function createPost(values: Record<string, unknown> = {}): Promise<Row> {
  const row = { title: 'Fjord', slug: 'fjord', content: 'Cold', status: 'published', ...values };
  return (await admin.client.from('posts').insert(row).select().single().throwOnError()).data;
}
const readLiveRow = async (kind: string, id: string): Promise<Row | null> =>
  (await admin.client.from(kind).select().eq('id', id).maybeSingle().throwOnError()).data;
const listPosts = async () =>
  (await admin.client.from('posts').select('title, slug, status').order('slug').throwOnError()).data;

interface Change {
  kind?: string;
  item_id: string;
  action?: 'create' | 'update' | 'delete';
  data?: Record<string, unknown> | null;
  base?: Row | null;
  seen?: string;
}
const saveChange = (release: string | null, { kind = 'posts', item_id, action = 'update', data, base, seen }: Change) =>
  admin.client.rpc('save_to_release', {
    _kind: kind,
    _item_id: item_id,
    _action: action,
    ...(release ? { _release_id: release } : { _name: 'Spring' }),
    ...(data && { _data: data }),
    ...(base && { _base: base }),
    ...(seen && { _expected_changed_at: seen }),
  });

async function createRelease(...changes: Change[]): Promise<string> {
  let id: string | null = null;
  for (const change of changes) id = (await saveChange(id, change).throwOnError()).data;
  if (id === null) throw new Error('No changes were passed');
  return id;
}
const update = (base: Row, data: Record<string, unknown>): Change => ({ item_id: base.id, data, base });
const creation = (data: Record<string, unknown>): Change => ({ item_id: crypto.randomUUID(), action: 'create', data });
const publish = (id: string) => admin.client.rpc('publish_release', { _id: id });
const listProblems = async (id: string) => (await admin.client.rpc('check_release', { _id: id }).throwOnError()).data;
const readChanges = async (id: string) =>
  (await admin.client.from('release_changes').select().eq('release_id', id).order('item_id').throwOnError()).data;
const readRelease = async (id: string) =>
  (await admin.client.from('releases').select().eq('id', id).single().throwOnError()).data;

describe('Publishing', () => {
  test('applies new, changed, published, unpublished and deleted items, sections and settings together', async () => {
    const changedPost = await createPost();
    const hidden = await createPost({ slug: 'hidden', status: 'draft' });
    const publishedPost = await createPost({ slug: 'shown' });
    const deletedPost = await createPost({ slug: 'gone' });
    const section = { page_slug: 'contact', section_name: 'header', content: '{"title":"Write"}' };
    const id = await createRelease(
      creation({ title: 'New', slug: 'new', status: 'published' }),
      update(changedPost, { title: 'Fjord in spring' }),
      update(hidden, { status: 'published' }),
      update(publishedPost, { status: 'draft' }),
      { item_id: deletedPost.id, action: 'delete', base: deletedPost },
      { ...creation({ question: 'How?', answer: 'So.', status: 'published' }), kind: 'faq' },
      { kind: 'page_content', item_id: 'contact/header', action: 'create', data: section },
      {
        kind: 'site_settings',
        item_id: 'site_tagline',
        action: 'create',
        data: { setting_key: 'site_tagline', setting_value: 'Spring' },
      },
    );
    // The changes are not visible before publication.
    expect(await listPosts()).toHaveLength(4);
    expect((await site.visitor.from('faq').select()).data).toEqual([]);
    expect(await listProblems(id)).toEqual([]);
    expect(await publish(id)).toMatchObject({ error: null });
    expect(await listPosts()).toEqual([
      { title: 'Fjord in spring', slug: 'fjord', status: 'published' },
      { title: 'Fjord', slug: 'hidden', status: 'published' },
      { title: 'New', slug: 'new', status: 'published' },
      { title: 'Fjord', slug: 'shown', status: 'draft' },
    ]);
    expect((await site.visitor.from('faq').select('question')).data).toEqual([{ question: 'How?' }]);
    const { data: header } = await site.visitor.from('page_content').select('content').eq('page_slug', 'contact');
    expect(header).toEqual([{ content: '{"title":"Write"}' }]);
    const { data: tagline } = await site.visitor
      .from('site_settings')
      .select('setting_value')
      .eq('setting_key', 'site_tagline');
    expect(tagline).toEqual([{ setting_value: 'Spring' }]);
    const record = await readRelease(id);
    expect(record).toMatchObject({ published_by: admin.id, failure: null });
    expect(Date.now() - Date.parse(record.published_at)).toBeLessThan(60_000);
    await admin.client.from('page_content').delete().eq('page_slug', 'contact');
    await admin.client.from('site_settings').delete().eq('setting_key', 'site_tagline');
  });

  test('records the author, and the rows before and after', async () => {
    const before = await createPost();
    const id = await createRelease(update(before, { title: 'After' }));
    await publish(id).throwOnError();
    expect(await listProblems(id)).toEqual([]);
    const [change] = await readChanges(id);
    expect(change).toMatchObject({ changed_by: admin.id, before: { title: 'Fjord' }, after: { title: 'After' } });
    expect(Date.parse(change.after.updated_at)).toBe(
      Date.parse((await readLiveRow('posts', before.id))?.updated_at ?? ''),
    );
  });

  test('happens once, even for two concurrent requests', async () => {
    const id = await createRelease(creation({ title: 'New', slug: 'new' }));
    const responses = await Promise.all([publish(id), publish(id), publish(id)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409, 409]);
    expect(responses.find(({ error }) => error)?.error?.message).toBe(
      'This release has already been published or was deleted.',
    );
    expect(await listPosts()).toHaveLength(1);
  });

  test('is rejected for an empty release', async () => {
    const { data } = await admin.client.from('releases').insert({ name: 'Empty' }).select().single().throwOnError();
    expect((await publish(data.id)).error?.message).toBe('Nothing was published. This release is empty.');
    expect(await publish(crypto.randomUUID())).toMatchObject({ status: 409 });
  });

  test('works in any order if one item takes over the slug of another', async () => {
    const first = await createPost({ slug: 'one' });
    const second = await createPost({ slug: 'two' });
    const third = await createPost({ slug: 'three' });
    const id = await createRelease(
      update(first, { slug: 'free' }),
      update(second, { slug: 'one' }),
      { item_id: third.id, action: 'delete', base: third },
      creation({ title: 'New', slug: 'two' }),
    );
    await publish(id).throwOnError();
    expect((await listPosts())?.map(({ slug }) => slug)).toEqual(['free', 'one', 'two']);
  });

  test.each(labelledRoles(['stranger', 'pending', 'client', 'team']))(
    'is forbidden for %s, and so are all other release functions',
    async (_label, role) => {
      const base = await createPost();
      const id = await createRelease(update(base, { title: 'After' }));
      const { client } = await site.signedIn(role);
      const [change] = await readChanges(id);
      const calls: [string, object][] = [
        ['publish_release', { _id: id }],
        ['check_release', { _id: id }],
        ['undo_release', { _id: id }],
        ['resolve_release_conflict', { _change_id: change.id, _keep: 'site', _expected_updated_at: null }],
      ];
      for (const [name, args] of calls) {
        expect(await client.rpc(name, args)).toMatchObject({ status: 403, error: { code: '42501' } });
        expect(await site.visitor.rpc(name, args)).toMatchObject({ status: 401 });
      }
      const input = { _name: 'Mine', _kind: 'posts', _item_id: base.id, _action: 'delete', _data: null, _base: base };
      for (const _release_id of [null, id]) {
        expect(await client.rpc('save_to_release', { ...input, _release_id })).toMatchObject({ status: 403 });
        expect(await site.visitor.rpc('save_to_release', { ...input, _release_id })).toMatchObject({ status: 401 });
      }
      expect(await readChanges(id)).toEqual([change]);
      expect(await readLiveRow('posts', base.id)).toEqual(base);
    },
  );
});

describe('A change that others publish before the release', () => {
  test('is kept if the release changes another field', async () => {
    const base = await createPost();
    const id = await createRelease(update(base, { title: 'Ours' }));
    await admin.client.from('posts').update({ content: 'Theirs' }).eq('id', base.id).throwOnError();
    expect(await listProblems(id)).toEqual([]);
    await publish(id).throwOnError();
    expect(await readLiveRow('posts', base.id)).toMatchObject({ title: 'Ours', content: 'Theirs' });
  });

  test('blocks the whole release if it is in the same field, until an admin resolves the conflict', async () => {
    const base = await createPost();
    const otherPost = await createPost({ slug: 'other' });
    const id = await createRelease(
      update(base, { title: 'Ours', excerpt: 'Ours' }),
      update(otherPost, { title: 'Other' }),
    );
    await admin.client.from('posts').update({ title: 'Theirs' }).eq('id', base.id).throwOnError();
    const message = '“Ours” was changed on the site in the same fields (title).';
    const problems = await listProblems(id);
    expect(problems).toMatchObject([
      { problem: 'conflict', sentence: message, fields: ['title'], live: { title: 'Theirs' } },
    ]);
    expect(await publish(id)).toMatchObject({ status: 409, error: { message: `Nothing was published. ${message}` } });
    expect(await readLiveRow('posts', otherPost.id)).toEqual(otherPost);
    expect(await readRelease(id)).toMatchObject({ published_at: null });
  });

  test.each([
    ['release', { title: 'Ours', excerpt: 'Ours', content: 'Theirs' }],
    ['site', { title: 'Theirs', excerpt: 'Ours', content: 'Theirs' }],
  ])('can be resolved in favour of the %s, and fields without a conflict are merged', async (keep, expected) => {
    const base = await createPost();
    const id = await createRelease(update(base, { title: 'Ours', excerpt: 'Ours' }));
    await admin.client.from('posts').update({ title: 'Theirs', content: 'Theirs' }).eq('id', base.id).throwOnError();
    const [problem] = await listProblems(id);
    const resolve = (expectedVersion: string) =>
      admin.client.rpc('resolve_release_conflict', {
        _change_id: problem.change_id,
        _keep: keep,
        _expected_updated_at: expectedVersion,
      });
    // A decision based on an older version is rejected.
    expect(await resolve(base.updated_at)).toMatchObject({ status: 409 });
    await resolve(problem.live.updated_at).throwOnError();
    expect(await listProblems(id)).toEqual([]);
    await publish(id).throwOnError();
    expect(await readLiveRow('posts', base.id)).toMatchObject(expected);
  });

  test("removes the change from the release if the site's version is kept completely", async () => {
    const base = await createPost();
    const id = await createRelease(update(base, { title: 'Ours' }));
    await admin.client.from('posts').update({ title: 'Theirs' }).eq('id', base.id).throwOnError();
    const [problem] = await listProblems(id);
    await admin.client
      .rpc('resolve_release_conflict', {
        _change_id: problem.change_id,
        _keep: 'site',
        _expected_updated_at: problem.live.updated_at,
      })
      .throwOnError();
    expect(await readChanges(id)).toEqual([]);
  });

  test('must be reviewed before the release publishes a draft that others continued to edit', async () => {
    const base = await createPost({ status: 'draft' });
    const id = await createRelease(update(base, { status: 'published' }));
    await admin.client.from('posts').update({ content: 'Half a sen' }).eq('id', base.id).throwOnError();
    const [problem] = await listProblems(id);
    expect(problem).toMatchObject({ problem: 'edited', fields: ['content'] });
    await admin.client
      .rpc('resolve_release_conflict', {
        _change_id: problem.change_id,
        _keep: 'release',
        _expected_updated_at: problem.live.updated_at,
      })
      .throwOnError();
    await publish(id).throwOnError();
    expect(await readLiveRow('posts', base.id)).toMatchObject({ status: 'published', content: 'Half a sen' });
  });

  test('needs no review if only the order of a list changed', async () => {
    const row = { question: 'How?', status: 'draft' };
    const base = (await admin.client.from('faq').insert(row).select().single().throwOnError()).data;
    const id = await createRelease({ ...update(base, { status: 'published' }), kind: 'faq' });
    await admin.client.from('faq').update({ display_order: 7 }).eq('id', base.id).throwOnError();
    await publish(id).throwOnError();
    expect(await readLiveRow('faq', base.id)).toMatchObject({ status: 'published', display_order: 7 });
  });

  test.each(['release', 'site'])('a change to a deleted item can be resolved in favour of the %s', async (keep) => {
    const base = await createPost();
    const id = await createRelease(update(base, { title: 'Ours' }));
    await admin.client.from('posts').delete().eq('id', base.id).throwOnError();
    const [problem] = await listProblems(id);
    expect(problem).toMatchObject({ problem: 'gone', sentence: '“Ours” was deleted on the site.', live: null });
    await admin.client
      .rpc('resolve_release_conflict', { _change_id: problem.change_id, _keep: keep, _expected_updated_at: null })
      .throwOnError();
    expect(await readChanges(id)).toHaveLength(keep === 'release' ? 1 : 0);
    expect((await publish(id)).error === null).toBe(keep === 'release');
    expect((await readLiveRow('posts', base.id))?.['title']).toBe(keep === 'release' ? 'Ours' : undefined);
  });

  test('must be reviewed before the item is deleted, and an item that is already deleted needs no review', async () => {
    const changedPost = await createPost();
    const deletedPost = await createPost({ slug: 'gone' });
    const deletion = (base: Row): Change => ({ item_id: base.id, action: 'delete', base });
    const id = await createRelease(deletion(changedPost), deletion(deletedPost));
    await admin.client.from('posts').update({ title: 'Better' }).eq('id', changedPost.id).throwOnError();
    await admin.client.from('posts').delete().eq('id', deletedPost.id).throwOnError();
    const problems = await listProblems(id);
    expect(problems).toMatchObject([{ problem: 'conflict', fields: ['title'], live: { title: 'Better' } }]);
    await admin.client
      .rpc('resolve_release_conflict', {
        _change_id: problems[0].change_id,
        _keep: 'release',
        _expected_updated_at: problems[0].live.updated_at,
      })
      .throwOnError();
    await publish(id).throwOnError();
    expect(await listPosts()).toEqual([]);
  });

  test('a change to a section that was never saved before is a conflict', async () => {
    const key = { page_slug: 'contact', section_name: 'header' };
    const change: Change = { kind: 'page_content', item_id: 'contact/header', action: 'create' };
    const id = await createRelease({ ...change, data: { ...key, content: '{"title":"Ours"}' } });
    await admin.client
      .from('page_content')
      .insert({ ...key, content: '{"title":"Theirs"}' })
      .throwOnError();
    const [problem] = await listProblems(id);
    expect(problem).toMatchObject({ problem: 'conflict', fields: ['content'] });
    await admin.client
      .rpc('resolve_release_conflict', {
        _change_id: problem.change_id,
        _keep: 'release',
        _expected_updated_at: problem.live.updated_at,
      })
      .throwOnError();
    await publish(id).throwOnError();
    const { data } = await admin.client.from('page_content').select('content').match(key);
    expect(data).toEqual([{ content: '{"title":"Ours"}' }]);
    await admin.client.from('page_content').delete().match(key);
  });
});

describe('A change added to a release', () => {
  test('is stored as the complete future row', async () => {
    const change = creation({ title: 'New', slug: 'new' });
    const id = await createRelease(change);
    const [{ data }] = await readChanges(id);
    expect(data).toMatchObject({ id: change.item_id, title: 'New', excerpt: '', content: '', status: 'draft' });
    expect(data).toHaveProperty('created_at');
    expect(await listPosts()).toEqual([]);
  });

  test('replaces only the version that the editor has seen', async () => {
    const base = await createPost();
    const id = await createRelease(update(base, { title: 'First' }));
    const [{ changed_at }] = await readChanges(id);
    const secondChange = update(base, { title: 'Second' });
    expect(await saveChange(id, secondChange)).toMatchObject({ status: 409 });
    await saveChange(id, { ...secondChange, seen: changed_at }).throwOnError();
    expect(await saveChange(id, { ...secondChange, seen: changed_at })).toMatchObject({ status: 409 });
    expect(await readChanges(id)).toMatchObject([{ data: { title: 'Second', content: 'Cold' } }]);
  });

  test('is checked against the table constraints immediately, and a rejected change creates no release', async () => {
    await createPost();
    const rejectedChanges: [Change, string][] = [
      [creation({ title: '', slug: 'new' }), '23514'],
      [creation({ title: 'New', slug: 'new', status: 'secret' }), '23514'],
      [creation({ title: 'New' }), '23502'],
      [creation({ title: 'New', slug: 'fjord' }), '23505'],
      [creation({ title: 'New', slug: 'new', published_date: 'soon' }), '22007'],
      [creation({ title: 'New', slug: 'new', nonsense: 1 }), '42703'],
      [{ ...creation({ title: 'New', slug: 'new' }), item_id: 'x' }, '22P02'],
      [
        { kind: 'site_settings', item_id: 'a', action: 'create', data: { setting_key: 'b', setting_value: '' } },
        '22023',
      ],
      [
        {
          kind: 'site_settings',
          item_id: 'require_second_factor',
          action: 'create',
          data: { setting_key: 'require_second_factor', setting_value: 'on' },
        },
        '22023',
      ],
    ];
    for (const [change, code] of rejectedChanges) expect((await saveChange(null, change)).error?.code).toBe(code);
    expect((await admin.client.from('releases').select()).data).toEqual([]);
  });

  test('is checked against the other changes of the release, so two new items cannot share a slug', async () => {
    const id = await createRelease(creation({ title: 'One', slug: 'same' }));
    expect(await saveChange(id, creation({ title: 'Two', slug: 'same' }))).toMatchObject({ error: { code: '23505' } });
  });

  test('is rejected if the release already has 200 changes', async () => {
    const id = await createRelease(creation({ title: 'New', slug: 'new' }));
    await site.backend.database.query(`alter table public.release_changes disable trigger guard_change;`);
    await site.backend.database.query(
      `insert into public.release_changes (release_id, kind, item_id, action, data)
       select $1, 'site_settings', 'key-' || n, 'create', jsonb_build_object('setting_key', 'key-' || n, 'setting_value', '')
       from generate_series(1, 199) as n`,
      [id],
    );
    await site.backend.database.query(`alter table public.release_changes enable trigger guard_change`);
    expect((await saveChange(id, creation({ title: 'Too', slug: 'too' }))).error?.message).toBe(
      'A release can contain at most 200 changes.',
    );
    await publish(id).throwOnError();
    await site.backend.database.query(`delete from public.site_settings where setting_key like 'key-%'`);
  });
});

describe('A change that became invalid', () => {
  test('is reported with an error message, and no part of the release is published', async () => {
    const base = await createPost();
    const id = await createRelease(
      creation({ title: 'New', slug: 'new', status: 'published' }),
      update(base, { title: 'After', category: 'Ferries' }),
    );
    await createPost({ slug: 'new', title: 'Faster' });
    await site.backend.database.script(`
      alter table public.posts add constraint short_category check (length(category) < 3);
      notify pgrst, 'reload schema';
    `);
    const messages = (await listProblems(id)).map(({ sentence }: { sentence: string }) => sentence);
    expect(messages).toEqual([
      '“After” was rejected by the database: new row for relation "posts" violates check constraint "short_category"',
      '“New” needs the slug “new”, which another item already uses.',
    ]);
    expect((await publish(id)).error?.message).toBe(`Nothing was published. ${messages.join(' ')}`);
    expect(await readLiveRow('posts', base.id)).toEqual(base);
    await site.backend.database.script(`
      alter table public.posts drop constraint short_category;
      alter table public.posts rename column category to topic;
    `);
    expect((await listProblems(id)).map(({ sentence }: { sentence: string }) => sentence)).toEqual([
      '“After” has fields that no longer exist (category).',
      '“New” needs the slug “new”, which another item already uses.',
    ]);
    await site.backend.database.script(`
      alter table public.posts rename column topic to category;
      notify pgrst, 'reload schema';
    `);
  });
});

describe('Undoing a release', () => {
  test('creates a release that reverts it, even if slugs moved between items', async () => {
    const first = await createPost({ slug: 'one' });
    const second = await createPost({ slug: 'two' });
    const deletedPost = await createPost({ slug: 'gone', title: 'Gone' });
    const before = await listPosts();
    const id = await createRelease(
      update(first, { slug: 'free', title: 'Changed' }),
      update(second, { slug: 'one' }),
      { item_id: deletedPost.id, action: 'delete', base: deletedPost },
      creation({ title: 'New', slug: 'two' }),
    );
    await publish(id).throwOnError();
    const { data: revertId } = await admin.client.rpc('undo_release', { _id: id }).throwOnError();
    expect(await readRelease(revertId)).toMatchObject({
      name: 'Undo: Spring',
      published_at: null,
      created_by: admin.id,
    });
    expect(await listProblems(revertId)).toEqual([]);
    await publish(revertId).throwOnError();
    expect(await listPosts()).toEqual(before);
    expect(await readLiveRow('posts', deletedPost.id)).toMatchObject({
      title: 'Gone',
      created_at: deletedPost['created_at'],
    });
  });

  test('reports conflicts with later changes', async () => {
    const base = await createPost();
    const id = await createRelease(update(base, { title: 'Ours' }));
    await publish(id).throwOnError();
    await admin.client.from('posts').update({ title: 'Theirs' }).eq('id', base.id).throwOnError();
    const { data: revertId } = await admin.client.rpc('undo_release', { _id: id }).throwOnError();
    expect(await listProblems(revertId)).toMatchObject([{ problem: 'conflict', fields: ['title'] }]);
  });

  test('reports problems, such as a slug that is now in use', async () => {
    const base = await createPost();
    const id = await createRelease({ item_id: base.id, action: 'delete', base });
    await publish(id).throwOnError();
    await createPost({ title: 'Another' });
    const { data: revertId } = await admin.client.rpc('undo_release', { _id: id }).throwOnError();
    expect(await listProblems(revertId)).toMatchObject([
      { problem: 'taken', sentence: '“Fjord” needs the slug “fjord”, which another item already uses.' },
    ]);
    expect(await saveChange(revertId, creation({ title: 'Third', slug: 'fjord' }))).toMatchObject({
      error: { code: '23505' },
    });
  });

  test('is possible only if the release was published and changed the site', async () => {
    const base = await createPost();
    const id = await createRelease(update(base, { title: 'Fjord' }));
    expect(await admin.client.rpc('undo_release', { _id: id })).toMatchObject({ status: 404 });
    await publish(id).throwOnError();
    expect(await admin.client.rpc('undo_release', { _id: id })).toMatchObject({ status: 409 });
    expect((await admin.client.from('releases').select()).data).toHaveLength(1);
  });
});

describe('A due release', () => {
  const schedule = (id: string, seconds: number) =>
    admin.client
      .from('releases')
      .update({ publish_at: new Date(Date.now() + seconds * 1000).toISOString() })
      .eq('id', id)
      .throwOnError();

  test('is published automatically, on behalf of the admin who scheduled it', async () => {
    const id = await createRelease(creation({ title: 'New', slug: 'new', status: 'published' }));
    await schedule(id, 3600);
    await site.backend.database.query('select private.publish_next_due_release()');
    expect(await listPosts()).toEqual([]);
    // The backend checks for due releases when it is notified of a new schedule.
    await schedule(id, -1);
    await expect.poll(listPosts).toHaveLength(1);
    expect(await readRelease(id)).toMatchObject({ published_by: admin.id, failure: null });
  });

  test('is blocked by a problem, which is recorded and emailed to the admin who scheduled it', async () => {
    const base = await createPost();
    const id = await createRelease(update(base, { title: 'Ours' }), creation({ title: 'New', slug: 'new' }));
    await admin.client.from('posts').update({ title: 'Theirs' }).eq('id', base.id).throwOnError();
    await schedule(id, -1);
    await expect.poll(async () => (await readRelease(id)).failure).not.toBeNull();
    const failure = '“Ours” was changed on the site in the same fields (title).';
    expect(await readRelease(id)).toMatchObject({ failure, publish_at: null, published_at: null });
    expect(await listPosts()).toEqual([{ title: 'Theirs', slug: 'fjord', status: 'published' }]);
    const mail = await readNewestMail(site.dataFolder, admin.email, /Subject: Not published: Spring/);
    expect(mail).toContain('was changed on the site in the same fields');
    expect(mail).toContain(`/admin/releases/${id}`);
    // A new schedule clears the failure.
    await schedule(id, 3600);
    expect(await readRelease(id)).toMatchObject({ failure: null, failed_at: null, scheduled_by: admin.id });
  });

  test('is published once by concurrent server processes', async () => {
    const id = await createRelease(creation({ title: 'New', slug: 'new' }));
    await schedule(id, -1);
    await Promise.all([1, 2, 3].map(() => site.backend.database.query('select private.publish_next_due_release()')));
    await expect.poll(async () => (await readRelease(id)).published_at).not.toBeNull();
    expect(await listPosts()).toHaveLength(1);
    expect((await readRelease(id)).failure).toBeNull();
  });

  test.each(['anon', 'authenticated', 'service_role'])(
    'can be published only by the server, not by the database role %s',
    async (role) => {
      for (const name of ['publish_next_due_release']) {
        const asRole = site.backend.database.transaction(async (tx) => {
          await tx.query(`set local role ${role}`);
          return tx.query(`select private.${name}()`);
        });
        await expect(asRole).rejects.toMatchObject({ code: '42501' });
      }
    },
  );
});

test("A user's actions in releases are part of their data export", async () => {
  const base = await createPost();
  await createRelease(update(base, { title: 'After' }));
  const { data } = await admin.client.rpc('export_person', { _user_id: admin.id }).throwOnError();
  expect(data).toMatchObject({
    releases: [{ name: 'Spring', created: true }],
    changes_in_releases: [{ kind: 'posts', item: base.id, action: 'update' }],
  });
});
