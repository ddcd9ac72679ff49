/** One truth for meetings: imports and events add or match rows of the ledger, and everything that counts meetings counts its rows. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { addSource, postEvents } from '../support/sources.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
let own: TestClient;
let worker: SupabaseClient;
let number = 0;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
});
afterAll(() => site.close());
beforeEach(async () => {
  number += 1;
  own = await newClient(site, admin, `Client ${number}`);
  worker = own.worker.client;
});

type Line = [day: string, values: Record<string, number>];

async function bring(lines: Line[], period = 'day') {
  const { data } = await worker
    .rpc('import_figures', {
      _client_id: own.id,
      _file: { name: 'a.csv', hash: 'a'.repeat(64), period, column_map: {}, refused: 0 },
      _rows: lines.map(([day, values], index) => ({ campaign: own.campaign, day, values, line: index + 2 })),
      _is_trial: false,
    })
    .throwOnError();
  return data;
}

interface Saved {
  id?: string;
  at?: string;
  name?: string;
  outcome?: string;
  day?: string;
  campaign?: string | null;
}

async function save({ id, at, name, outcome, day, campaign = own.campaign }: Saved = {}): Promise<string> {
  const { data } = await worker
    .rpc('save_client_meeting', {
      _client_id: own.id,
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

/** Returns the ledger as '2026-03-09 Kari booked', in order. */
async function ledger(): Promise<string[]> {
  const { data } = await worker.rpc('list_client_meetings', { _client_id: own.id, _limit: 200 }).throwOnError();
  return data
    .map(({ booked_on, met_with, outcome }: Record<string, string>) => `${booked_on} ${met_with || '?'} ${outcome}`)
    .toSorted();
}

const MARCH = { _from: '2026-03-01', _until: '2026-03-31' };

/** Returns what each reader of figures says of March 2026, which is the same everywhere. */
async function countedOf(metric: string): Promise<number> {
  const { data: sums } = await own.member.client
    .rpc('figure_sums', { _client_id: own.id, ...MARCH, _metrics: [metric] })
    .throwOnError();
  const value = sums.reduce((sum: number, one: { value: number }) => sum + one.value, 0);
  const { data: behind } = await own.member.client
    .rpc('figures_behind', { _client_id: own.id, ...MARCH, _metric: metric })
    .throwOnError();
  const rows = behind.campaigns.flatMap((campaign: { rows: { value: number }[] }) => campaign.rows);
  expect(rows.reduce((sum: number, one: { value: number }) => sum + one.value, 0)).toBe(value);
  const { data: totals } = await worker.rpc('figure_totals', MARCH).throwOnError();
  const campaigns: { figures: Record<string, number> }[] = totals[0].campaigns;
  expect(campaigns.reduce((sum, { figures }) => sum + (figures[metric] ?? 0), 0)).toBe(value);
  const { data: id } = await worker
    .rpc('start_client_report', { _client_id: own.id, _span: 'month', _first_day: '2026-03-01' })
    .throwOnError();
  await worker.rpc('refill_client_report', { _client_id: own.id, _id: id });
  const { figures } = (await worker.rpc('client_report', { _id: id }).throwOnError()).data;
  const result = figures.result.find((one: { metric: string }) => one.metric === metric);
  expect(result?.value ?? 0).toBe(value);
  if (metric === 'meetings') {
    const { held, no_show, booked } = figures.meetings;
    expect(held + no_show + booked).toBe(value);
    expect(figures.goals).toEqual([{ metric: 'meetings', goal: 8, value }]);
  }
  return value;
}

test('An import adds the meetings of all its days at once', async () => {
  const { database } = site.backend;
  // Statement by statement, a year's figures would run into the deadline.
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
  await bring(Array.from({ length: 31 }, (_, n): Line => [`2026-03-${`${n + 1}`.padStart(2, '0')}`, { meetings: 2 }]));
  expect(await ledger()).toHaveLength(62);
  const { rows } = await database.query<{ last: string }>('select last_value as last from private.insertions');
  expect(Number(rows[0]?.last)).toBeLessThan(5);
});

