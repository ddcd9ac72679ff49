/** Access to campaign sources and their events, totals and alarms. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENT_METRICS } from '../../supabase/functions/metrics.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { addSource, postEvents } from '../support/sources.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const TABLES = [
  ...(['campaign_sources', 'inbound_events', 'source_totals', 'client_alarms', 'campaign_texts'] as const),
  'campaign_lists',
] as const;
/** A column of each table that all roles with access to its rows can select. */
const COLUMNS = {
  campaign_sources: 'id',
  inbound_events: 'event_key',
  source_totals: 'value',
  client_alarms: 'id',
  campaign_texts: 'step',
  campaign_lists: 'approval_id',
};

const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Europe/Oslo' });

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
  for (const client of [fjell, havn]) await addSampleData(client);
});
afterAll(() => site.close());

/** Gives a client a source with an event, an imported total that differs from it, and the resulting alarm. */
async function addSampleData(client: TestClient) {
  const line = { line: 1, text: 'kunde.example' };
  const list = { _client_id: client.id, _lines: [line], _is_dry_run: false };
  await client.member.client.rpc('add_do_not_contact', list).throwOnError();
  const text = { _client_id: client.id, _title: 'First mail', _text: 'Hei {{first_name}}' };
  const { data: approval } = await client.worker.client.rpc('ask_for_approval', text).throwOnError();
  const token = await addSource(client.worker.client, client);
  const event = { id: '1', kind: 'sent', at: new Date().toISOString(), to: 'kari@kunde.example', text: 'Hei Kari' };
  expect((await postEvents(site, token, event)).status).toBe(200);
  const campaignText = { _client_id: client.id, _campaign_id: client.campaign, _approval_id: approval, _is_sent: true };
  await client.worker.client.rpc('set_campaign_text', campaignText).throwOnError();
  const rows = [{ line: 2, domain: 'acme.example', person: 'Kari Moe' }];
  const listRequest = { ...text, _title: 'Bakers', _rows: rows, _is_dry_run: false };
  const { data: requested } = await client.worker.client.rpc('ask_for_list_approval', listRequest).throwOnError();
  const campaignList = {
    _client_id: client.id,
    _campaign_id: client.campaign,
    _approval_id: requested.id,
    _is_used: true,
  };
  await client.worker.client.rpc('set_campaign_list', campaignList).throwOnError();
  const file = { name: 'a.csv', hash: 'a'.repeat(64), period: 'day', column_map: {}, refused: 0 };
  const row = { line: 2, campaign: client.campaign, day: today, values: { sent: 3 } };
  const parameters = { _client_id: client.id, _file: file, _rows: [row], _is_dry_run: false };
  await client.worker.client.rpc('import_figures', parameters).throwOnError();
}

async function countRows(client: SupabaseClient, { id }: TestClient): Promise<number[]> {
  const requests = TABLES.map((table) => client.from(table).select(COLUMNS[table]).eq('client_id', id));
  return (await Promise.all(requests)).map(({ data }) => data?.length ?? 0);
}

async function readAllRows(): Promise<string[][]> {
  const responses = await Promise.all(TABLES.map((table) => site.service.from(table).select().throwOnError()));
  // The tables share no unique column to order by.
  return responses.map(({ data }) => data.map((row: object) => JSON.stringify(row)).sort());
}

async function readIds({ id }: TestClient) {
  const { data: source } = await site.service.from('campaign_sources').select('id').eq('client_id', id).single();
  const { data: alarm } = await site.service.from('client_alarms').select('id').eq('client_id', id).single();
  const { data: batch } = await site.service
    .from('import_batches')
    .select('id')
    .eq('client_id', id)
    .eq('source_id', source?.id)
    .single();
  const readApprovalId = async (kind: string) =>
    (await site.service.from('approvals').select('id').match({ client_id: id, kind }).single()).data?.id;
  const [approval, list] = [await readApprovalId('text'), await readApprovalId('list')];
  return { source: source?.id, alarm: alarm?.id, batch: batch?.id, approval, list };
}

