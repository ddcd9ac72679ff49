/** Counts of meetings. Imports and events add or match meetings, and all sums count the rows of client_meetings. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { addSource, postEvents } from '../support/sources.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
let client: TestClient;
let teamClient: SupabaseClient;
let clientNumber = 0;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
});
afterAll(() => site.close());
beforeEach(async () => {
  clientNumber += 1;
  client = await newClient(site, admin, `Client ${clientNumber}`);
  teamClient = client.worker.client;
});

type Line = [day: string, values: Record<string, number>];

async function importLines(lines: Line[], period = 'day') {
  const { data } = await teamClient
    .rpc('import_figures', {
      _client_id: client.id,
      _file: { name: 'a.csv', hash: 'a'.repeat(64), period, column_map: {}, refused: 0 },
      _rows: lines.map(([day, values], index) => ({ campaign: client.campaign, day, values, line: index + 2 })),
      _is_dry_run: false,
    })
    .throwOnError();
  return data;
}

interface MeetingInput {
  id?: string;
  at?: string;
  name?: string;
  outcome?: string;
  day?: string;
  campaign?: string | null;
}

async function saveMeeting({
  id,
  at,
  name,
  outcome,
  day,
  campaign = client.campaign,
}: MeetingInput = {}): Promise<string> {
  const { data } = await teamClient
    .rpc('save_client_meeting', {
      _client_id: client.id,
      _starts_at: at ?? '2026-03-12T09:00:00Z',
      _met_with: name ?? 'Kari, Kunde AS',
      _outcome: outcome ?? 'held',
      ...(id !== undefined && { _id: id }),
      ...(campaign !== null && { _campaign_id: campaign }),
      ...(day !== undefined && { _booked_on: day }),
    })
    .throwOnError();
  return data;
}

/** Returns the meetings in the form '2026-03-09 Kari booked', sorted. */
async function listMeetings(): Promise<string[]> {
  const { data } = await teamClient.rpc('list_client_meetings', { _client_id: client.id, _limit: 200 }).throwOnError();
  return data
    .map(({ booked_on, met_with, outcome }: Record<string, string>) => `${booked_on} ${met_with || '?'} ${outcome}`)
    .toSorted();
}

const MARCH = { _from: '2026-03-01', _until: '2026-03-31' };

/** Returns the value of a metric for March 2026, and expects that all functions that sum figures agree on it. */
async function readMarchValue(metric: string): Promise<number> {
  const { data: sums } = await client.member.client
    .rpc('figure_sums', { _client_id: client.id, ...MARCH, _metrics: [metric] })
    .throwOnError();
  const value = sums.reduce((sum: number, row: { value: number }) => sum + row.value, 0);
  const { data: details } = await client.member.client
    .rpc('figure_details', { _client_id: client.id, ...MARCH, _metric: metric })
    .throwOnError();
  const rows = details.campaigns.flatMap((campaign: { rows: { value: number }[] }) => campaign.rows);
  expect(rows.reduce((sum: number, row: { value: number }) => sum + row.value, 0)).toBe(value);
  const { data: totals } = await teamClient.rpc('figure_totals', MARCH).throwOnError();
  const campaigns: { figures: Record<string, number> }[] = totals[0].campaigns;
  expect(campaigns.reduce((sum, { figures }) => sum + (figures[metric] ?? 0), 0)).toBe(value);
  const { data: id } = await teamClient
    .rpc('start_client_report', { _client_id: client.id, _span: 'month', _first_day: '2026-03-01' })
    .throwOnError();
  await teamClient.rpc('refill_client_report', { _client_id: client.id, _id: id });
  const { figures } = (await teamClient.rpc('client_report', { _id: id }).throwOnError()).data;
  const result = figures.result.find((row: { metric: string }) => row.metric === metric);
  expect(result?.value ?? 0).toBe(value);
  if (metric === 'meetings') {
    const { held, no_show, booked } = figures.meetings;
    expect(held + no_show + booked).toBe(value);
    expect(figures.goals).toEqual([{ metric: 'meetings', goal: 8, value }]);
  }
  return value;
}

