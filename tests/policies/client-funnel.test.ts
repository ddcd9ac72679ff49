/** Funnels of clients. Tests who can read them, the counts, and the costs and rows that each reader sees. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const PERIOD = { _from: '2026-03-01', _until: '2026-03-31' };
const STEPS = ['interested', 'booked', 'held', 'opportunities', 'won', 'not_reported'] as const;

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
let viewer: Awaited<ReturnType<TestBackend['signedIn']>>;
/** ID of a lead of Fjell AS. */
let leadId: string;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS', { time_zone: 'Europe/Oslo' });
  havn = await newClient(site, admin, 'Havn AS', { time_zone: 'Europe/Oslo' });
  viewer = await site.signedIn('client');
  const membership = { client_id: fjell.id, user_id: viewer.id, kind: 'viewer' };
  await site.service.from('client_members').insert(membership).throwOnError();
  await addFigures(fjell);
  leadId = await addLead(fjell, '2026-03-10T09:00Z');
  // Leads at the first and last second of the month in Oslo, and one second outside it.
  for (const at of ['2026-02-28T22:59:59Z', '2026-02-28T23:00Z', '2026-03-31T21:59:59Z', '2026-03-31T22:00Z'])
    await addLead(fjell, at);
  await addMeeting(fjell, { results: [['won', 9000]], lead: leadId, name: 'Kari, Kunde AS', day: '2026-03-10' });
  await addMeeting(fjell, {
    results: [
      ['won', 1],
      ['lost', null],
    ],
  });
  await addMeeting(fjell, {
    results: [
      ['nothing_yet', null],
      ['opportunity', null],
    ],
  });
  await addMeeting(fjell, { results: [['nothing_yet', null]] });
  await addMeeting(fjell, {});
  await addMeeting(fjell, {});
  await addMeeting(fjell, { outcome: 'booked' });
  await addMeeting(fjell, { isDisputed: true, results: [['won', 6]] });
  // The result was reported before the outcome was corrected to a no-show.
  await addMeeting(fjell, { outcome: 'no_show', results: [['won', 5]] });
  await addMeeting(fjell, { results: [['won', 7]], day: '2026-04-01' });
  await addMeeting(havn, { results: [['won', 7]] });
  await setFee('2026-01-01', 31_000, 0);
});
afterAll(() => site.close());

async function addFigures({ id: _client_id, campaign, worker }: TestClient) {
  const file = { name: 'a.csv', hash: 'a'.repeat(64), period: 'day', column_map: {}, refused: 0 };
  const days = ['2026-02-28', '2026-03-01', '2026-03-31', '2026-04-01'];
  const rows = days.map((day, index) => ({
    line: index + 2,
    campaign,
    day,
    values: { delivered: 100 * 10 ** index, replies: 2 + index },
  }));
  await worker.client
    .rpc('import_figures', { _client_id, _file: file, _rows: rows, _is_dry_run: false })
    .throwOnError();
}

async function addLead({ id, campaign }: TestClient, receivedAt: string): Promise<string> {
  const lead = { client_id: id, campaign_id: campaign, name: 'Kari', received_at: receivedAt, origin: 'reply' };
  return (await site.service.from('client_leads').insert(lead).select('id').single().throwOnError()).data.id;
}

interface MeetingInput {
  outcome?: string;
  isDisputed?: boolean;
  day?: string;
  name?: string;
  lead?: string | null;
  /** Status and amount of each report, oldest first. */
  results?: [string, number | null][];
}

async function addMeeting({ id }: TestClient, input: MeetingInput) {
  const { outcome = 'held', day = '2026-03-20', name = 'Ola, Fri AS', lead = null, results = [] } = input;
  const starts_at = `${day}T10:00Z`;
  const details = { met_with: name, lead_id: lead, answer_until: outcome === 'booked' ? null : starts_at };
  const answer = input.isDisputed && { answer: 'disputed', reason: 'No one came.' };
  const meeting = { client_id: id, starts_at, booked_on: day, outcome, ...details, ...answer };
  const { data } = await site.service.from('client_meetings').insert(meeting).select('id').single().throwOnError();
  const rows = results.map(([status, amount], index) => ({
    client_id: id,
    meeting_id: data.id,
    number: index + 1,
    status,
    amount,
    reason: status === 'lost' ? 'Price' : '',
  }));
  await site.service.from('client_meeting_results').insert(rows).throwOnError();
}

const setFee = (_first_month: string, _amount: number, _expected_number: number) =>
  admin.rpc('set_client_fee', { _client_id: fjell.id, _first_month, _amount, _expected_number }).throwOnError();

const readFunnel = (client: SupabaseClient, period = PERIOD) =>
  client.rpc('client_funnel', { _client_id: fjell.id, ...period });

const listStep = (client: SupabaseClient, _step: string, page: object = {}) =>
  client.rpc('list_funnel_items', { _client_id: fjell.id, ...PERIOD, _step, ...page });

