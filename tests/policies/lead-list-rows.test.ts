/** Each lead is matched to a row of an approved list. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const HOUR_MS = 3_600_000;

let site: TestBackend;
let admin: SupabaseClient;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
});
afterAll(() => site.close());

const KARI = { line: 2, company: 'Kunde AS', person: 'Kari Moe, CEO', address: 'Kari@kunde.example' };

/**
 * Requests approval of a list, removes lines as the client, approves it and assigns it to the campaign.
 * @returns its id
 */
async function addList(
  client: TestClient,
  rows: object[],
  options: { id?: string; number?: number; removed?: number[] } = {},
) {
  const { id, number: _number = 1, removed = [] } = options;
  const request = {
    _client_id: client.id,
    _title: `Bakers ${_number}`,
    _text: 'Bakers in Bergen',
    _rows: rows,
    _is_dry_run: false,
  };
  const version = { ...request, ...(id && { _approval_id: id }) };
  const { data } = await client.worker.client.rpc('ask_for_list_approval', version).throwOnError();
  const key = { _client_id: client.id, _approval_id: data.id, _number };
  if (removed.length > 0) await client.member.client.rpc('veto_rows', { ...key, _lines: removed }).throwOnError();
  await client.member.client.rpc('decide_approval', { ...key, _verdict: 'yes' }).throwOnError();
  const campaignList = { _client_id: client.id, _campaign_id: client.campaign, _approval_id: data.id, _is_used: true };
  await client.worker.client.rpc('set_campaign_list', campaignList).throwOnError();
  return data.id;
}

/** Adds a lead and returns its list row, read as a member of the client. */
async function addLeadAndReadRow(
  { id, campaign, member }: TestClient,
  email: string,
  fields: { campaign_id?: null; age?: number } = {},
) {
  const { age = 0, ...others } = fields;
  const received_at = new Date(Date.now() - age * HOUR_MS).toISOString();
  const lead = { client_id: id, campaign_id: campaign, email, name: 'Kari', received_at, origin: 'reply', ...others };
  const { data } = await site.service.from('client_leads').insert(lead).select('id').single().throwOnError();
  const { data: read } = await member.client.rpc('client_lead', { _client_id: id, _id: data.id }).throwOnError();
  return read.list_row;
}

test('A lead is matched to the latest approved row with its address, otherwise to the row with its domain', async () => {
  const fjell = await newClient(site, admin, 'Fjell AS');
  const domainRow = { line: 3, company: 'Fri AS', domain: 'fri.example' };
  const first = await addList(fjell, [KARI, domainRow]);
  await addList(fjell, [{ ...KARI, line: 8 }, domainRow], { id: first, number: 2 });
  expect(await addLeadAndReadRow(fjell, 'kari@kunde.example')).toEqual({
    ...{ approval_id: first, title: 'Bakers 2', number: 2, decided_at: expect.any(String) },
    ...{ line: 8, company: 'Kunde AS', domain: 'kunde.example', person: 'Kari Moe, CEO', hint: 'k***@kunde.example' },
  });
  expect(await addLeadAndReadRow(fjell, 'per@post.fri.example')).toMatchObject({
    line: 3,
    company: 'Fri AS',
    hint: '',
  });
});

test('A lead without a campaign, an address or a row that was approved before its reply is not matched', async () => {
  const havn = await newClient(site, admin, 'Havn AS');
  const nes = await newClient(site, admin, 'Nes AS');
  await addList(havn, [KARI]);
  expect(await addLeadAndReadRow(havn, 'kari@kunde.example', { campaign_id: null })).toBeNull();
  expect(await addLeadAndReadRow(havn, 'kari@kunde.example', { age: 1 })).toBeNull();
  expect(await addLeadAndReadRow(havn, '')).toBeNull();
  expect(await addLeadAndReadRow(havn, 'ola@kunde.example')).toBeNull();
  // Lists of other clients are not searched.
  expect(await addLeadAndReadRow(nes, 'kari@kunde.example')).toBeNull();
});

test('A row that the client removed is not matched', async () => {
  const dal = await newClient(site, admin, 'Dal AS');
  await addList(dal, [KARI, { ...KARI, line: 3, address: 'ola@kunde.example' }], { removed: [2] });
  expect(await addLeadAndReadRow(dal, 'kari@kunde.example')).toBeNull();
  expect(await addLeadAndReadRow(dal, 'ola@kunde.example')).toMatchObject({ line: 3 });
});

test('A member can read one meeting by its ID, but no meeting of another client', async () => {
  const vik = await newClient(site, admin, 'Vik AS');
  const elv = await newClient(site, admin, 'Elv AS');
  const ids: string[] = [];
  for (const name of ['Kari', 'Ola']) {
    const meeting = { _client_id: vik.id, _starts_at: '2026-01-02T10:00Z', _met_with: name, _outcome: 'held' };
    ids.push((await vik.worker.client.rpc('save_client_meeting', meeting).throwOnError()).data);
  }
  const read = (client: SupabaseClient, { id }: TestClient) =>
    client.rpc('list_client_meetings', { _client_id: id, _id: ids[0] });
  expect((await read(vik.member.client, vik).throwOnError()).data).toMatchObject([{ id: ids[0], met_with: 'Kari' }]);
  expect((await read(elv.member.client, elv).throwOnError()).data).toEqual([]);
  expect((await read(elv.member.client, vik)).error?.code).toBe('42501');
});