/** Expects that `client` has no access to the sources, events and alarms of `target`. */
async function expectNoAccess(client: SupabaseClient, target: TestClient, isMember = false) {
  const before = await readAllRows();
  const { source, alarm, batch, approval, list } = await readIds(target);
  const _client_id = target.id;
  const text = { _client_id, _campaign_id: target.campaign, _approval_id: approval };
  expect(await countRows(client, target)).toEqual([0, 0, 0, 0, 0, 0]);
  const calls: [string, object][] = [
    ['add_campaign_source', { _client_id, _campaign_id: target.campaign, _provider: 'json', _metrics: EVENT_METRICS }],
    ['rotate_campaign_source', { _client_id, _id: source }],
    ['end_campaign_source', { _client_id, _id: source }],
    ['list_campaign_sources', { _client_id }],
    ['resolve_client_alarm', { _client_id, _id: alarm }],
    ['list_campaign_texts', { _client_id, _campaign_id: target.campaign }],
    ['set_campaign_text', { ...text, _is_sent: true, _step: 3 }],
    ['set_campaign_text', { ...text, _is_sent: false }],
    ['list_campaign_lists', { _client_id, _campaign_id: target.campaign }],
    ['set_campaign_list', { ...text, _approval_id: list, _is_used: true }],
    ['set_campaign_list', { ...text, _approval_id: list, _is_used: false }],
  ];
  for (const [name, parameters] of calls) expect((await client.rpc(name, parameters)).error?.code, name).toBe('42501');
  const detailParameters = { _client_id, _batch_id: batch, _metric: 'sent', _day: today };
  if (!isMember) {
    expect((await client.rpc('figure_events', detailParameters)).error?.code).toBe('42501');
    expect((await client.rpc('text_results', { _client_id })).error?.code).toBe('42501');
  }
  for (const name of ['open_campaign_source', 'store_campaign_events']) {
    const parameters = {
      _token_hash: '0'.repeat(64),
      _secret_hash: null,
      ...(name.startsWith('store') && { _events: [] }),
    };
    expect((await client.rpc(name, parameters)).error?.code, name).toBe('42501');
  }
  expect(await readAllRows()).toEqual(before);
}

test.each(capitalizedRoles(OUTSIDERS))(
  '%s without an assigned client cannot read or change anything',
  async (_label, role) => {
    const client = role === 'visitor' ? site.visitor : (await site.signedIn(role)).client;
    await expectNoAccess(client, fjell);
  },
);

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot read or change anything',
  async (_label, role) => {
    await expectNoAccess(havn[role].client, fjell);
  },
);

test('A member cannot read sources or alarms, and sees only time and kind of the events behind a figure', async () => {
  await expectNoAccess(fjell.member.client, fjell, true);
  const { batch } = await readIds(fjell);
  const detailParameters = { _client_id: fjell.id, _batch_id: batch, _metric: 'sent', _day: today };
  const { data } = await fjell.member.client.rpc('figure_events', detailParameters).throwOnError();
  expect(data).toEqual([{ happened_at: expect.any(String), kind: 'sent', hint: 'k***@kunde.example', total: 1 }]);
  // The import of another client returns no events.
  const mismatched = { ...detailParameters, _batch_id: (await readIds(havn)).batch };
  expect((await fjell.member.client.rpc('figure_events', mismatched).throwOnError()).data).toEqual([]);
  // The event arrived before its text was assigned to the campaign.
  expect((await fjell.member.client.rpc('text_results', { _client_id: fjell.id }).throwOnError()).data).toEqual([]);
});

test('A removed member cannot see the events behind a figure', async () => {
  const user = await site.signedIn('client');
  await admin.rpc('add_client_member', { _client_id: havn.id, _email: user.email }).throwOnError();
  const detailParameters = {
    _client_id: havn.id,
    _batch_id: (await readIds(havn)).batch,
    _metric: 'sent',
    _day: today,
  };
  expect((await user.client.rpc('figure_events', detailParameters).throwOnError()).data).toHaveLength(1);
  await admin.from('client_members').delete().eq('user_id', user.id).throwOnError();
  await expectNoAccess(user.client, havn);
});

test.each(['worker', 'admin'] as const)('The role %s can read all rows but no hashes', async (role) => {
  const client = role === 'admin' ? admin : fjell.worker.client;
  expect(await countRows(client, fjell)).toEqual([1, 1, 1, 1, 1, 1]);
  for (const column of ['token_hash', 'secret_hash']) {
    expect((await client.from('campaign_sources').select(column)).error?.code).toBe('42501');
  }
  expect((await client.from('inbound_events').select('person_hash')).error?.code).toBe('42501');
  const { data } = await client.from('inbound_events').select('recipient, raw').eq('client_id', fjell.id).single();
  expect(data).toMatchObject({ recipient: 'kari@kunde.example', raw: { text: 'Hei Kari' } });
});

test('Rows cannot be inserted, updated or deleted without the functions', async () => {
  for (const client of [fjell.member.client, fjell.worker.client, admin]) {
    for (const table of TABLES) {
      const row = { client_id: fjell.id };
      expect((await client.from(table).insert(row)).error?.code).toBe('42501');
      expect((await client.from(table).update(row).eq('client_id', fjell.id)).error?.code).toBe('42501');
      expect((await client.from(table).delete().eq('client_id', fjell.id)).error?.code).toBe('42501');
    }
  }
});

