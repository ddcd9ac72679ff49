import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pdf } from '../../packages/backend/tests/support/sample-files.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
  await site.service.from('posts').insert({ title: 'Draft', slug: 'draft', status: 'draft' }).throwOnError();
});
beforeEach(async () => {
  await setTo('off');
});
afterAll(() => site.close());

const setTo = (value: string) => save(site.service, value).throwOnError();

function save(client: SupabaseClient, value: string) {
  return client
    .from('site_settings')
    .upsert({ setting_key: 'require_second_factor', setting_value: value }, { onConflict: 'setting_key' });
}

/** Tries what an admin does and nobody else: reads drafts, other people's roles and private settings, and writes. */
async function powers(client: SupabaseClient) {
  const drafts = await client.from('posts').select('slug').eq('slug', 'draft');
  const settings = await client.from('site_settings').select('setting_key').eq('setting_key', 'require_second_factor');
  const written = await client.from('posts').update({ title: 'Draft' }).eq('slug', 'draft').select('slug');
  const added = await client
    .from('site_settings')
    .insert({ setting_key: `k${crypto.randomUUID()}`, setting_value: '' });
  const called = await client.rpc('user_emails', { _user_ids: [] });
  const uploaded = await client.storage.from('content-media').upload(`${crypto.randomUUID()}.pdf`, pdf);
  return {
    reads: drafts.data?.length === 1 && settings.data?.length === 1,
    writes: written.data?.length === 1 && added.error === null && uploaded.error === null,
    calls: called.error === null,
  };
}

const ALL = { reads: true, writes: true, calls: true };
const NONE = { reads: false, writes: false, calls: false };

test('While the setting is on, an admin without a second factor is a stranger, and one with it is an admin', async () => {
  const without = await site.signedIn('admin');
  const withFactor = await site.signedIn('admin', 'aal2');
  expect(await powers(without.client)).toEqual(ALL);
  expect(await powers(withFactor.client)).toEqual(ALL);
  await setTo('on');
  expect(await powers(without.client)).toEqual(NONE);
  expect(await powers(withFactor.client)).toEqual(ALL);
  const { data: role } = await without.client.from('user_roles').select('role').eq('user_id', without.id);
  expect(role).toEqual([{ role: 'admin' }]);
});

test.each(['visitor', 'stranger', 'pending', 'client', 'team'] as const)(
  'A second factor makes no admin of a %s, and the setting changes nothing for them',
  async (person) => {
    const ask = async () => (person === 'visitor' ? site.visitor : (await site.signedIn(person, 'aal2')).client);
    expect(await powers(await ask())).toEqual(NONE);
    await setTo('on');
    expect(await powers(await ask())).toEqual(NONE);
    const { data } = await site.visitor.from('posts').select('slug');
    expect(data).toEqual([]);
  },
);

test('The site learns who is asked for a factor', async () => {
  const without = await site.signedIn('admin');
  const withFactor = await site.signedIn('admin', 'aal2');
  const client = await site.signedIn('client');
  const needs = async (asker: SupabaseClient) => (await asker.rpc('admin_needs_second_factor')).data;
  expect(await needs(without.client)).toBe(false);
  await setTo('on');
  expect(await needs(without.client)).toBe(true);
  expect(await needs(withFactor.client)).toBe(false);
  expect(await needs(client.client)).toBe(false);
  expect((await site.visitor.rpc('admin_needs_second_factor')).error).not.toBeNull();
});

test('Only an admin who has just shown a factor switches it on, and off again; nobody writes anything else there', async () => {
  const without = await site.signedIn('admin');
  const refused = await save(without.client, 'on');
  expect(refused.status).toBe(403);
  expect(refused.error?.message).toMatch(/^Set up a second factor on your account page/);
  expect((await save(without.client, 'off')).error).toBeNull();
  const withFactor = await site.signedIn('admin', 'aal2');
  expect((await save(withFactor.client, 'perhaps')).error?.code).toBe('23514');
  expect((await save(withFactor.client, 'on')).error).toBeNull();

  // Neither by changing, renaming nor deleting the row, with an account that would be an admin.
  await save(without.client, 'off');
  await without.client.from('site_settings').delete().eq('setting_key', 'require_second_factor');
  await without.client.from('site_settings').update({ setting_key: 'gone' }).eq('setting_key', 'require_second_factor');
  const { data } = await site.service
    .from('site_settings')
    .select()
    .eq('setting_key', 'require_second_factor')
    .single();
  expect(data.setting_value).toBe('on');
  expect((await save(withFactor.client, 'off')).error).toBeNull();
});

test('Renaming another setting does not switch it on either', async () => {
  const without = await site.signedIn('admin');
  await site.service.from('site_settings').delete().eq('setting_key', 'require_second_factor').throwOnError();
  await site.service.from('site_settings').insert({ setting_key: 'lure', setting_value: 'on' }).throwOnError();
  const renamed = await without.client
    .from('site_settings')
    .update({ setting_key: 'require_second_factor' })
    .eq('setting_key', 'lure');
  expect(renamed.status).toBe(403);
  expect(await powers(without.client)).toMatchObject({ writes: true, calls: true });
});

test('A token of the second level whose session went back to the first is of the first', async () => {
  const admin = await site.signedIn('admin', 'aal2');
  await setTo('on');
  expect(await powers(admin.client)).toEqual(ALL);
  await site.backend.database.query(`update auth.sessions set aal = 'aal1' where user_id = $1`, [admin.id]);
  expect(await powers(admin.client)).toEqual(NONE);
});