test('An import adds the meetings of all days in a few statements', async () => {
  const { database } = site.backend;
  // With one statement for each meeting, a year of figures would exceed the statement timeout.
  await database.script(`
    create sequence private.insertions;
    create function private.count_insertion() returns trigger language plpgsql security definer as $$
    begin
      perform nextval('private.insertions');
      return null;
    end
    $$;
    create trigger count_insertion after insert on public.client_meetings
      for each statement execute function private.count_insertion()`);
  onTestFinished(() =>
    database.script('drop function private.count_insertion cascade; drop sequence private.insertions'),
  );
  await importLines(
    Array.from({ length: 31 }, (_, n): Line => [`2026-03-${`${n + 1}`.padStart(2, '0')}`, { meetings: 2 }]),
  );
  expect(await listMeetings()).toHaveLength(62);
  const { rows } = await database.query<{ last: string }>('select last_value as last from private.insertions');
  expect(Number(rows[0]?.last)).toBeLessThan(5);
});

test('All sums count imported and manually added meetings once', async () => {
  await admin.from('clients').update({ meetings_goal: 8 }).eq('id', client.id).throwOnError();
  await saveMeeting({ name: 'Ola', day: '2026-03-03', campaign: null });
  expect(await readMarchValue('meetings')).toBe(1);
  await importLines([
    ['2026-03-09', { sent: 50, meetings: 2 }],
    ['2026-03-10', { meetings: 0 }],
  ]);
  expect(await readMarchValue('meetings')).toBe(3);
  expect(await listMeetings()).toEqual(['2026-03-03 Ola held', '2026-03-09 ? booked', '2026-03-09 ? booked']);

  // A manual meeting with the same campaign and day completes an imported meeting.
  await saveMeeting({ name: 'Kari', day: '2026-03-09' });
  expect(await listMeetings()).toEqual(['2026-03-03 Ola held', '2026-03-09 ? booked', '2026-03-09 Kari held']);
  await saveMeeting({ name: 'Per', day: '2026-03-09' });
  await saveMeeting({ name: 'Siri', day: '2026-03-09' });
  expect(await listMeetings()).toEqual([
    '2026-03-03 Ola held',
    '2026-03-09 Kari held',
    '2026-03-09 Per held',
    '2026-03-09 Siri held',
  ]);
  expect(await readMarchValue('meetings')).toBe(4);
});

test('A changed import adds missing meetings, and undoing it keeps completed meetings', async () => {
  await importLines([['2026-03-09', { meetings: 1 }]]);
  await saveMeeting({ name: 'Kari', day: '2026-03-09' });
  const { batch } = await importLines([['2026-03-09', { meetings: 3 }]]);
  expect(await listMeetings()).toEqual(['2026-03-09 ? booked', '2026-03-09 ? booked', '2026-03-09 Kari held']);
  await importLines([['2026-03-09', { meetings: 2 }]]);
  expect(await listMeetings()).toEqual(['2026-03-09 ? booked', '2026-03-09 Kari held']);
  await teamClient.rpc('undo_import', { _client_id: client.id, _batch_id: batch }).throwOnError();
  expect(await listMeetings()).toEqual(['2026-03-09 ? booked', '2026-03-09 Kari held']);
  const { data: imports } = await teamClient.rpc('client_imports', { _client_id: client.id }).throwOnError();
  for (const { id, undone_at } of imports) {
    if (undone_at === null)
      await teamClient.rpc('undo_import', { _client_id: client.id, _batch_id: id }).throwOnError();
  }
  expect(await listMeetings()).toEqual(['2026-03-09 Kari held']);
});

test('Weekly figures match meetings on days of the week and set their campaign if it is missing', async () => {
  const kari = await saveMeeting({ name: 'Kari', day: '2026-03-11', campaign: null });
  await importLines([['2026-03-09', { meetings: 2 }]], 'week');
  expect(await listMeetings()).toEqual(['2026-03-09 ? booked', '2026-03-11 Kari held']);
  const { data } = await teamClient
    .from('client_meetings')
    .select('campaign_id')
    .eq('id', kari)
    .single()
    .throwOnError();
  expect(data.campaign_id).toBe(client.campaign);
  await saveMeeting({ name: 'Per', day: '2026-03-13' });
  expect(await listMeetings()).toEqual(['2026-03-09 Per held', '2026-03-11 Kari held']);
});