test('A campaign can have one source, which must have the same client and known metrics', async () => {
  const { client } = fjell.worker;
  const parameters = { _client_id: fjell.id, _campaign_id: fjell.campaign, _provider: 'json', _metrics: EVENT_METRICS };
  const second = await client.rpc('add_campaign_source', parameters);
  expect(second.error?.message).toBe('This campaign already has a source. Disconnect it first.');
  const mismatched = await client.rpc('add_campaign_source', { ...parameters, _campaign_id: havn.campaign });
  expect(mismatched.error?.message).toBe('This campaign no longer exists.');
  const { data: secondCampaign } = await client
    .from('campaigns')
    .insert({ client_id: fjell.id, name: 'Another', channel: 'email' })
    .select('id')
    .single()
    .throwOnError();
  const newCampaign = { ...parameters, _campaign_id: secondCampaign.id };
  for (const invalid of [{ _provider: 'other' }, { _metrics: [] }, { _metrics: ['pipeline'] }]) {
    expect((await client.rpc('add_campaign_source', { ...newCampaign, ...invalid })).error?.code).toBe('23514');
  }
  const key = { _client_id: fjell.id, _campaign_id: secondCampaign.id };
  await client.rpc('delete_campaign', key).throwOnError();
  const response = await client.rpc('add_campaign_source', newCampaign);
  expect(response.error?.message).toBe('This campaign was deleted. Restore it first.');
  await client.rpc('restore_campaign', key).throwOnError();
  expect((await client.rpc('add_campaign_source', newCampaign)).error).toBeNull();
});

test('A team member can link a campaign only to texts of the same client', async () => {
  const { client } = fjell.worker;
  const parameters = { _client_id: fjell.id, _campaign_id: fjell.campaign, _is_sent: true };
  const response = await client.rpc('set_campaign_text', {
    ...parameters,
    _approval_id: (await readIds(havn)).approval,
  });
  expect(response.error?.code).toBe('23503');
  await client
    .rpc('set_campaign_text', { ...parameters, _approval_id: (await readIds(fjell)).approval, _step: 2 })
    .throwOnError();
  const { data } = await client.rpc('list_campaign_texts', { _client_id: fjell.id, _campaign_id: fjell.campaign });
  expect(data).toMatchObject([{ title: 'First mail', is_approved: false, is_sent: true, step: 2 }]);
});

test('A team member can link a campaign only to lists of the same client', async () => {
  const { client } = fjell.worker;
  const key = { _client_id: fjell.id, _campaign_id: fjell.campaign };
  const { approval, list } = await readIds(fjell);
  for (const _approval_id of [(await readIds(havn)).list, approval]) {
    const { error } = await client.rpc('set_campaign_list', { ...key, _approval_id, _is_used: true });
    expect(error?.message).toBe('This list no longer exists.');
  }
  const crossed = { ...key, _campaign_id: havn.campaign, _approval_id: list, _is_used: true };
  expect((await client.rpc('set_campaign_list', crossed)).error?.code).toBe('23503');
  const readCampaignLists = () => client.rpc('list_campaign_lists', key).throwOnError();
  for (const _is_used of [false, true, true]) {
    await client.rpc('set_campaign_list', { ...key, _approval_id: list, _is_used }).throwOnError();
    expect((await readCampaignLists()).data).toEqual([
      { id: list, title: 'Bakers', number: null, row_count: 0, is_used: _is_used },
    ]);
  }
  const decision = { _client_id: fjell.id, _approval_id: list, _number: 1, _verdict: 'yes' };
  await fjell.member.client.rpc('decide_approval', decision).throwOnError();
  expect((await readCampaignLists()).data).toMatchObject([{ number: 1, row_count: 1, is_used: true }]);
});

test('A resolved alarm opens again when its problem recurs', async () => {
  const { alarm } = await readIds(havn);
  const readAlarm = () =>
    admin.from('client_alarms').select('times, resolved_at').eq('id', alarm).single().throwOnError();
  await havn.worker.client.rpc('resolve_client_alarm', { _client_id: havn.id, _id: alarm }).throwOnError();
  expect((await readAlarm()).data.resolved_at).not.toBeNull();
  const { source } = await readIds(havn);
  const { data: token } = await admin
    .rpc('rotate_campaign_source', { _client_id: havn.id, _id: source })
    .throwOnError();
  const event = { id: '2', kind: 'sent', at: new Date().toISOString(), to: 'per@kunde.example' };
  await postEvents(site, token, event);
  expect((await readAlarm()).data).toEqual({ times: 2, resolved_at: null });
});

test('Deleting a campaign deletes its source and events', async () => {
  await site.service.from('campaigns').delete().eq('id', havn.campaign).throwOnError();
  expect((await countRows(admin, havn)).slice(0, 3)).toEqual([0, 0, 0]);
  expect((await admin.from('import_batches').select('id').eq('client_id', havn.id)).data).toEqual([]);
});
