/** Access to the figures of clients and their imports: two clients, everybody who could want to read or change them. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
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
  for (const own of [fjell, havn]) expect((await bring(own.worker.client, own)).error).toBeNull();
});
afterAll(() => site.close());

function bring(client: SupabaseClient, { id, campaign }: TestClient, sent = 10) {
  const _rows = [{ line: 2, campaign, day: '2026-11-16', values: { sent } }];
  return client.rpc('import_figures', { _client_id: id, _file: FILE, _rows, _is_trial: false });
}

async function rowsOf(client: SupabaseClient): Promise<{ client_id: string }[][]> {
  return Promise.all(TABLES.map(async (table) => (await client.from(table).select()).data ?? []));
}

/** Tries every write on a client, by somebody who is not to make any, and holds what is different afterwards. */
async function tryEveryWrite(client: SupabaseClient, target: TestClient) {
  const before = await rowsOf(site.service);
  const { data } = await site.service.from('campaign_figures').select().eq('client_id', target.id).limit(1).single();
  for (const table of TABLES) {
    await client.from(table).insert(table === 'campaign_figures' ? { ...data, first_day: '2026-11-17' } : {});
    expect((await client.from(table).delete().eq('client_id', target.id)).error?.code).toBe('42501');
  }
  expect((await client.from('campaign_figures').update({ value: 0 }).eq('client_id', target.id)).error?.code).toBe(
    '42501',
  );
  expect((await bring(client, target, 11)).error?.code).toBe('42501');
  const undone = await client.rpc('undo_import', { _client_id: target.id, _batch_id: data.batch_id });
  expect(undone.error?.code).toBe('42501');
  expect(await rowsOf(site.service)).toEqual(before);
}

/** Tries every way to read a client, by somebody who is to read nothing of it. */
async function tryEveryRead(client: SupabaseClient, { id }: TestClient) {
  for (const rows of await rowsOf(client)) expect(rows.filter(({ client_id }) => client_id === id)).toEqual([]);
  const days = { _client_id: id, _from: '2026-01-01', _until: '2026-12-31' };
  expect((await client.rpc('figure_sums', days)).data ?? []).toEqual([]);
  const { data: totals } = await client.rpc('figure_totals', { _from: days._from, _until: days._until });
  expect(JSON.stringify(totals ?? [])).not.toContain(id);
  expect((await client.rpc('figures_behind', { ...days, _metric: 'sent' })).error?.code).toBe('42501');
  expect((await client.rpc('client_imports', { _client_id: id })).error?.code).toBe('42501');
}

describe.each(['visitor', 'stranger', 'pending', 'client', 'team'] as const)('A %s of no client', (person) => {
  test('reads nothing and changes nothing', async () => {
    const client = person === 'visitor' ? site.visitor : (await site.signedIn(person)).client;
    expect((await rowsOf(client)).flat()).toEqual([]);
    await tryEveryRead(client, fjell);
    await tryEveryWrite(client, fjell);
  });
});

/** Reads a client in every way, by somebody who may. */
async function readEverything(client: SupabaseClient, { id, worker }: TestClient, name: string) {
  const rows = await rowsOf(client);
  for (const found of rows) expect(found.map(({ client_id }) => client_id)).toContain(id);
  const days = { _client_id: id, _from: '2026-01-01', _until: '2026-12-31' };
  const { data: sums } = await client.rpc('figure_sums', days).throwOnError();
  expect(sums).toEqual([{ metric: 'sent', first_day: '2026-11-16', last_day: '2026-11-16', value: 10 }]);
  const { data: totals } = await client.rpc('figure_totals', { _from: days._from, _until: days._until }).throwOnError();
  expect(totals.find((one: { id: string }) => one.id === id)).toMatchObject({
    latest: '2026-11-16',
    is_running: false,
    campaigns: [{ channel: 'email', figures: { sent: 10 } }],
  });
  const { data: behind } = await client.rpc('figures_behind', { ...days, _metric: 'sent' }).throwOnError();
  expect(behind.campaigns).toMatchObject([{ name: `Campaign of ${name}`, rows: [{ value: 10 }] }]);
  const { data: imports } = await client.rpc('client_imports', { _client_id: id }).throwOnError();
  expect(imports).toMatchObject([{ file_name: 'a.csv', new_count: 1 }]);
  expect(behind.imports).toMatchObject([{ id: imports[0].id, imported_by: imports[0].imported_by }]);
  return { importedBy: imports[0].imported_by, address: worker.email };
}

