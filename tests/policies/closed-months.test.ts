/**
 * Closed months of meetings. Tests who can close and read them, which meetings count, and that neither the months nor
 * their meetings change.
 */
import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const OSLO = { time_zone: 'Europe/Oslo' };
const CLOSED = 'This month is closed, so its meetings can no longer change.';

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
let viewer: SupabaseClient;
/** Accepted meeting of Fjell AS in January 2026, which is closed. */
let meetingId: string;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS', OSLO);
  havn = await newClient(site, admin, 'Havn AS', OSLO);
  const user = await site.signedIn('client');
  viewer = user.client;
  const membership = { client_id: fjell.id, user_id: user.id, kind: 'viewer' };
  await site.service.from('client_members').insert(membership).throwOnError();
  meetingId = await newMeeting(fjell, { at: '2026-01-02T09:00:00Z' });
  await closeMonth(fjell.worker.client, fjell, '2026-01-01').throwOnError();
});
afterAll(() => site.close());

const query = async <Row extends object = Record<string, unknown>>(sql: string, parameters: (string | number)[] = []) =>
  (await site.backend.database.query<Row>(sql, parameters)).rows;

function closeMonth(client: SupabaseClient, { id }: TestClient, firstDay: string) {
  return client.rpc('close_meeting_month', { _client_id: id, _first_day: firstDay });
}

interface MeetingInput {
  id?: string;
  at?: string;
  outcome?: string;
  facts?: object;
  /** Null to leave the meeting without an answer. */
  answer?: 'accepted' | 'disputed' | null;
}

function saveMeeting(client: SupabaseClient, { id: _client_id }: TestClient, input: MeetingInput) {
  const { id, at = '2026-02-02T09:00:00Z', outcome = 'held', facts } = input;
  const meeting = { _starts_at: at, _met_with: 'Kari, Kunde AS', _outcome: outcome, _facts: facts };
  return client.rpc('save_client_meeting', { _client_id, ...meeting, _id: id });
}

/** Adds a meeting, which the client accepts by default. Returns its ID. */
async function newMeeting(client: TestClient, input: MeetingInput = {}): Promise<string> {
  const { data: id } = await saveMeeting(client.worker.client, client, input).throwOnError();
  const { answer = 'accepted', outcome = 'held' } = input;
  if (answer === null) return id;
  const reply = { _client_id: client.id, _id: id, _outcome: outcome, _answer: answer, _reason: 'No.' };
  await client.member.client.rpc('answer_client_meeting', { ...reply, _criterion: 'other' }).throwOnError();
  return id;
}

/** Lets the time limit for an answer pass. */
const expire = (id: string) =>
  query(`update public.client_meetings set answer_until = now() - interval '1 day' where id = $1`, [id]);

async function readSheet({ id }: TestClient, firstDay: string) {
  const [row] = await query<{ sheet: string; hash: string }>(
    'select sheet, hash from public.client_meeting_months where client_id = $1 and first_day = $2::date',
    [id, firstDay],
  );
  if (!row) throw new Error('The month is not closed');
  return { ...row, document: JSON.parse(row.sheet) };
}

const readSnapshot = () =>
  query('select *, (select count(*) from public.client_meetings) from public.client_meeting_months order by client_id');

/** Expects that `client` cannot read or close months of Fjell AS. */
async function expectNoAccess(client: SupabaseClient) {
  const before = await readSnapshot();
  expect((await client.from('client_meeting_months').select().eq('client_id', fjell.id)).data ?? []).toEqual([]);
  expect((await client.rpc('list_meeting_months', { _client_id: fjell.id })).error?.code).toBe('42501');
  expect((await closeMonth(client, fjell, '2025-12-01')).error?.code).toBe('42501');
  const part = { _client_id: fjell.id, _part: 'meeting_months' };
  expect((await client.rpc('client_archive', part)).error?.code).toBe('42501');
  expect(await readSnapshot()).toEqual(before);
}

test.each(capitalizedRoles(OUTSIDERS))('%s without a client has no access to closed months', async (_label, role) => {
  await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
});

test.each(capitalizedRoles(['member', 'worker']))('%s of another client has no access', async (_label, role) => {
  await expectNoAccess(havn[role].client);
});