const EXPECTED = {
  ...{ first_day: PERIOD._from, last_day: PERIOD._until, delivered: 11_000, replies: 7 },
  ...{ interested: 3, booked: 9, held: 6, opportunities: 1, won: 1, not_reported: 2 },
};
/** The 90 days up to the end of March. */
const REPORTED = { ...EXPECTED, first_day: '2026-01-01', delivered: 11_100, replies: 9, interested: 4 };
const COST = { fee: 31_000, since: null, per_held: 5166.67, per_won: 31_000 };

async function expectNoAccess(client: SupabaseClient) {
  expect((await readFunnel(client)).error?.code).toBe('42501');
  expect((await listStep(client, 'won')).error?.code).toBe('42501');
}

test.each(capitalizedRoles(OUTSIDERS))('%s without a client cannot read funnels', async (_label, role) => {
  await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
});

test.each(capitalizedRoles(['member', 'worker']))('%s of another client cannot read funnels', async (_label, role) =>
  expectNoAccess(havn[role].client),
);

test('Approvers, the team and admins can read the funnel with its costs', async () => {
  for (const client of [fjell.member.client, fjell.worker.client, admin])
    expect((await readFunnel(client).throwOnError()).data).toEqual({ ...EXPECTED, cost: COST });
});

test('A viewer can read the counts, but not the costs or amounts', async () => {
  expect((await readFunnel(viewer.client).throwOnError()).data).toEqual({ ...EXPECTED, cost: null });
  expect((await listStep(viewer.client, 'won').throwOnError()).data).toMatchObject([{ result: 'won', amount: null }]);
});

test('Impersonating a member shows the same data that the member sees', async () => {
  for (const person of [fjell.member, viewer]) {
    const as = `${fjell.id}/${person.id}`;
    const memberView = await readFunnel(person.client).throwOnError();
    expect((await readFunnel(admin).setHeader('x-as-member', as).throwOnError()).data).toEqual(memberView.data);
    const ownItems = await listStep(person.client, 'won').throwOnError();
    expect((await listStep(admin, 'won').setHeader('x-as-member', as).throwOnError()).data).toEqual(ownItems.data);
  }
});

test('Each count equals the number of its rows', async () => {
  const { data: funnel } = await readFunnel(admin).throwOnError();
  for (const step of STEPS) {
    const { data: items } = await listStep(admin, step).throwOnError();
    expect([step, items.length, items[0]?.total]).toEqual([step, funnel[step], funnel[step]]);
  }
  const { data: figures } = await admin
    .rpc('figure_sums', { _client_id: fjell.id, ...PERIOD, _metrics: ['delivered', 'replies', 'meetings'] })
    .throwOnError();
  const sums: Record<string, number> = {};
  for (const { metric, value } of figures) sums[metric] = (sums[metric] ?? 0) + value;
  expect(sums).toEqual({ delivered: funnel.delivered, replies: funnel.replies, meetings: funnel.booked });
});

test('A won deal is listed with its lead and its amount', async () => {
  const { data } = await listStep(fjell.member.client, 'won').throwOnError();
  expect(data).toMatchObject([
    { name: 'Kari, Kunde AS', status: 'held', result: 'won', amount: 9000, lead_id: leadId, lead: 'Kari', total: 1 },
  ]);
  expect((await listStep(admin, 'booked', { _limit: 4, _offset: 6 }).throwOnError()).data).toHaveLength(3);
  expect((await listStep(admin, 'unknown').throwOnError()).data).toEqual([]);
});

test('A period without figures or meetings has empty figures, counts of zero and no cost per deal', async () => {
  const empty = { _from: '2025-12-01', _until: '2026-01-31' };
  expect((await readFunnel(admin, empty).throwOnError()).data).toMatchObject({
    ...{ delivered: null, replies: null, interested: 0, booked: 0, held: 0, won: 0, not_reported: 0 },
    cost: { fee: 31_000, since: '2026-01-01', per_held: null, per_won: null },
  });
  const before = { _from: '2025-11-01', _until: '2025-11-30' };
  expect((await readFunnel(admin, before).throwOnError()).data.cost).toBeNull();
});

test('A reversed period and a period of more than ten years are rejected', async () => {
  for (const period of [
    { _from: '2026-03-02', _until: '2026-03-01' },
    { _from: '2000-01-01', _until: '2026-01-01' },
  ])
    expect((await readFunnel(admin, period)).error?.code).toBe('22023');
});

test('The funnel of a sent report has no amounts and does not change when results change', async () => {
  const report = { _client_id: fjell.id, _span: 'month', _first_day: '2026-03-01' };
  const { data: id } = await fjell.worker.client.rpc('start_client_report', report).throwOnError();
  const openReport = async (client: SupabaseClient) =>
    (await client.rpc('client_report', { _id: id }).throwOnError()).data;
  const draft = await openReport(fjell.worker.client);
  expect(draft.figures.funnel).toEqual(REPORTED);
  const approval = { _client_id: fjell.id, _id: id, _content_hash: draft.content_hash };
  await fjell.worker.client.rpc('approve_client_report', approval).throwOnError();
  await addMeeting(fjell, { results: [['won', 4]] });
  expect((await readFunnel(admin).throwOnError()).data.won).toBe(2);
  for (const client of [viewer.client, fjell.member.client])
    expect(await openReport(client)).toMatchObject({ is_genuine: true, figures: { funnel: REPORTED } });
});
