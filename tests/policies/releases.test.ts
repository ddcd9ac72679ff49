/** Releases and their changes. Only admins have access, and published releases cannot be changed. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capitalizedRoles } from '../support/role-labels.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['stranger', 'pending', 'client', 'team'] as const satisfies Person[];

let site: TestBackend;
let admin: { id: string; client: SupabaseClient };
const outsiders = new Map<Person | 'visitor', SupabaseClient>();
let releaseId: string;
let changeId: string;

const setting = { kind: 'site_settings', item_id: 'site_tagline', action: 'create' };
const data = { setting_key: 'site_tagline', setting_value: 'Later' };

beforeAll(async () => {
  site = await startTestBackend();
  admin = await site.signedIn('admin');
  outsiders.set('visitor', site.visitor);
  for (const role of OUTSIDERS) outsiders.set(role, (await site.signedIn(role)).client);
  releaseId = (await admin.client.from('releases').insert({ name: 'Spring' }).select('id').single().throwOnError()).data
    .id;
  changeId = (
    await admin.client
      .from('release_changes')
      .insert({ release_id: releaseId, ...setting, data })
      .select('id')
      .single()
      .throwOnError()
  ).data.id;
});
afterAll(() => site.close());

const readAllRows = async () => ({
  releases: (await site.service.from('releases').select().order('id').throwOnError()).data,
  changes: (await site.service.from('release_changes').select().order('id').throwOnError()).data,
});

describe.each(capitalizedRoles(['visitor', ...OUTSIDERS]))('%s', (_label, role) => {
  const client = () => outsiders.get(role) ?? site.visitor;
  const isSignedIn = role !== 'visitor';
  const rejection = { status: isSignedIn ? 403 : 401, error: { code: '42501' } };
  /** Signed-in users have a grant, so the policy filters out the rows and returns no error. */
  const noRows = isSignedIn ? { data: [] } : rejection;

  test('cannot read releases or their changes', async () => {
    expect(await client().from('releases').select()).toMatchObject(noRows);
    expect(await client().from('release_changes').select()).toMatchObject(noRows);
    expect(await client().from('releases').select('*, release_changes(*)')).toMatchObject(noRows);
  });

  test('cannot create, change or delete releases or their changes', async () => {
    const before = await readAllRows();
    const id = () => crypto.randomUUID();
    expect(await client().from('releases').insert({ id: id(), name: 'Mine' })).toMatchObject(rejection);
    expect(
      await client().from('releases').update({ publish_at: '2020-01-01' }).eq('id', releaseId).select(),
    ).toMatchObject(noRows);
    expect(await client().from('releases').delete().eq('id', releaseId).select()).toMatchObject(noRows);
    const changeKey = { release_id: releaseId, kind: 'site_settings', item_id: 'site_name', action: 'create' };
    const change = { ...changeKey, data: { setting_key: 'site_name', setting_value: 'Mine' } };
    expect(await client().from('release_changes').insert(change)).toMatchObject(rejection);
    expect(await client().from('release_changes').update({ data }).eq('id', changeId).select()).toMatchObject(noRows);
    expect(await client().from('release_changes').delete().eq('id', changeId).select()).toMatchObject(noRows);
    expect(await readAllRows()).toEqual(before);
  });
});