describe('A member', () => {
  test('reads the figures of their client with their imports, but no address of those who brought them', async () => {
    const { importedBy, address } = await readEverything(fjell.member.client, fjell, 'Fjell AS');
    expect(importedBy).not.toBe(address);
    expect((await rowsOf(fjell.member.client)).flat().every(({ client_id }) => client_id === fjell.id)).toBe(true);
    await tryEveryRead(fjell.member.client, havn);
  });

  test.each(['their own', 'another'])('changes nothing of %s client', async (which) => {
    await tryEveryWrite(fjell.member.client, which === 'another' ? havn : fjell);
  });

  test('who is removed reads nothing more', async () => {
    const person = await site.signedIn('client');
    await admin.rpc('add_client_member', { _client_id: fjell.id, _email: person.email }).throwOnError();
    expect((await rowsOf(person.client)).flat()).toHaveLength(2);
    await admin.from('client_members').delete().eq('user_id', person.id).throwOnError();
    await tryEveryRead(person.client, fjell);
  });
});

describe('An assigned team member', () => {
  test('reads their client with the address of who imported, and nothing of another', async () => {
    const { importedBy, address } = await readEverything(fjell.worker.client, fjell, 'Fjell AS');
    expect(importedBy).toBe(address);
    await tryEveryRead(fjell.worker.client, havn);
  });

  test('brings figures of their client, none of another, and none of its campaigns into their own', async () => {
    await tryEveryWrite(fjell.worker.client, havn);
    const { data } = await bring(fjell.worker.client, { ...fjell, campaign: havn.campaign });
    expect(data).toMatchObject({ new: 0, refused: 1, examples: [{ reason: 'Campaign not found.' }] });
  });

  test('writes no figure past an import', async () => {
    const [, figures] = await rowsOf(fjell.worker.client);
    const written = await fjell.worker.client.from('campaign_figures').insert({ ...figures?.[0], metric: 'replies' });
    expect(written.error?.code).toBe('42501');
  });
});

test('An admin reads all, and brings figures of every client', async () => {
  await readEverything(admin, fjell, 'Fjell AS');
  await readEverything(admin, havn, 'Havn AS');
  const { data } = await bring(admin, havn, 10);
  expect(data).toMatchObject({ new: 0, changed: 0, same: 1, refused: 0 });
});

test('Goals, time zone and currency are the admin’s to change, and read by the people of the client', async () => {
  const values = { time_zone: 'Asia/Shanghai', first_weekday: 7, currency: 'EUR', meetings_goal: 12 };
  for (const client of [fjell.member.client, fjell.worker.client]) {
    await client.from('clients').update(values).eq('id', fjell.id);
  }
  const read = () => fjell.member.client.from('clients').select('time_zone, first_weekday, currency, meetings_goal');
  expect((await read()).data).toEqual([
    { time_zone: 'Europe/Oslo', first_weekday: 1, currency: 'NOK', meetings_goal: null },
  ]);
  await admin.from('clients').update(values).eq('id', fjell.id).throwOnError();
  expect((await read()).data).toEqual([values]);
  const refused = await admin.from('clients').update({ time_zone: 'Mars/Base' }).eq('id', fjell.id);
  expect(refused.error?.message).toBe('Unknown time zone: Mars/Base');
});
