import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { labelledRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const ALL_ROLES = [...OUTSIDERS, 'admin'] as const;

let api: TestBackend;
const clients = new Map<string, SupabaseClient>();

beforeAll(async () => {
  api = await startTestBackend();
  clients.set('visitor', api.visitor);
  for (const role of ['stranger', 'pending', 'client', 'team', 'admin'] as const) {
    clients.set(role, (await api.signedIn(role)).client);
  }
});
afterAll(() => api.close());

const getClient = (role: string) => clients.get(role) ?? api.visitor;

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

async function insertPost(post: { slug: string; status?: string; published_date?: string }): Promise<string> {
  const { data } = await api.service
    .from('posts')
    .insert({ title: post.slug, status: 'published', ...post })
    .select('id')
    .single()
    .throwOnError();
  return data.id;
}

const readAliases = async (slug: string) =>
  (await api.visitor.from('slug_aliases').select('kind,item_id').eq('slug', slug).throwOnError()).data;

describe('A published post with a date in the future', () => {
  beforeAll(async () => {
    await insertPost({ slug: 'scheduled', published_date: inHours(1) });
    await insertPost({ slug: 'due', published_date: inHours(-1) });
  });

  test.each(labelledRoles(OUTSIDERS))('is hidden from %s until its date', async (_label, role) => {
    const { data } = await getClient(role).from('posts').select('slug').in('slug', ['scheduled', 'due']);
    expect(data).toEqual([{ slug: 'due' }]);
  });

  test('is visible to an admin', async () => {
    const { data } = await getClient('admin').from('posts').select('slug').eq('slug', 'scheduled');
    expect(data).toEqual([{ slug: 'scheduled' }]);
  });
});

describe('The previous slug of an item', () => {
  test('is stored when a public item gets a new slug, and all roles can read it', async () => {
    const id = await insertPost({ slug: 'first-name' });
    await api.service.from('posts').update({ slug: 'second-name' }).eq('id', id).throwOnError();
    for (const role of ALL_ROLES) {
      const { data } = await getClient(role).from('slug_aliases').select('kind,item_id').eq('slug', 'first-name');
      expect(data).toEqual([{ kind: 'posts', item_id: id }]);
    }
    expect(await readAliases('second-name')).toEqual([]);
  });

  test('is stored when a public item is unpublished or deleted', async () => {
    const unpublishedId = await insertPost({ slug: 'unpublished' });
    await api.service.from('posts').update({ status: 'draft' }).eq('id', unpublishedId).throwOnError();
    const deletedId = await insertPost({ slug: 'deleted' });
    await api.service.from('posts').delete().eq('id', deletedId).throwOnError();
    expect(await readAliases('unpublished')).toEqual([{ kind: 'posts', item_id: unpublishedId }]);
    expect(await readAliases('deleted')).toEqual([{ kind: 'posts', item_id: deletedId }]);
  });

  test('points to the last item that used it', async () => {
    const firstId = await insertPost({ slug: 'shared' });
    await api.service.from('posts').update({ slug: 'moved-away' }).eq('id', firstId).throwOnError();
    const secondId = await insertPost({ slug: 'shared' });
    await api.service.from('posts').delete().eq('id', secondId).throwOnError();
    expect(await readAliases('shared')).toEqual([{ kind: 'posts', item_id: secondId }]);
  });

  test('is not stored for a draft or a scheduled post', async () => {
    const draftId = await insertPost({ slug: 'draft-name', status: 'draft' });
    const scheduledId = await insertPost({ slug: 'scheduled-name', published_date: inHours(1) });
    await api.service.from('posts').update({ slug: 'draft-renamed' }).eq('id', draftId).throwOnError();
    await api.service.from('posts').delete().eq('id', scheduledId).throwOnError();
    expect(await readAliases('draft-name')).toEqual([]);
    expect(await readAliases('scheduled-name')).toEqual([]);
  });

  test('is stored for projects', async () => {
    const { data } = await api.service
      .from('projects')
      .insert({ title: 'Case', slug: 'case', status: 'published' })
      .select('id')
      .single()
      .throwOnError();
    await api.service.from('projects').update({ slug: 'case-renamed' }).eq('id', data.id).throwOnError();
    expect(await readAliases('case')).toEqual([{ kind: 'projects', item_id: data.id }]);
  });

  test.each(labelledRoles(ALL_ROLES))('cannot be written by %s', async (_label, role) => {
    const forged = { kind: 'posts', slug: 'forged', item_id: crypto.randomUUID() };
    const table = getClient(role).from('slug_aliases');
    const rejection = { status: role === 'visitor' ? 401 : 403, error: { code: '42501' } };
    expect(await table.insert(forged)).toMatchObject(rejection);
    expect(await table.update({ item_id: forged.item_id }).eq('kind', 'posts')).toMatchObject(rejection);
    expect(await table.delete().eq('kind', 'posts')).toMatchObject(rejection);
    expect(await readAliases('forged')).toEqual([]);
  });

  test('can be written and deleted by the service role', async () => {
    const alias = { kind: 'projects', slug: 'by-hand', item_id: crypto.randomUUID() };
    await api.service.from('slug_aliases').insert(alias).throwOnError();
    expect(await readAliases('by-hand')).toHaveLength(1);
    await api.service.from('slug_aliases').delete().eq('slug', 'by-hand').throwOnError();
    expect(await readAliases('by-hand')).toEqual([]);
  });
});
