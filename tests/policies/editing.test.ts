/** Presence of editors in open forms. Tests who can read it, and how long it is stored. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let anna: { id: string; email: string; client: SupabaseClient };
let bo: { id: string; email: string; client: SupabaseClient };
beforeAll(async () => {
  site = await startTestBackend();
  anna = await site.signedIn('admin');
  bo = await site.signedIn('admin');
  await query(`update auth.users set raw_user_meta_data = '{"name": "Anna"}' where id = $1`, [anna.id]);
});
beforeEach(() => query('delete from public.editing'));
afterAll(() => site.close());

function query(sql: string, parameters: string[] = []) {
  return site.backend.database.query(sql, parameters);
}

async function reportEditing(client: SupabaseClient, _kind: string, _item_id: string) {
  return (await client.rpc('announce_editing', { _kind, _item_id }).throwOnError()).data;
}

async function listEditors(client: SupabaseClient, _kind: string) {
  return (await client.rpc('list_editing', { _kind }).throwOnError()).data;
}

async function readStoredRows(): Promise<unknown[]> {
  return (await query('select kind, item_id, user_id from public.editing order by item_id')).rows;
}

describe.each(capitalizedRoles(['stranger', 'pending', 'client', 'team']))('%s', (_label, role) => {
  let client: SupabaseClient;
  beforeAll(async () => {
    ({ client } = await site.signedIn(role));
  });

  test('cannot read, report or end editing, and the functions return no error', async () => {
    await reportEditing(anna.client, 'posts', 'one');
    const item = { _kind: 'posts', _item_id: 'one' };
    expect(await client.rpc('announce_editing', item)).toMatchObject({ error: null, data: [] });
    expect((await client.rpc('stop_editing', item)).error).toBeNull();
    expect(await client.rpc('list_editing', { _kind: 'posts' })).toMatchObject({ error: null, data: [] });
    expect((await client.from('editing').select()).error?.code).toBe('42501');
    expect(await readStoredRows()).toEqual([{ kind: 'posts', item_id: 'one', user_id: anna.id }]);
  });
});

test('A visitor cannot read, report or end editing', async () => {
  const item = { _kind: 'posts', _item_id: 'one' };
  for (const name of ['announce_editing', 'stop_editing']) {
    expect((await site.visitor.rpc(name, item)).error?.code).toBe('42501');
  }
  expect((await site.visitor.rpc('list_editing', { _kind: 'posts' })).error?.code).toBe('42501');
  expect((await site.visitor.from('editing').select()).error?.code).toBe('42501');
});

test("The form and the list show other admins the editor's name, or the address if the name is missing", async () => {
  expect(await reportEditing(anna.client, 'posts', 'one')).toEqual([]);
  expect(await reportEditing(bo.client, 'posts', 'one')).toEqual([{ name: 'Anna' }]);
  expect(await reportEditing(anna.client, 'posts', 'one')).toEqual([{ name: bo.email }]);
  expect(await listEditors(bo.client, 'posts')).toEqual([{ item_id: 'one', name: 'Anna' }]);
  expect(await listEditors(bo.client, 'faq')).toEqual([]);
  expect(await reportEditing(bo.client, 'posts', 'two')).toEqual([]);
});

test('An editor does not see their own presence, even in another tab', async () => {
  await reportEditing(anna.client, 'posts', 'one');
  expect(await reportEditing(anna.client, 'posts', 'one')).toEqual([]);
  expect(await listEditors(anna.client, 'posts')).toEqual([]);
  expect(await readStoredRows()).toHaveLength(1);
});

test('Closing a form immediately ends the presence of that editor, but not of others', async () => {
  await reportEditing(anna.client, 'posts', 'one');
  await bo.client.rpc('stop_editing', { _kind: 'posts', _item_id: 'one' }).throwOnError();
  expect(await listEditors(bo.client, 'posts')).toHaveLength(1);
  await anna.client.rpc('stop_editing', { _kind: 'posts', _item_id: 'one' }).throwOnError();
  expect(await listEditors(bo.client, 'posts')).toEqual([]);
});

test('A presence is hidden after a minute without a signal, and deleted a minute later', async () => {
  await reportEditing(anna.client, 'posts', 'one');
  await query(`update public.editing set seen_at = now() - interval '61 seconds'`);
  expect(await listEditors(bo.client, 'posts')).toEqual([]);
  await reportEditing(bo.client, 'posts', 'two');
  expect(await readStoredRows()).toHaveLength(2);
  await query(`update public.editing set seen_at = now() - interval '121 seconds' where user_id = $1`, [anna.id]);
  await reportEditing(bo.client, 'posts', 'two');
  expect(await readStoredRows()).toEqual([{ kind: 'posts', item_id: 'two', user_id: bo.id }]);
});

test('Presence can be reported only for content, sections and settings with an ID of valid length', async () => {
  const { rows } = await query('select table_name::text as kind from private.content_kinds');
  const kinds = [...rows.map(({ kind }) => String(kind)), 'page_content', 'site_settings'];
  for (const kind of kinds) expect(await reportEditing(anna.client, kind, 'one')).toEqual([]);
  const longest = 'a'.repeat(200);
  expect(await reportEditing(anna.client, 'page_content', longest)).toEqual([]);
  for (const [_kind, _item_id] of [
    ['user_roles', 'one'],
    ['posts', ''],
    ['posts', `${longest}a`],
  ]) {
    expect((await anna.client.rpc('announce_editing', { _kind, _item_id })).error?.code).toBe('22023');
  }
});

test('Only the latest 20 forms of an editor are stored', async () => {
  for (let number = 10; number < 35; number++) await reportEditing(anna.client, 'posts', String(number));
  await reportEditing(bo.client, 'posts', 'other');
  const items = (await listEditors(bo.client, 'posts')) as { item_id: string }[];
  expect(items.map(({ item_id }) => Number(item_id)).sort()).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 15),
  );
});

test('Deleting an account deletes its presence', async () => {
  const user = await site.signedIn('admin');
  await reportEditing(user.client, 'posts', 'one');
  await query('delete from auth.users where id = $1', [user.id]);
  expect(await readStoredRows()).toEqual([]);
});
