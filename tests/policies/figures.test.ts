/** Access to figures and imports of clients, tested with two clients and all roles. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const TABLES = ['import_batches', 'campaign_figures'] as const;
const FILE = { name: 'a.csv', hash: 'a'.repeat(64), period: 'day', column_map: {}, refused: 0 };

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
  for (const client of [fjell, havn]) expect((await importFigures(client.worker.client, client)).error).toBeNull();
});
afterAll(() => site.close());

function importFigures(client: SupabaseClient, { id, campaign }: TestClient, sentCount = 10) {
  const _rows = [{ line: 2, campaign, day: '2026-11-16', values: { sent: sentCount } }];
  return client.rpc('import_figures', { _client_id: id, _file: FILE, _rows, _is_dry_run: false });
}

async function readRows(client: SupabaseClient): Promise<{ client_id: string }[][]> {
  return Promise.all(TABLES.map(async (table) => (await client.from(table).select()).data ?? []));
}

/** Expects that `client` cannot import, change or undo figures of `target`. */
async function expectNoWrites(client: SupabaseClient, target: TestClient) {
  const before = await readRows(site.service);
  const { data } = await site.service.from('campaign_figures').select().eq('client_id', target.id).limit(1).single();
  for (const table of TABLES) {
    await client.from(table).insert(table === 'campaign_figures' ? { ...data, first_day: '2026-11-17' } : {});
    expect((await client.from(table).delete().eq('client_id', target.id)).error?.code).toBe('42501');
  }
  expect((await client.from('campaign_figures').update({ value: 0 }).eq('client_id', target.id)).error?.code).toBe(
    '42501',
  );
  expect((await importFigures(client, target, 11)).error?.code).toBe('42501');
  const response = await client.rpc('undo_import', { _client_id: target.id, _batch_id: data.batch_id });
  expect(response.error?.code).toBe('42501');
  expect(await readRows(site.service)).toEqual(before);
}

/** Expects that `client` cannot read figures or imports of a client. */
async function expectNoReads(client: SupabaseClient, { id }: TestClient) {
  for (const rows of await readRows(client)) expect(rows.filter(({ client_id }) => client_id === id)).toEqual([]);
  const days = { _client_id: id, _from: '2026-01-01', _until: '2026-12-31' };
  expect((await client.rpc('figure_sums', days)).data ?? []).toEqual([]);
  const { data: totals } = await client.rpc('figure_totals', { _from: days._from, _until: days._until });
  expect(JSON.stringify(totals ?? [])).not.toContain(id);
  expect((await client.rpc('figure_details', { ...days, _metric: 'sent' })).error?.code).toBe('42501');
  expect((await client.rpc('client_imports', { _client_id: id })).error?.code).toBe('42501');
}

describe.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team']))(
  '%s without an assigned client',
  (_label, role) => {
    test('cannot read or change figures', async () => {
      const client = role === 'visitor' ? site.visitor : (await site.signedIn(role)).client;
      expect((await readRows(client)).flat()).toEqual([]);
      await expectNoReads(client, fjell);
      await expectNoWrites(client, fjell);
    });
  },
);

/** Expects that `client` can read the figures and imports of a client with every function. */
async function expectReads(client: SupabaseClient, { id, worker }: TestClient, name: string) {
  const rows = await readRows(client);
  for (const tableRows of rows) expect(tableRows.map(({ client_id }) => client_id)).toContain(id);
  const days = { _client_id: id, _from: '2026-01-01', _until: '2026-12-31' };
  const { data: sums } = await client.rpc('figure_sums', days).throwOnError();
  expect(sums).toEqual([{ metric: 'sent', first_day: '2026-11-16', last_day: '2026-11-16', value: 10 }]);
  const { data: totals } = await client.rpc('figure_totals', { _from: days._from, _until: days._until }).throwOnError();
  expect(totals.find((total: { id: string }) => total.id === id)).toMatchObject({
    latest: '2026-11-16',
    is_running: false,
    campaigns: [{ channel: 'email', figures: { sent: 10 } }],
  });
  const { data: details } = await client.rpc('figure_details', { ...days, _metric: 'sent' }).throwOnError();
  expect(details.campaigns).toMatchObject([{ name: `Campaign of ${name}`, rows: [{ value: 10 }] }]);
  const { data: imports } = await client.rpc('client_imports', { _client_id: id }).throwOnError();
  expect(imports).toMatchObject([{ file_name: 'a.csv', new_count: 1 }]);
  expect(details.imports).toMatchObject([{ id: imports[0].id, imported_by: imports[0].imported_by }]);
  return { importedBy: imports[0].imported_by, address: worker.email };
}

