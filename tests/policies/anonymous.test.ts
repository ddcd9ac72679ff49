/** Anonymous accounts. Policies treat them as signed in, so they must have no more access than a user without a role. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let anonymous: SupabaseClient;
let strangerClient: SupabaseClient;
beforeAll(async () => {
  site = await startTestBackend({ AUTH_ANONYMOUS: 'on' });
  const auth = { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() };
  anonymous = createClient(site.url, PUBLISHABLE_KEY, { auth });
  await anonymous.auth.signInAnonymously();
  strangerClient = (await site.signedIn('stranger')).client;
  await site.signedIn('team');
  await site.service
    .from('posts')
    .insert([
      { title: 'Public', slug: 'public', status: 'published' },
      { title: 'Draft', slug: 'draft', status: 'draft' },
    ])
    .throwOnError();
});
afterAll(() => site.close());

/** Returns, for every table, the number of rows that `client` can read and the error code of an insert. */
async function readAccess(client: SupabaseClient) {
  const { rows } = await site.backend.database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const access: Record<string, unknown> = {};
  for (const { name } of rows) {
    const selection = await client.from(name).select('*', { count: 'exact' }).limit(100);
    const insertion = await client.from(name).insert({});
    access[name] = { rows: selection.count, read: selection.error?.code, insert: insertion.error?.code };
  }
  return access;
}

test('An anonymous account has the same access to every table as a user without a role', async () => {
  const access = await readAccess(anonymous);
  expect(access).toEqual(await readAccess(strangerClient));
  expect(access).toMatchObject({ posts: { rows: 1, insert: '42501' }, user_roles: { rows: 0, insert: '42501' } });
});

test('An anonymous account cannot call admin functions or upload files', async () => {
  for (const [name, args] of [
    ['approve_team_member', { _user_id: crypto.randomUUID(), _approved: true }],
    ['user_emails', { _user_ids: [crypto.randomUUID()] }],
  ] as const) {
    const response = await anonymous.rpc(name, args);
    expect(response.error).not.toBeNull();
    expect(response.error).toEqual((await strangerClient.rpc(name, args)).error);
  }
  const upload = await anonymous.storage.from('content-media').upload('x.txt', new Blob(['x']));
  expect(upload.error).not.toBeNull();
  expect((await anonymous.storage.from('content-media').list()).data).toEqual([]);
});