test('An event adds a meeting with a masked address, and a manual meeting on the same day completes it', async () => {
  const token = await addSource(teamClient, client);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Oslo' }).format(new Date());
  const meeting = (id: string, to: string) => ({ id, kind: 'meeting', at: new Date().toISOString(), to });
  expect((await postEvents(site, token, meeting('1', 'kari@acme.no'))).status).toBe(200);
  expect((await postEvents(site, token, [meeting('1', 'kari@acme.no'), meeting('2', 'per@bre.no')])).status).toBe(200);
  expect(await listMeetings()).toEqual([`${today} k***@acme.no booked`, `${today} p***@bre.no booked`]);
  await saveMeeting({ name: 'Kari, Acme', at: new Date(Date.now() - 1000).toISOString(), day: today });
  expect((await listMeetings()).filter((line) => line.includes('***'))).toHaveLength(1);
  expect((await postEvents(site, token, meeting('3', 'a\u0007@b.no'))).status).toBe(200);
  expect(await listMeetings()).toHaveLength(3);
  const { data } = await teamClient.rpc('list_client_meetings', { _client_id: client.id }).throwOnError();
  expect(data.map(({ origin }: { origin: string }) => origin).toSorted()).toEqual(['completed', 'figure', 'figure']);
});

test('The booking date of an imported meeting cannot change, so importing the same file matches it again', async () => {
  await importLines([['2026-03-09', { meetings: 1 }]]);
  const { data } = await teamClient.rpc('list_client_meetings', { _client_id: client.id }).throwOnError();
  await saveMeeting({ id: data[0].id, name: 'Kari', day: '2026-03-12' });
  await importLines([['2026-03-09', { meetings: 1 }]]);
  expect(await listMeetings()).toEqual(['2026-03-09 Kari held']);
  const meetingId = await saveMeeting({ name: 'Ola', day: '2026-03-01', campaign: null });
  await saveMeeting({ id: meetingId, name: 'Ola', day: '2026-03-02', campaign: null });
  expect(await listMeetings()).toEqual(['2026-03-02 Ola held', '2026-03-09 Kari held']);
  const response = await teamClient.rpc('save_client_meeting', {
    ...{ _client_id: client.id, _starts_at: '2026-03-12T09:00:00Z', _met_with: 'Ola', _outcome: 'held' },
    _booked_on: '2999-01-01',
  });
  expect(response.error?.message).toBe('The booking date cannot be in the future.');
});

test('Imports cannot exceed the limits on meetings for each day and client', async () => {
  const { refused, examples } = await importLines([['2026-03-09', { meetings: 1001, sent: 5 }]]);
  expect(refused).toBe(1);
  expect(examples).toContainEqual(
    expect.objectContaining({ reason: 'A day or week can have at most 1,000 meetings.' }),
  );
  const lines = Array.from({ length: 11 }, (_, day): Line => [`2026-02-${10 + day}`, { meetings: 1000 }]);
  await expect(importLines(lines)).rejects.toThrow('A client can have at most 10,000 meetings.');
  expect(await listMeetings()).toEqual([]);
});

test('The metric "delivered" defaults to sent minus bounced if the import does not contain it', async () => {
  await importLines([
    ['2026-03-09', { sent: 100, bounced: 4 }],
    ['2026-03-10', { sent: 50 }],
    ['2026-03-11', { sent: 80, bounced: 5, delivered: 70 }],
    ['2026-03-12', { sent: 2, bounced: 3 }],
  ]);
  expect(await readMarchValue('delivered')).toBe(96 + 70 + 0);
  expect(await readMarchValue('sent')).toBe(232);
  await importLines([['2026-03-09', { bounced: 10 }]]);
  expect(await readMarchValue('delivered')).toBe(90 + 70 + 0);
});

test('Users without access to the client cannot see its imported meetings or their sums', async () => {
  await importLines([['2026-03-09', { meetings: 2, sent: 10, bounced: 1 }]]);
  const stranger = (await site.signedIn('team')).client;
  for (const caller of [site.visitor, stranger, (await site.signedIn('client')).client]) {
    expect((await caller.rpc('figure_sums', { _client_id: client.id, ...MARCH })).data ?? []).toEqual([]);
    expect((await caller.from('client_meetings').select().eq('client_id', client.id)).data ?? []).toEqual([]);
  }
  expect((await client.member.client.rpc('figure_sums', { _client_id: client.id, ...MARCH })).data).toHaveLength(4);
  // A member can read meetings but cannot add any.
  const row = { client_id: client.id, booked_on: '2026-03-09', met_with: '', outcome: 'booked', origin: 'figure' };
  expect((await client.member.client.from('client_meetings').insert(row)).error?.code).toBe('42501');
});
