/** The sample client: who adds it, what stands in it, and that nothing of it stays. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const ROOMS = [
  ...['campaigns', 'import_batches', 'campaign_figures', 'approvals', 'approval_versions', 'approval_decisions'],
  ...['client_meetings', 'do_not_contact', 'approval_rows', 'approval_vetoes', 'client_reports'],
] as const;

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

test.each(['visitor', 'stranger', 'pending', 'client', 'team'] as const)('A %s adds no sample', async (person) => {
  const client = person === 'visitor' ? site.visitor : (await site.signedIn(person)).client;
  expect((await client.rpc('add_sample_client')).error?.code).toBe('42501');
  expect((await site.service.from('clients').select()).data).toEqual([]);
});

test('An admin adds it once, with full rooms, and deleting it deletes them', async () => {
  const { client } = await site.signedIn('admin');
  const { data: id } = await client.rpc('add_sample_client').throwOnError();
  expect((await client.rpc('add_sample_client').throwOnError()).data).toBe(id);
  expect((await client.from('clients').select('is_sample')).data).toEqual([{ is_sample: true }]);
  expect((await client.from('clients').update({ is_sample: false }).eq('id', id)).error?.code).toBe('42501');
  for (const room of ROOMS) {
    expect((await client.from(room).select().eq('client_id', id)).data?.length, room).toBeGreaterThan(0);
  }
  const { data: meetings } = await client
    .from('campaign_figures')
    .select('value, first_day')
    .match({ client_id: id, metric: 'meetings' })
    .throwOnError();
  expect(new Set(meetings.map(({ first_day }) => first_day)).size).toBe(12);
  // Its ledger has all that its figures count, and no meeting without a name.
  const { data: rows } = await client
    .from('client_meetings')
    .select('met_with, origin')
    .eq('client_id', id)
    .throwOnError();
  expect(rows.filter(({ origin }) => origin === 'completed')).toHaveLength(
    meetings.reduce((sum, { value }) => sum + value, 0),
  );
  expect(rows.filter(({ met_with }) => met_with === '')).toEqual([]);
  const days = { _from: '2000-01-01', _until: '2999-12-31', _metrics: ['meetings'] };
  const { data: sums } = await client.rpc('figure_sums', { _client_id: id, ...days }).throwOnError();
  expect(sums.reduce((sum: number, { value }: { value: number }) => sum + value, 0)).toBe(rows.length);
  // The report holds, as every one that was sent.
  expect((await client.rpc('check_client_reports', { _client_id: id }).throwOnError()).data).toEqual([]);
  // Nobody is mailed about what nobody asked for.
  expect((await site.backend.database.query('select from private.mail_queue')).rows).toEqual([]);
  // Nobody belongs to it.
  const member = await site.signedIn('client');
  const worker = await site.signedIn('team');
  for (const person of [member, worker]) {
    expect((await person.client.from('clients').select()).data).toEqual([]);
  }
  await client.from('clients').delete().eq('id', id).throwOnError();
  for (const room of ROOMS) expect((await site.service.from(room).select()).data, room).toEqual([]);
});
