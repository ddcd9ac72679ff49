import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capitalizedRoles } from '../support/role-labels.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

type Caller = Person | 'visitor' | 'service';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const EDITORS = ['admin', 'service'] as const;

type Row = Record<string, string>;

/** Rows of each content table. Only editors can read the hidden row, and tests insert the new row. */
const TABLES: Record<string, { publicRow: Row; hiddenRow: Row | null; newRow: Row; key: string; column: string }> = {
  posts: {
    publicRow: { title: 'Open', slug: 'open', status: 'published' },
    hiddenRow: { title: 'Hidden', slug: 'hidden', status: 'draft' },
    newRow: { title: 'Added', slug: 'added', status: 'published' },
    key: 'slug',
    column: 'title',
  },
  projects: {
    publicRow: { title: 'Open', slug: 'open', status: 'published' },
    hiddenRow: { title: 'Hidden', slug: 'hidden', status: 'draft' },
    newRow: { title: 'Added', slug: 'added', status: 'published' },
    key: 'slug',
    column: 'title',
  },
  services: {
    publicRow: { title: 'Open', slug: 'open', status: 'published' },
    hiddenRow: { title: 'Hidden', slug: 'hidden', status: 'draft' },
    newRow: { title: 'Added', slug: 'added', status: 'published' },
    key: 'slug',
    column: 'title',
  },
  reviews: {
    publicRow: { author_name: 'open', quote: 'q', status: 'published' },
    hiddenRow: { author_name: 'hidden', quote: 'q', status: 'draft' },
    newRow: { author_name: 'added', quote: 'q', status: 'published' },
    key: 'author_name',
    column: 'quote',
  },
  team_members: {
    publicRow: { name: 'open', bio: 'b', status: 'published' },
    hiddenRow: { name: 'hidden', bio: 'b', status: 'draft' },
    newRow: { name: 'added', bio: 'b', status: 'published' },
    key: 'name',
    column: 'bio',
  },
  faq: {
    publicRow: { question: 'open', answer: 'a', status: 'published' },
    hiddenRow: { question: 'hidden', answer: 'a', status: 'draft' },
    newRow: { question: 'added', answer: 'a', status: 'published' },
    key: 'question',
    column: 'answer',
  },
  page_content: {
    publicRow: { page_slug: 'test', section_name: 'open', content: '{}' },
    hiddenRow: null,
    newRow: { page_slug: 'test', section_name: 'added', content: '{}' },
    key: 'section_name',
    column: 'content',
  },
  site_settings: {
    publicRow: { setting_key: 'site_name', setting_value: 'v' },
    hiddenRow: { setting_key: 'hidden', setting_value: 'v' },
    newRow: { setting_key: 'added', setting_value: 'v' },
    key: 'setting_key',
    column: 'setting_value',
  },
};

let api: TestBackend;
const clients = new Map<Caller, { id: string; client: SupabaseClient }>();

beforeAll(async () => {
  api = await startTestBackend();
  clients.set('visitor', { id: '', client: api.visitor });
  clients.set('service', { id: '', client: api.service });
  for (const role of ['stranger', 'pending', 'client', 'team', 'admin'] as const) {
    clients.set(role, await api.signedIn(role));
  }
  for (const [table, { publicRow, hiddenRow }] of Object.entries(TABLES)) {
    const { error } = await api.service.from(table).insert(hiddenRow ? [publicRow, hiddenRow] : [publicRow]);
    expect(error).toBeNull();
  }
});
afterAll(() => api.close());

function getUser(caller: Caller): { id: string; client: SupabaseClient } {
  const entry = clients.get(caller);
  if (!entry) throw new Error(`No client for ${caller}`);
  return entry;
}

/**
 * Expected response if the role has no grant. A visitor gets 401, because signing in may help. Other callers get 403.
 */
const rejection = (caller: Caller) => ({ status: caller === 'visitor' ? 401 : 403, error: { code: '42501' } });