test('Meetings of an import, of events and of people are counted once, by every reader alike', async () => {
  await admin.from('clients').update({ meetings_goal: 8 }).eq('id', own.id).throwOnError();
  await save({ name: 'Ola', day: '2026-03-03', campaign: null });
  expect(await countedOf('meetings')).toBe(1);
  await bring([
    ['2026-03-09', { sent: 50, meetings: 2 }],
    ['2026-03-10', { meetings: 0 }],
  ]);
  expect(await countedOf('meetings')).toBe(3);
  expect(await ledger()).toEqual(['2026-03-03 Ola held', '2026-03-09 ? booked', '2026-03-09 ? booked']);

  // A meeting of the campaign and day is one of those that the import counts.
  await save({ name: 'Kari', day: '2026-03-09' });
  expect(await ledger()).toEqual(['2026-03-03 Ola held', '2026-03-09 ? booked', '2026-03-09 Kari held']);
  await save({ name: 'Per', day: '2026-03-09' });
  await save({ name: 'Siri', day: '2026-03-09' });
  expect(await ledger()).toEqual([
    '2026-03-03 Ola held',
    '2026-03-09 Kari held',
    '2026-03-09 Per held',
    '2026-03-09 Siri held',
  ]);
  expect(await countedOf('meetings')).toBe(4);
});

test('A changed import adds the rest, and undoing it takes away what nobody completed', async () => {
  await bring([['2026-03-09', { meetings: 1 }]]);
  await save({ name: 'Kari', day: '2026-03-09' });
  const { batch } = await bring([['2026-03-09', { meetings: 3 }]]);
  expect(await ledger()).toEqual(['2026-03-09 ? booked', '2026-03-09 ? booked', '2026-03-09 Kari held']);
  await bring([['2026-03-09', { meetings: 2 }]]);
  expect(await ledger()).toEqual(['2026-03-09 ? booked', '2026-03-09 Kari held']);
  await worker.rpc('undo_import', { _client_id: own.id, _batch_id: batch }).throwOnError();
  expect(await ledger()).toEqual(['2026-03-09 ? booked', '2026-03-09 Kari held']);
  const { data: imports } = await worker.rpc('client_imports', { _client_id: own.id }).throwOnError();
  for (const { id, undone_at } of imports) {
    if (undone_at === null) await worker.rpc('undo_import', { _client_id: own.id, _batch_id: id }).throwOnError();
  }
  expect(await ledger()).toEqual(['2026-03-09 Kari held']);
});

test('Meetings of a week match those of its days, and one that names no campaign gets the campaign of the figure', async () => {
  const kari = await save({ name: 'Kari', day: '2026-03-11', campaign: null });
  await bring([['2026-03-09', { meetings: 2 }]], 'week');
  expect(await ledger()).toEqual(['2026-03-09 ? booked', '2026-03-11 Kari held']);
  const { data } = await worker.from('client_meetings').select('campaign_id').eq('id', kari).single().throwOnError();
  expect(data.campaign_id).toBe(own.campaign);
  await save({ name: 'Per', day: '2026-03-13' });
  expect(await ledger()).toEqual(['2026-03-09 Per held', '2026-03-11 Kari held']);
});

test('An event adds a meeting with as much of the person as both sides see, and one that somebody added matches', async () => {
  const token = await addSource(worker, own);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Oslo' }).format(new Date());
  const meeting = (id: string, to: string) => ({ id, kind: 'meeting', at: new Date().toISOString(), to });
  expect((await postEvents(site, token, meeting('1', 'kari@acme.no'))).status).toBe(200);
  expect((await postEvents(site, token, [meeting('1', 'kari@acme.no'), meeting('2', 'per@bre.no')])).status).toBe(200);
  expect(await ledger()).toEqual([`${today} k***@acme.no booked`, `${today} p***@bre.no booked`]);
  await save({ name: 'Kari, Acme', at: new Date(Date.now() - 1000).toISOString(), day: today });
  expect((await ledger()).filter((line) => line.includes('***'))).toHaveLength(1);
  expect((await postEvents(site, token, meeting('3', 'a\u0007@b.no'))).status).toBe(200);
  expect(await ledger()).toHaveLength(3);
  const { data } = await worker.rpc('list_client_meetings', { _client_id: own.id }).throwOnError();
  expect(data.map(({ origin }: { origin: string }) => origin).toSorted()).toEqual(['completed', 'figure', 'figure']);
});

