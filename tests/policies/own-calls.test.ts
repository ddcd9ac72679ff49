/**
 * Access to calls for the people who booked them and for the owners of their leads. Also tests the counts of open
 * tasks.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findFreeTimes, saveAvailability } from '../support/booking.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
let slots: string[];
const nextSlot = () => slots.shift() ?? '';
beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  await saveAvailability(admin);
  slots = await findFreeTimes(site.visitor);
});
afterAll(() => site.close());

beforeEach(async () => {
  for (const table of ['bookings', 'leads'])
    await site.service.from(table).delete().not('id', 'is', null).throwOnError();
});

async function book(email: string, name = 'Ada'): Promise<string> {
  const { data } = await site.visitor
    .rpc('book', { _starts_at: nextSlot(), _name: name, _email: email })
    .throwOnError();
  return data.token;
}

const readNames = async (client: SupabaseClient) =>
  (await client.from('bookings').select('name').order('starts_at')).data?.map(({ name }) => name) ?? [];

const readMyCalls = async (client: SupabaseClient) =>
  (await client.rpc('my_calls').throwOnError()).data as { id: string }[];

const OTHER_ROLES: Person[] = ['stranger', 'pending', 'client'];

test('A team member can read the calls of their own leads, but cannot change them', async () => {
  const teamMember = await site.signedIn('team');
  const colleague = await site.signedIn('team');
  await book('Ada@example.com');
  await book('bo@example.com', 'Bo');
  expect(await readNames(teamMember.client)).toEqual([]);
  const setOwner = (owner_id: string | null) =>
    admin.from('leads').update({ owner_id }).ilike('email', 'ada@example.com').throwOnError();
  await setOwner(teamMember.id);
  expect(await readNames(teamMember.client)).toEqual(['Ada']);
  expect(await readNames(colleague.client)).toEqual([]);
  expect(await readNames(site.visitor)).toEqual([]);
  for (const role of OTHER_ROLES) expect(await readNames((await site.signedIn(role)).client)).toEqual([]);
  expect((await teamMember.client.from('bookings').select('token_hash')).error?.code).toBe('42501');
  await teamMember.client.from('bookings').update({ name: 'Eve' }).eq('name', 'Ada');
  await teamMember.client.from('bookings').delete().eq('name', 'Ada');
  expect(await readNames(admin)).toEqual(['Ada', 'Bo']);
  await setOwner(null);
  expect(await readNames(teamMember.client)).toEqual([]);
});

test('A former team member cannot read calls, even if they still own the lead', async () => {
  const teamMember = await site.signedIn('team');
  await book('ada@example.com');
  await admin.from('leads').update({ owner_id: teamMember.id }).eq('email', 'ada@example.com').throwOnError();
  expect(await readNames(teamMember.client)).toEqual(['Ada']);
  await site.service.from('user_roles').update({ approved: false }).eq('user_id', teamMember.id).throwOnError();
  expect(await readNames(teamMember.client)).toEqual([]);
});

test('A user can list the upcoming calls that were booked with their verified address', async () => {
  const { client, email, id } = await site.signedIn('client');
  const token = await book(email.toUpperCase());
  await book('other@example.com');
  const calls = await readMyCalls(client);
  expect(calls).toEqual([
    { id: expect.any(String), starts_at: expect.any(String), ends_at: expect.any(String), service: '' },
  ]);
  for (const role of OTHER_ROLES) expect(await readMyCalls((await site.signedIn(role)).client)).toEqual([]);
  expect((await site.visitor.rpc('my_calls')).error?.code).toBe('42501');
  await site.backend.database.query('delete from private.verified_addresses where user_id = $1', [id]);
  expect(await readMyCalls(client)).toEqual([]);
  await site.backend.database.query('insert into private.verified_addresses (user_id, address) values ($1, $2)', [
    id,
    email,
  ]);
  expect(await readMyCalls(client)).toEqual(calls);
  await site.visitor.rpc('cancel_booking', { _token: token }).throwOnError();
  expect(await readMyCalls(client)).toEqual([]);
});

test('The counts of open tasks include only rows that the caller can read', async () => {
  const period = { _from: new Date().toISOString(), _to: new Date(Date.now() + 60 * 24 * 3_600_000).toISOString() };
  const countOpen = async (client: SupabaseClient) =>
    (await client.rpc('count_pending_tasks', period).throwOnError()).data;
  const before = await countOpen(admin);
  await book('ada@example.com');
  await site.signedIn('pending');
  await site.service
    .from('assistant_checks')
    .insert({ question: 'Open?', must_name: ['Yes'] })
    .throwOnError();
  await site.service.from('assistant_checks').update({ passed: false }).eq('question', 'Open?').throwOnError();
  await admin
    .from('releases')
    .insert({ name: 'Spring', publish_at: period._to.replace('Z', '') })
    .throwOnError();
  await site.service.from('releases').update({ failure: 'No' }).eq('name', 'Spring').throwOnError();
  expect(await countOpen(admin)).toEqual({
    leads: 1,
    calls: 1,
    releases: before.releases + 1,
    checks: before.checks + 1,
    registrations: before.registrations + 1,
    has_questions: false,
  });
  const noTasks = { leads: 0, calls: 0, releases: 0, checks: 0, registrations: 0, has_questions: false };
  expect(await countOpen((await site.signedIn('team')).client)).toEqual({ ...noTasks, leads: 1 });
  for (const role of ['stranger', 'client'] as const) {
    expect(await countOpen((await site.signedIn(role)).client)).toEqual(noTasks);
  }
  expect((await site.visitor.rpc('count_pending_tasks', period)).error?.code).toBe('42501');
});
