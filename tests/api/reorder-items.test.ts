import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { labelledRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let backend: TestBackend;
let admin: TestBackend['service'];

beforeAll(async () => {
  backend = await startTestBackend();
  admin = (await backend.signedIn('admin')).client;
});
afterAll(() => backend.close());
beforeEach(async () => {
  await backend.service.from('team_members').delete().neq('status', '').throwOnError();
});

async function insert(orders: Record<string, number>): Promise<Record<string, string>> {
  const rows = Object.entries(orders).map(([name, display_order], index) => ({
    name,
    display_order,
    created_at: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
  }));
  const { data } = await backend.service.from('team_members').insert(rows).select('id, name').throwOnError();
  return Object.fromEntries(data.map(({ id, name }) => [name, id]));
}

async function readOrders() {
  const { data } = await backend.service
    .from('team_members')
    .select('name, display_order')
    .order('display_order')
    .throwOnError();
  return data.map(({ name, display_order }) => [name, display_order]);
}

describe('Reordering content', () => {
  it('reorders the given items within their positions and leaves the others unchanged', async () => {
    const { a, b, c } = await insert({ a: -10, b: 20, c: 30, d: 40 });
    await admin.rpc('reorder_items', { _table: 'team_members', _ids: [c, a, b] }).throwOnError();
    expect(await readOrders()).toEqual([
      ['c', -10],
      ['a', 20],
      ['b', 30],
      ['d', 40],
    ]);
  });

  it('renumbers the whole list if two items share a position, without reordering the other items', async () => {
    const { b, c } = await insert({ a: 0, b: 0, c: 0, d: 0 });
    await admin.rpc('reorder_items', { _table: 'team_members', _ids: [c, b] }).throwOnError();
    expect(await readOrders()).toEqual([
      ['a', 1],
      ['c', 2],
      ['b', 3],
      ['d', 4],
    ]);
  });

  it('renumbers the whole list even if all items that share a position are in the request', async () => {
    const { a, b } = await insert({ a: 0, b: 0, c: 5 });
    await admin.rpc('reorder_items', { _table: 'team_members', _ids: [b, a] }).throwOnError();
    expect(await readOrders()).toEqual([
      ['b', 1],
      ['a', 2],
      ['c', 3],
    ]);
  });

  it('ignores items that have been deleted', async () => {
    const { a, b } = await insert({ a: 1, b: 2 });
    const ids = [b, crypto.randomUUID(), a];
    await admin.rpc('reorder_items', { _table: 'team_members', _ids: ids }).throwOnError();
    expect(await readOrders()).toEqual([
      ['b', 1],
      ['a', 2],
    ]);
  });

  it.each(labelledRoles(['client', 'team', 'pending']))(
    'returns 403 for %s and does not change the order',
    async (_label, role) => {
      const { a, b } = await insert({ a: 1, b: 2 });
      const { client } = await backend.signedIn(role);
      const { error, status } = await client.rpc('reorder_items', { _table: 'team_members', _ids: [b, a] });
      expect([status, error?.code]).toEqual([403, '42501']);
      expect(await readOrders()).toEqual([
        ['a', 1],
        ['b', 2],
      ]);
    },
  );

  it('returns 401 for visitors', async () => {
    const { status } = await backend.visitor.rpc('reorder_items', { _table: 'team_members', _ids: [] });
    expect(status).toBe(401);
  });

  it.each(['posts', 'site_settings', 'team_members; drop table posts'])(
    'returns 400 for the table name "%s", which is not sortable',
    async (table) => {
      const { error, status } = await admin.rpc('reorder_items', { _table: table, _ids: [] });
      expect([status, error?.code]).toEqual([400, '22023']);
    },
  );
});