describe.each(Object.entries(TABLES))('%s', (table, { publicRow, hiddenRow, newRow, key, column }) => {
  /** Reads the rows of this test with the service role, which bypasses policies. */
  const readStoredRows = async () => {
    const keys = [publicRow, hiddenRow, newRow].flatMap((row) => row?.[key] ?? []);
    const { data } = await api.service.from(table).select(`${key},${column}`).in(key, keys).order(key);
    return data;
  };
  const readVisibleKeys = async (caller: Caller) => {
    const keys = [publicRow, hiddenRow].flatMap((row) => row?.[key] ?? []);
    const { data } = await getUser(caller).client.from(table).select(key).in(key, keys).order(key);
    return (data as unknown as Row[]).map((row) => row[key]);
  };

  test.each(capitalizedRoles(OUTSIDERS))('%s can read only public rows', async (_label, caller) => {
    expect(await readVisibleKeys(caller)).toEqual([publicRow[key]]);
  });

  test.each(EDITORS)('The role %s can read all rows', async (caller) => {
    expect(await readVisibleKeys(caller)).toEqual([publicRow, hiddenRow].flatMap((row) => row?.[key] ?? []).sort());
  });

  test.each(capitalizedRoles(OUTSIDERS))('%s cannot insert, change or delete rows', async (_label, caller) => {
    const before = await readStoredRows();
    const { client } = getUser(caller);
    expect(await client.from(table).insert<Row>(newRow)).toMatchObject(rejection(caller));
    expect((await client.from(table).upsert<Row>({ ...publicRow, [column]: '"x"' })).error).not.toBeNull();
    for (const row of [publicRow, hiddenRow]) {
      if (!row) continue;
      const change = client
        .from(table)
        .update({ [column]: '"x"' })
        .eq(key, row[key]);
      const removal = client.from(table).delete().eq(key, row[key]);
      // Signed-in users have a grant, so the policy filters out the rows and returns no error.
      const expected = caller === 'visitor' ? rejection(caller) : { data: [] };
      expect(await change.select(key)).toMatchObject(expected);
      expect(await removal.select(key)).toMatchObject(expected);
    }
    expect(await readStoredRows()).toEqual(before);
  });

  test.each(EDITORS)('The role %s can insert, change and delete rows', async (caller) => {
    const { client } = getUser(caller);
    expect(await client.from(table).insert<Row>(newRow)).toMatchObject({ status: 201, error: null });
    const change = client
      .from(table)
      .update({ [column]: '"x"' })
      .eq(key, newRow[key]);
    expect((await change.select(column)).data).toEqual([{ [column]: '"x"' }]);
    expect((await readStoredRows())?.find((row) => (row as unknown as Row)[key] === newRow[key])).toMatchObject({
      [column]: '"x"',
    });
    const removal = client.from(table).delete().eq(key, newRow[key]);
    expect((await removal.select(key)).data).toEqual([{ [key]: newRow[key] }]);
    expect(await readStoredRows()).toHaveLength(hiddenRow ? 2 : 1);
  });
});

describe('user_roles', () => {
  const allRoles = async () =>
    (await api.service.from('user_roles').select('user_id,role,approved').order('user_id')).data;

  test('A visitor cannot read roles', async () => {
    expect(await api.visitor.from('user_roles').select('role')).toMatchObject({
      status: 401,
      error: { code: '42501' },
    });
  });

  test.each(capitalizedRoles(['stranger', 'pending', 'client', 'team']))(
    '%s can read only their own role',
    async (_label, role) => {
      const { id, client } = getUser(role);
      const { data } = await client.from('user_roles').select('user_id');
      expect(data).toEqual(role === 'stranger' ? [] : [{ user_id: id }]);
    },
  );

  test('Admins and the service role can read all roles', async () => {
    for (const caller of EDITORS) {
      expect((await getUser(caller).client.from('user_roles').select('user_id')).data).toHaveLength(
        (await allRoles())?.length ?? 0,
      );
    }
  });

  test.each(capitalizedRoles([...OUTSIDERS, 'admin']))(
    '%s cannot write roles, including their own',
    async (_label, caller) => {
      const before = await allRoles();
      const { id, client } = getUser(caller);
      const { id: target } = id ? { id } : getUser('stranger');
      const role = { user_id: target, role: 'admin', approved: true };
      expect(await client.from('user_roles').insert(role)).toMatchObject(rejection(caller));
      expect(await client.from('user_roles').upsert(role)).toMatchObject(rejection(caller));
      expect(
        await client.from('user_roles').update({ role: 'admin', approved: true }).eq('user_id', target),
      ).toMatchObject(rejection(caller));
      expect(await client.from('user_roles').delete().neq('user_id', target)).toMatchObject(rejection(caller));
      expect(await allRoles()).toEqual(before);
    },
  );

  test('The service role can insert, change and delete a role', async () => {
    const { id } = getUser('stranger');
    const { service } = api;
    expect(await service.from('user_roles').insert({ user_id: id, role: 'team' })).toMatchObject({ status: 201 });
    expect(await service.from('user_roles').update({ approved: true }).eq('user_id', id)).toMatchObject({
      status: 204,
    });
    expect((await getUser('stranger').client.from('user_roles').select('role,approved')).data).toEqual([
      { role: 'team', approved: true },
    ]);
    expect(await service.from('user_roles').delete().eq('user_id', id)).toMatchObject({ status: 204 });
    expect((await getUser('stranger').client.from('user_roles').select('role')).data).toEqual([]);
  });

  test('A withdrawn approval takes effect at the next request', async () => {
    const { id, client } = await api.signedIn('admin');
    expect((await client.from('posts').select('slug').eq('slug', 'hidden')).data).toHaveLength(1);
    await api.service.from('user_roles').update({ approved: false }).eq('user_id', id);
    expect((await client.from('posts').select('slug').eq('slug', 'hidden')).data).toHaveLength(0);
    expect(await client.from('posts').insert({ title: 'x', slug: 'x' })).toMatchObject({ status: 403 });
  });
});