describe('A member', () => {
  test('can read the figures and imports of their client, but not the address of the importer', async () => {
    const { importedBy, address } = await expectReads(fjell.member.client, fjell, 'Fjell AS');
    expect(importedBy).not.toBe(address);
    expect((await readRows(fjell.member.client)).flat().every(({ client_id }) => client_id === fjell.id)).toBe(true);
    await expectNoReads(fjell.member.client, havn);
  });

  test.each(['their own', 'another'])('cannot change figures of %s client', async (target) => {
    await expectNoWrites(fjell.member.client, target === 'another' ? havn : fjell);
  });

  test('cannot read figures after removal', async () => {
    const user = await site.signedIn('client');
    await admin.rpc('add_client_member', { _client_id: fjell.id, _email: user.email }).throwOnError();
    expect((await readRows(user.client)).flat()).toHaveLength(2);
    await admin.from('client_members').delete().eq('user_id', user.id).throwOnError();
    await expectNoReads(user.client, fjell);
  });
});

describe('An assigned team member', () => {
  test('can read the figures and the address of the importer only for their client', async () => {
    const { importedBy, address } = await expectReads(fjell.worker.client, fjell, 'Fjell AS');
    expect(importedBy).toBe(address);
    await expectNoReads(fjell.worker.client, havn);
  });

  test('cannot import figures of another client or for its campaigns', async () => {
    await expectNoWrites(fjell.worker.client, havn);
    const { data } = await importFigures(fjell.worker.client, { ...fjell, campaign: havn.campaign });
    expect(data).toMatchObject({ new: 0, refused: 1, examples: [{ reason: 'Campaign not found.' }] });
  });

  test('cannot write a figure without an import', async () => {
    const [, figures] = await readRows(fjell.worker.client);
    const response = await fjell.worker.client.from('campaign_figures').insert({ ...figures?.[0], metric: 'replies' });
    expect(response.error?.code).toBe('42501');
  });
});

test('An admin can read and import figures of every client', async () => {
  await expectReads(admin, fjell, 'Fjell AS');
  await expectReads(admin, havn, 'Havn AS');
  const { data } = await importFigures(admin, havn, 10);
  expect(data).toMatchObject({ new: 0, changed: 0, same: 1, refused: 0 });
});

test('Only admins can change goals, time zone and currency, and members can read them', async () => {
  const values = { time_zone: 'Asia/Shanghai', first_weekday: 7, currency: 'EUR', meetings_goal: 12 };
  for (const client of [fjell.member.client, fjell.worker.client]) {
    await client.from('clients').update(values).eq('id', fjell.id);
  }
  const readSettings = () =>
    fjell.member.client.from('clients').select('time_zone, first_weekday, currency, meetings_goal');
  expect((await readSettings()).data).toEqual([
    { time_zone: 'Europe/Oslo', first_weekday: 1, currency: 'NOK', meetings_goal: null },
  ]);
  await admin.from('clients').update(values).eq('id', fjell.id).throwOnError();
  expect((await readSettings()).data).toEqual([values]);
  const response = await admin.from('clients').update({ time_zone: 'Mars/Base' }).eq('id', fjell.id);
  expect(response.error?.message).toBe('Unknown time zone: Mars/Base');
});
