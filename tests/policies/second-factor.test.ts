import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pdf } from '../../packages/backend/tests/support/sample-files.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
  await site.service.from('posts').insert({ title: 'Draft', slug: 'draft', status: 'draft' }).throwOnError();
});
beforeEach(async () => {
  await setRequirement('off');
});
afterAll(() => site.close());

const setRequirement = (value: string) => save(site.service, value).throwOnError();

function save(client: SupabaseClient, value: string) {
  return client
    .from('site_settings')
    .upsert({ setting_key: 'require_second_factor', setting_value: value }, { onConflict: 'setting_key' });
}

/** Returns whether `client` can read drafts and private settings, write rows and files, and call admin functions. */
async function tryEachRight(client: SupabaseClient) {
  const drafts = await client.from('posts').select('slug').eq('slug', 'draft');
  const settings = await client.from('site_settings').select('setting_key').eq('setting_key', 'require_second_factor');
  const update = await client.from('posts').update({ title: 'Draft' }).eq('slug', 'draft').select('slug');
  const insertion = await client
    .from('site_settings')
    .insert({ setting_key: `k${crypto.randomUUID()}`, setting_value: '' });
  const call = await client.rpc('user_emails', { _user_ids: [] });
  const upload = await client.storage.from('content-media').upload(`${crypto.randomUUID()}.pdf`, pdf);
  return {
    reads: drafts.data?.length === 1 && settings.data?.length === 1,
    writes: update.data?.length === 1 && insertion.error === null && upload.error === null,
    calls: call.error === null,
  };
}

const ALL = { reads: true, writes: true, calls: true };
const NONE = { reads: false, writes: false, calls: false };

test('While a second factor is required, an admin without one has no admin rights', async () => {
  const aal1Admin = await site.signedIn('admin');
  const aal2Admin = await site.signedIn('admin', 'aal2');
  expect(await tryEachRight(aal1Admin.client)).toEqual(ALL);
  expect(await tryEachRight(aal2Admin.client)).toEqual(ALL);
  await setRequirement('on');
  expect(await tryEachRight(aal1Admin.client)).toEqual(NONE);
  expect(await tryEachRight(aal2Admin.client)).toEqual(ALL);
  const { data: role } = await aal1Admin.client.from('user_roles').select('role').eq('user_id', aal1Admin.id);
  expect(role).toEqual([{ role: 'admin' }]);
});

test.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team']))(
  '%s with a second factor has no admin rights, with the setting on or off',
  async (_label, role) => {
    const newCaller = async () => (role === 'visitor' ? site.visitor : (await site.signedIn(role, 'aal2')).client);
    expect(await tryEachRight(await newCaller())).toEqual(NONE);
    await setRequirement('on');
    expect(await tryEachRight(await newCaller())).toEqual(NONE);
    const { data } = await site.visitor.from('posts').select('slug');
    expect(data).toEqual([]);
  },
);

test('The site can check whether an admin still needs a second factor', async () => {
  const aal1Admin = await site.signedIn('admin');
  const aal2Admin = await site.signedIn('admin', 'aal2');
  const client = await site.signedIn('client');
  const needsFactor = async (caller: SupabaseClient) => (await caller.rpc('admin_needs_second_factor')).data;
  expect(await needsFactor(aal1Admin.client)).toBe(false);
  await setRequirement('on');
  expect(await needsFactor(aal1Admin.client)).toBe(true);
  expect(await needsFactor(aal2Admin.client)).toBe(false);
  expect(await needsFactor(client.client)).toBe(false);
  expect((await site.visitor.rpc('admin_needs_second_factor')).error).not.toBeNull();
});

test('Only an admin with a verified second factor can turn the setting on or off', async () => {
  const aal1Admin = await site.signedIn('admin');
  const response = await save(aal1Admin.client, 'on');
  expect(response.status).toBe(403);
  expect(response.error?.message).toMatch(/^Set up a second factor on your account page/);
  expect((await save(aal1Admin.client, 'off')).error).toBeNull();
  const aal2Admin = await site.signedIn('admin', 'aal2');
  expect((await save(aal2Admin.client, 'perhaps')).error?.code).toBe('23514');
  expect((await save(aal2Admin.client, 'on')).error).toBeNull();

  // An admin without a second factor cannot update, delete or rename the row.
  await save(aal1Admin.client, 'off');
  await aal1Admin.client.from('site_settings').delete().eq('setting_key', 'require_second_factor');
  await aal1Admin.client
    .from('site_settings')
    .update({ setting_key: 'gone' })
    .eq('setting_key', 'require_second_factor');
  const { data } = await site.service
    .from('site_settings')
    .select()
    .eq('setting_key', 'require_second_factor')
    .single();
  expect(data.setting_value).toBe('on');
  expect((await save(aal2Admin.client, 'off')).error).toBeNull();
});

test('Renaming another setting cannot turn the requirement on', async () => {
  const aal1Admin = await site.signedIn('admin');
  await site.service.from('site_settings').delete().eq('setting_key', 'require_second_factor').throwOnError();
  await site.service.from('site_settings').insert({ setting_key: 'renamed', setting_value: 'on' }).throwOnError();
  const response = await aal1Admin.client
    .from('site_settings')
    .update({ setting_key: 'require_second_factor' })
    .eq('setting_key', 'renamed');
  expect(response.status).toBe(403);
  expect(await tryEachRight(aal1Admin.client)).toMatchObject({ writes: true, calls: true });
});

test('A token with a second factor loses its admin rights when the session is downgraded', async () => {
  const admin = await site.signedIn('admin', 'aal2');
  await setRequirement('on');
  expect(await tryEachRight(admin.client)).toEqual(ALL);
  await site.backend.database.query(`update auth.sessions set aal = 'aal1' where user_id = $1`, [admin.id]);
  expect(await tryEachRight(admin.client)).toEqual(NONE);
});