test('The day of a meeting that a figure has counted stays, so that the same file finds it again', async () => {
  await bring([['2026-03-09', { meetings: 1 }]]);
  const { data } = await worker.rpc('list_client_meetings', { _client_id: own.id }).throwOnError();
  await save({ id: data[0].id, name: 'Kari', day: '2026-03-12' });
  await bring([['2026-03-09', { meetings: 1 }]]);
  expect(await ledger()).toEqual(['2026-03-09 Kari held']);
  const person = await save({ name: 'Ola', day: '2026-03-01', campaign: null });
  await save({ id: person, name: 'Ola', day: '2026-03-02', campaign: null });
  expect(await ledger()).toEqual(['2026-03-02 Ola held', '2026-03-09 Kari held']);
  const late = await worker.rpc('save_client_meeting', {
    ...{ _client_id: own.id, _starts_at: '2026-03-12T09:00:00Z', _met_with: 'Ola', _outcome: 'held' },
    _booked_on: '2999-01-01',
  });
  expect(late.error?.message).toBe('The booking date cannot be in the future.');
});

test('The ledger stays within its bounds, whatever a file says', async () => {
  const { refused, examples } = await bring([['2026-03-09', { meetings: 1001, sent: 5 }]]);
  expect(refused).toBe(1);
  expect(examples).toContainEqual(
    expect.objectContaining({ reason: 'A day or week can have at most 1,000 meetings.' }),
  );
  const lines = Array.from({ length: 11 }, (_, day): Line => [`2026-02-${10 + day}`, { meetings: 1000 }]);
  await expect(bring(lines)).rejects.toThrow('A client can have at most 10,000 meetings.');
  expect(await ledger()).toEqual([]);
});

test('Delivered is sent minus bounced where nobody tells it, for imports too', async () => {
  await bring([
    ['2026-03-09', { sent: 100, bounced: 4 }],
    ['2026-03-10', { sent: 50 }],
    ['2026-03-11', { sent: 80, bounced: 5, delivered: 70 }],
    ['2026-03-12', { sent: 2, bounced: 3 }],
  ]);
  expect(await countedOf('delivered')).toBe(96 + 70 + 0);
  expect(await countedOf('sent')).toBe(232);
  await bring([['2026-03-09', { bounced: 10 }]]);
  expect(await countedOf('delivered')).toBe(90 + 70 + 0);
});

test('Nobody else sees a meeting that a figure has counted, in any sum', async () => {
  await bring([['2026-03-09', { meetings: 2, sent: 10, bounced: 1 }]]);
  const stranger = (await site.signedIn('team')).client;
  for (const client of [site.visitor, stranger, (await site.signedIn('client')).client]) {
    expect((await client.rpc('figure_sums', { _client_id: own.id, ...MARCH })).data ?? []).toEqual([]);
    expect((await client.from('client_meetings').select().eq('client_id', own.id)).data ?? []).toEqual([]);
  }
  expect((await own.member.client.rpc('figure_sums', { _client_id: own.id, ...MARCH })).data).toHaveLength(4);
  // A member reads the ledger and adds nothing to it.
  const row = { client_id: own.id, booked_on: '2026-03-09', met_with: '', outcome: 'booked', origin: 'figure' };
  expect((await own.member.client.from('client_meetings').insert(row)).error?.code).toBe('42501');
});