describe('An admin', () => {
  test('can create, rename, schedule and delete a release', async () => {
    const { client, id: userId } = admin;
    const response = await client.from('releases').insert({ name: 'Summer' }).select().single().throwOnError();
    expect(response.data).toMatchObject({ name: 'Summer', publish_at: null, published_at: null, created_by: userId });
    const publishAt = new Date(Date.now() + 3_600_000).toISOString();
    const updateResult = await client
      .from('releases')
      .update({ name: 'Midsummer', publish_at: publishAt })
      .eq('id', response.data.id)
      .select()
      .single()
      .throwOnError();
    expect(updateResult.data.name).toBe('Midsummer');
    expect(Date.parse(updateResult.data.publish_at)).toBe(Date.parse(publishAt));
    expect((await client.from('releases').delete().eq('id', response.data.id).select()).data).toHaveLength(1);
  });

  test('can add, edit and remove changes, with at most one change of an item in a release', async () => {
    const { client, id: userId } = admin;
    const { data: change } = await client.from('release_changes').select().eq('id', changeId).single().throwOnError();
    expect(change).toMatchObject({ ...setting, changed_by: userId, base: null });
    const otherChange = { release_id: releaseId, ...setting, item_id: 'seo_keywords' };
    const value = (setting_value: string) => ({ setting_key: 'seo_keywords', setting_value });
    const response = await client.from('release_changes').insert({ ...otherChange, data: value('a') });
    expect(response).toMatchObject({ status: 201 });
    expect(await client.from('release_changes').insert({ ...otherChange, data: value('b') })).toMatchObject({
      status: 409,
    });
    const updateChange = () =>
      client
        .from('release_changes')
        .update({ data: value('c') })
        .eq('item_id', 'seo_keywords');
    expect((await updateChange().select('data').single()).data?.data).toMatchObject({ setting_value: 'c' });
    expect(
      (await client.from('release_changes').delete().eq('item_id', 'seo_keywords').select('id')).data,
    ).toHaveLength(1);
  });

  test('cannot set the author or the publication of a release', async () => {
    const { client } = admin;
    for (const values of [
      { published_at: '2020-01-01' },
      { created_by: null },
      { failure: 'x' },
      { scheduled_by: null },
    ]) {
      expect(await client.from('releases').update(values).eq('id', releaseId)).toMatchObject({ status: 403 });
    }
    for (const values of [{ changed_by: null }, { after: {} }, { release_id: releaseId }, { item_id: 'x' }]) {
      expect(await client.from('release_changes').update(values).eq('id', changeId)).toMatchObject({ status: 403 });
    }
  });

  test('cannot add changes to tables that are not content', async () => {
    for (const kind of ['user_roles', 'releases', 'leads', 'auth.users', 'posts; drop table posts']) {
      const change = { release_id: releaseId, kind, item_id: 'x', action: 'create', data: {} };
      expect(await admin.client.from('release_changes').insert(change)).toMatchObject({ error: { code: '22023' } });
    }
  });

  test('cannot change a published release, but can delete it', async () => {
    const { client } = admin;
    const { data: release } = await client.from('releases').insert({ name: 'Old' }).select().single().throwOnError();
    const change = { release_id: release.id, ...setting, data };
    await client.from('release_changes').insert(change).throwOnError();
    await site.service
      .from('releases')
      .update({ published_at: new Date().toISOString() })
      .eq('id', release.id)
      .throwOnError();
    const conflict = {
      status: 409,
      error: { message: 'The release “Old” has already been published and cannot be changed.' },
    };
    expect(await client.from('releases').update({ name: 'New' }).eq('id', release.id)).toMatchObject(conflict);
    expect(await client.from('releases').update({ publish_at: null }).eq('id', release.id)).toMatchObject(conflict);
    expect(await client.from('release_changes').update({ data }).eq('release_id', release.id)).toMatchObject(conflict);
    expect(await client.from('release_changes').delete().eq('release_id', release.id)).toMatchObject(conflict);
    expect(await client.from('release_changes').insert({ ...change, item_id: 'site_name' })).toMatchObject(conflict);
    expect((await client.from('releases').delete().eq('id', release.id).select()).data).toHaveLength(1);
    expect((await client.from('release_changes').select().eq('release_id', release.id)).data).toEqual([]);
  });
});

test('A release remains when the accounts of its authors are deleted', async () => {
  const { id, client } = await site.signedIn('admin');
  const { data: release } = await client.from('releases').insert({ name: 'Theirs' }).select().single().throwOnError();
  await client
    .from('release_changes')
    .insert({ release_id: release.id, ...setting, data })
    .throwOnError();
  await site.backend.database.query('delete from auth.users where id = $1', [id]);
  const { data: remaining } = await admin.client
    .from('releases')
    .select('name, created_by, release_changes(changed_by)')
    .eq('id', release.id)
    .single();
  expect(remaining).toEqual({ name: 'Theirs', created_by: null, release_changes: [{ changed_by: null }] });
});