test('Members and the team can read a closed month, and only the team can close one', async () => {
  for (const client of [fjell.member.client, viewer, fjell.worker.client, admin]) {
    const { data } = await client.rpc('list_meeting_months', { _client_id: fjell.id }).throwOnError();
    expect(data.closed).toMatchObject([
      { first_day: '2026-01-01', count: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect((await client.from('client_meeting_months').select('sheet').eq('client_id', fjell.id)).data).toHaveLength(1);
    const row = { client_id: fjell.id, first_day: '2025-12-01', time_zone: 'UTC', sheet: '{}', hash: '0'.repeat(64) };
    expect((await client.from('client_meeting_months').insert(row)).error?.code).toBe('42501');
  }
  for (const client of [fjell.member.client, viewer]) {
    expect((await closeMonth(client, fjell, '2025-12-01')).error?.code).toBe('42501');
    const { data } = await client.rpc('list_meeting_months', { _client_id: fjell.id }).throwOnError();
    expect(JSON.stringify(data)).not.toContain('@');
  }
  // A month without meetings can also be closed.
  expect((await closeMonth(admin, havn, '2025-11-01')).error).toBeNull();
});

test('The hash of a closed month is the SHA-256 of its sheet, also in the archive', async () => {
  const { sheet, hash, document } = await readSheet(fjell, '2026-01-01');
  expect(createHash('sha256').update(sheet).digest('hex')).toBe(hash);
  expect(document).toMatchObject({ client: 'Fjell AS', month: '2026-01', time_zone: 'Europe/Oslo', count: 1 });
  expect(document.meetings).toMatchObject([{ id: meetingId, met_with: 'Kari, Kunde AS', criteria: null }]);
  const part = { _client_id: fjell.id, _part: 'meeting_months' };
  const { data } = await fjell.member.client.rpc('client_archive', part).throwOnError();
  expect(data).toContainEqual(expect.objectContaining({ name: '2026-01', hash, document: sheet }));
});

test('Held meetings count unless they break a criterion and the client has not accepted them', async () => {
  const vik = await newClient(site, admin, 'Vik AS', OSLO);
  const request = {
    _client_id: vik.id,
    _title: 'Criteria',
    _criteria: { roles: [], countries: [], minimum_minutes: 20 },
  };
  const { data: criteriaId } = await vik.worker.client.rpc('ask_for_criteria_approval', request).throwOnError();
  const decision = { _client_id: vik.id, _approval_id: criteriaId, _number: 1, _verdict: 'yes' };
  await vik.member.client.rpc('decide_approval', decision).throwOnError();
  await query(`update public.approval_decisions set created_at = '2026-01-01' where client_id = $1`, [vik.id]);
  const long = await newMeeting(vik, { facts: { minutes: 20 }, answer: null });
  const unknown = await newMeeting(vik, { answer: null });
  const short = await newMeeting(vik, { facts: { minutes: 5 }, answer: null });
  const acceptedShort = await newMeeting(vik, { facts: { minutes: 5 } });
  const missed = await newMeeting(vik, { outcome: 'no_show' });
  for (const id of [long, unknown, short]) await expire(id);
  await closeMonth(vik.worker.client, vik, '2026-02-01').throwOnError();
  const { document } = await readSheet(vik, '2026-02-01');
  const ids = document.meetings.map(({ id }: { id: string }) => id);
  expect(new Set(ids)).toEqual(new Set([long, unknown, acceptedShort]));
  expect(ids).not.toContain(missed);
  const [version] = await query<{ text: string }>('select text from public.approval_versions where client_id = $1', [
    vik.id,
  ]);
  const sha256 = createHash('sha256')
    .update(version?.text ?? '')
    .digest('hex');
  for (const { criteria } of document.meetings) {
    expect(criteria).toMatchObject({ approval_id: criteriaId, number: 1, sha256, results: [{ key: 'minutes' }] });
  }
});

test('A month belongs to the time zone of the client, and closes once it has ended there', async () => {
  const vik = await newClient(site, admin, 'Vik AS', { time_zone: 'Pacific/Auckland' });
  // 1 February in Auckland.
  const id = await newMeeting(vik, { at: '2026-01-31T12:00:00Z' });
  await closeMonth(vik.worker.client, vik, '2026-01-01').throwOnError();
  await closeMonth(vik.worker.client, vik, '2026-02-01').throwOnError();
  expect((await readSheet(vik, '2026-01-01')).document).toMatchObject({ count: 0, meetings: [] });
  expect((await readSheet(vik, '2026-02-01')).document.meetings).toMatchObject([{ id }]);
  // The meeting stays in its closed month when the time zone changes.
  await query(`update public.clients set time_zone = 'UTC' where id = $1`, [vik.id]);
  expect((await saveMeeting(vik.worker.client, vik, { id })).error?.message).toContain('accepted this meeting');
  await expect(query('update public.client_meetings set evidence = $2 where id = $1', [id, 'x'])).rejects.toThrow(
    CLOSED,
  );
  const [thisMonth] = await query<{ day: string }>(
    `select date_trunc('month', now() at time zone 'UTC')::date::text as day`,
  );
  expect((await closeMonth(vik.worker.client, vik, thisMonth?.day ?? '')).error?.message).toBe(
    'This month has not ended yet.',
  );
  expect((await closeMonth(vik.worker.client, vik, '2026-03-02')).error?.code).toBe('22023');
  expect((await closeMonth(vik.worker.client, vik, '2026-02-01')).error?.message).toBe('This month is already closed.');
});

test('A month cannot be closed while a meeting is disputed, has no outcome, or can still be disputed', async () => {
  const vik = await newClient(site, admin, 'Vik AS', OSLO);
  const closeFebruary = () => closeMonth(vik.worker.client, vik, '2026-02-01');
  const { data: months } = await vik.worker.client.rpc('list_meeting_months', { _client_id: vik.id }).throwOnError();
  expect(months).toEqual({ closed: [], open: [] });
  const id = await newMeeting(vik, { answer: 'disputed' });
  expect((await closeFebruary()).error?.message).toContain('is disputed');
  await saveMeeting(vik.worker.client, vik, { id, outcome: 'booked' }).throwOnError();
  expect((await closeFebruary()).error?.message).toContain('has no outcome yet');
  await saveMeeting(vik.worker.client, vik, { id }).throwOnError();
  expect((await closeFebruary()).error?.message).toMatch(
    /can still dispute a meeting of this month until \d+ \w+ \d{4}/,
  );
  const listMonths = () => vik.worker.client.rpc('list_meeting_months', { _client_id: vik.id }).throwOnError();
  expect((await listMonths()).data).toMatchObject({ closed: [], open: ['2026-02-01'] });
  await expire(id);
  expect((await closeFebruary()).error).toBeNull();
  expect((await listMonths()).data).toMatchObject({ closed: [{ first_day: '2026-02-01', count: 1 }], open: [] });
});

test('Meetings of a closed month cannot be changed, answered, moved, deleted or added', async () => {
  const vik = await newClient(site, admin, 'Vik AS', OSLO);
  const id = await newMeeting(vik, { answer: null });
  const march = await newMeeting(vik, { at: '2026-03-02T09:00:00Z', answer: null });
  await expire(id);
  await closeMonth(vik.worker.client, vik, '2026-02-01').throwOnError();
  const before = await query('select * from public.client_meetings where id = $1', [id]);
  const { client } = vik.worker;
  await query(`update public.client_meetings set answer_until = now() + interval '1 day' where id = $1`, [id]);
  const answer = { _client_id: vik.id, _id: id, _outcome: 'held', _answer: 'accepted' };
  for (const response of [
    await saveMeeting(client, vik, { id, outcome: 'no_show' }),
    await saveMeeting(client, vik, { id, at: '2026-03-02T09:00:00Z' }),
    await saveMeeting(client, vik, { id, facts: { minutes: 5 } }),
    await saveMeeting(client, vik, { id: march }),
    await saveMeeting(client, vik, {}),
    await vik.member.client.rpc('answer_client_meeting', answer),
    await client.from('client_meetings').delete().eq('id', id),
    await site.service.from('client_meetings').update({ reason: 'x' }).eq('id', id),
  ]) {
    expect(response.error?.message).toBe(CLOSED);
  }
  const [row] = await query('select * from public.client_meetings where id = $1', [id]);
  expect({ ...row, answer_until: null }).toEqual({ ...before[0], answer_until: null });
  // Meetings of other months can still be changed.
  expect((await saveMeeting(client, vik, { id: march, at: '2026-03-03T09:00:00Z' })).error).toBeNull();
});

test('A closed month cannot be changed with the secret key, and is deleted with its client', async () => {
  const vik = await newClient(site, admin, 'Vik AS', OSLO);
  await newMeeting(vik);
  await closeMonth(vik.worker.client, vik, '2026-02-01').throwOnError();
  const rows = () => site.service.from('client_meeting_months');
  for (const { error } of [
    await rows().update({ sheet: '{}' }).eq('client_id', vik.id),
    await rows()
      .update({ hash: '0'.repeat(64) })
      .eq('client_id', vik.id),
    await rows().delete().eq('client_id', vik.id),
  ]) {
    expect(error?.message).toBe('A closed month cannot be changed.');
  }
  // The account of the person who closed it can be deleted.
  await query('delete from auth.users where id = $1', [vik.worker.id]);
  expect((await rows().select('closed_by').eq('client_id', vik.id)).data).toEqual([{ closed_by: null }]);
  await query('delete from public.clients where id = $1', [vik.id]);
  expect((await rows().select().eq('client_id', vik.id)).data).toEqual([]);
  expect((await site.service.from('client_meetings').select().eq('client_id', vik.id)).data).toEqual([]);
});
