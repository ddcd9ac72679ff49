/** The sample client. Tests who can add it, its data and its deletion. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../app/ui/lib/zoned-times.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const TABLES = [
  ...['campaigns', 'import_batches', 'campaign_figures', 'approvals', 'approval_versions', 'approval_decisions'],
  ...['client_meetings', 'do_not_contact', 'approval_rows', 'approval_vetoes', 'client_reports', 'client_leads'],
  'client_meeting_months',
] as const;

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

test.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team']))(
  '%s cannot add the sample client',
  async (_label, role) => {
    const client = role === 'visitor' ? site.visitor : (await site.signedIn(role)).client;
    expect((await client.rpc('add_sample_client')).error?.code).toBe('42501');
    expect((await site.service.from('clients').select()).data).toEqual([]);
  },
);

test('An admin can add one sample client with data in every table, and delete all of it', async () => {
  const { client } = await site.signedIn('admin');
  const { data: id } = await client.rpc('add_sample_client').throwOnError();
  expect((await client.rpc('add_sample_client').throwOnError()).data).toBe(id);
  expect((await client.from('clients').select('is_sample')).data).toEqual([{ is_sample: true }]);
  expect((await client.from('clients').update({ is_sample: false }).eq('id', id)).error?.code).toBe('42501');
  for (const table of TABLES) {
    expect((await client.from(table).select('client_id').eq('client_id', id)).data?.length, table).toBeGreaterThan(0);
  }
  const { data: meetings } = await client
    .from('campaign_figures')
    .select('value, first_day')
    .match({ client_id: id, metric: 'meetings' })
    .throwOnError();
  expect(new Set(meetings.map(({ first_day }) => first_day)).size).toBe(12);
  // Each meeting in the figures is listed, and each meeting has a name and a lead.
  const { data: rows } = await client
    .from('client_meetings')
    .select('met_with, origin, lead_id')
    .eq('client_id', id)
    .throwOnError();
  expect(rows.filter(({ origin }) => origin === 'completed')).toHaveLength(
    meetings.reduce((sum, { value }) => sum + value, 0),
  );
  expect(rows.filter(({ met_with, lead_id }) => met_with === '' || lead_id === null)).toEqual([]);
  // Pending meetings are first, on every day of the week.
  const { data: list } = await client.rpc('list_client_meetings', { _client_id: id }).throwOnError();
  expect(
    list.slice(0, 2).map(({ met_with, answer }: { met_with: string; answer: string | null }) => [met_with, answer]),
  ).toEqual([
    ['Jonas Lie, Brygga Bakery', null],
    ['Siri Moe, Fjordbygg', 'disputed'],
  ]);
  const days = { _from: '2000-01-01', _until: '2999-12-31', _metrics: ['meetings'] };
  const { data: sums } = await client.rpc('figure_sums', { _client_id: id, ...days }).throwOnError();
  expect(sums.reduce((sum: number, { value }: { value: number }) => sum + value, 0)).toBe(rows.length);
  // No step of the funnel is larger than the one before.
  const today = new Date().toISOString().slice(0, 10);
  const { data: funnel } = await client
    .rpc('client_funnel', { _client_id: id, _from: addDays(today, -180), _until: today })
    .throwOnError();
  const steps = ['delivered', 'replies', 'interested', 'booked', 'held', 'won'].map((step) => Number(funnel[step]));
  expect(steps).toEqual(steps.toSorted((left, right) => right - left));
  // The closed month has meetings, and each of them meets all criteria.
  const { data: months } = await client
    .from('client_meeting_months')
    .select('sheet')
    .eq('client_id', id)
    .throwOnError();
  const sheets = months.map(({ sheet }) => JSON.parse(sheet).meetings);
  expect(sheets).toHaveLength(1);
  expect(sheets[0].length).toBeGreaterThan(0);
  for (const meeting of sheets[0]) {
    expect(meeting.criteria.results.map(({ state }: { state: string }) => state)).toEqual(['met', 'met', 'met']);
  }
  // The hash of the sample report is valid.
  expect((await client.rpc('check_client_reports', { _client_id: id }).throwOnError()).data).toEqual([]);
  // Sample approvals send no mail.
  expect((await site.backend.database.query('select from private.mail_queue')).rows).toEqual([]);
  // The sample client has no members or assigned team members.
  const member = await site.signedIn('client');
  const worker = await site.signedIn('team');
  for (const user of [member, worker]) {
    expect((await user.client.from('clients').select()).data).toEqual([]);
  }
  await client.from('clients').delete().eq('id', id).throwOnError();
  for (const table of TABLES) expect((await site.service.from(table).select()).data, table).toEqual([]);
});
