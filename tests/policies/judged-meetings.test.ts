/**
 * Meetings with agreed criteria. Tests the check against the criteria, the criterion that a dispute names, and the
 * history of a meeting.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const CRITERIA = {
  roles: ['Founder', 'Head of  facilities'],
  minimum_size: 50,
  maximum_size: 500,
  countries: ['NO', 'SE'],
  excludes_customers: true,
  minimum_minutes: 20,
};
/** Facts that meet all criteria. The first and last values of each range are used alternately. */
const FACTS = [
  { role: 'founder', company_size: 50, country: 'NO', is_customer: false, minutes: 20 },
  { role: ' head of Facilities ', company_size: 500, country: 'SE', is_customer: false, minutes: 90 },
];
/** Facts that break one criterion. */
const BREAKING_FACTS: Record<string, object[]> = {
  role: [{ role: 'CEO' }, { role: 'Co-founder' }],
  size: [{ company_size: 49 }, { company_size: 501 }],
  country: [{ country: 'DK' }, { country: 'FI' }],
  customer: [{ is_customer: true }, { is_customer: true }],
  minutes: [{ minutes: 19 }, { minutes: 1 }],
};

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
let viewer: SupabaseClient;
/** Day of the meetings, after the approval of the criteria. */
const DAY = '2026-02-02';

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
  const user = await site.signedIn('client');
  viewer = user.client;
  const membership = { client_id: fjell.id, user_id: user.id, kind: 'viewer' };
  await site.service.from('client_members').insert(membership).throwOnError();
  await approveCriteria(fjell, CRITERIA, '2026-01-01');
});
afterAll(() => site.close());

const query = async <Row extends object = Record<string, unknown>>(sql: string, parameters: (string | number)[] = []) =>
  (await site.backend.database.query<Row>(sql, parameters)).rows;

/** Approves criteria at that time. Returns the approval. */
async function approveCriteria(client: TestClient, criteria: object, at: string, approvalId?: string): Promise<string> {
  const request = { _client_id: client.id, _title: 'Criteria', _criteria: criteria, _approval_id: approvalId };
  const { data: id } = await client.worker.client.rpc('ask_for_criteria_approval', request).throwOnError();
  const [version] = await query<{ number: number }>(
    'select max(number)::integer as number from public.approval_versions where approval_id = $1',
    [id],
  );
  const decision = { _client_id: client.id, _approval_id: id, _number: version?.number, _verdict: 'yes' };
  await client.member.client.rpc('decide_approval', decision).throwOnError();
  await query(
    'update public.approval_decisions set created_at = $1::timestamptz where approval_id = $2 and number = $3',
    [at, id, version?.number ?? 0],
  );
  return id;
}

interface MeetingInput {
  id?: string;
  day?: string;
  outcome?: string;
  facts?: object;
}

function saveMeeting(client: SupabaseClient, { id: _client_id }: TestClient, input: MeetingInput = {}) {
  const { id, day = DAY, outcome = 'held', facts } = input;
  const meeting = { _starts_at: `${day}T09:00:00Z`, _met_with: 'Kari, Kunde AS', _outcome: outcome };
  return client.rpc('save_client_meeting', { _client_id, ...meeting, _id: id, _facts: facts });
}

async function newMeeting(client: TestClient, input: MeetingInput = {}): Promise<string> {
  return (await saveMeeting(client.worker.client, client, input).throwOnError()).data;
}

function answerMeeting(client: SupabaseClient, { id }: TestClient, _id: string, fields: object) {
  return client.rpc('answer_client_meeting', { _client_id: id, _id, _outcome: 'held', ...fields });
}

const dispute = (criterion?: string) => ({ _answer: 'disputed', _reason: 'Too small.', _criterion: criterion });

async function readDetails(client: SupabaseClient, { id: _client_id }: TestClient, id: string) {
  const { data } = await client.rpc('list_client_meetings', { _client_id, _limit: 200 }).throwOnError();
  return data.find((meeting: { id: string }) => meeting.id === id)?.details;
}

/** Returns the state of each criterion of a meeting. */
async function readStates(client: TestClient, id: string): Promise<Record<string, string>> {
  const { judgement } = await readDetails(client.member.client, client, id);
  return Object.fromEntries(judgement.results.map(({ key, state }: { key: string; state: string }) => [key, state]));
}

test('Each of 20 meetings that meet all criteria passes, and each of 20 others fails the one criterion that it breaks', async () => {
  const expected = new Map<string, Record<string, string>>();
  const met = { role: 'met', size: 'met', country: 'met', customer: 'met', minutes: 'met' };
  for (const facts of FACTS) {
    for (let index = 0; index < 10; index += 1) expected.set(await newMeeting(fjell, { facts }), met);
    for (const [key, broken] of Object.entries(BREAKING_FACTS)) {
      for (const fact of broken) {
        expected.set(await newMeeting(fjell, { facts: { ...facts, ...fact } }), { ...met, [key]: 'not_met' });
      }
    }
  }
  expect(expected.size).toBe(40);
  expect([...expected.values()].filter((result) => Object.values(result).includes('not_met'))).toHaveLength(20);
  for (const [id, result] of expected) expect(await readStates(fjell, id)).toEqual(result);
});

test('A criterion is unknown if its fact is missing, and an edit without facts keeps the stored facts', async () => {
  const id = await newMeeting(fjell);
  const unknown = { role: 'unknown', size: 'unknown', country: 'unknown', customer: 'unknown', minutes: 'unknown' };
  expect(await readStates(fjell, id)).toEqual(unknown);
  await newMeeting(fjell, { id, facts: { role: 'Founder', minutes: 5 } });
  expect(await readStates(fjell, id)).toEqual({ ...unknown, role: 'met', minutes: 'not_met' });
  await newMeeting(fjell, { id });
  expect(await readStates(fjell, id)).toEqual({ ...unknown, role: 'met', minutes: 'not_met' });
});

test('A meeting is judged by the last version that was approved before it', async () => {
  const vik = await newClient(site, admin, 'Vik AS');
  const small = { roles: [], countries: [], maximum_size: 100 };
  const id = await approveCriteria(vik, small, '2026-02-01');
  await approveCriteria(vik, { ...small, maximum_size: 200 }, '2026-03-01', id);
  const facts = { company_size: 150 };
  const readJudgement = async (day: string) =>
    (await readDetails(vik.worker.client, vik, await newMeeting(vik, { day, facts }))).judgement;
  expect(await readJudgement('2026-01-15')).toBeNull();
  expect(await readJudgement('2026-02-15')).toMatchObject({ number: 1, results: [{ key: 'size', state: 'not_met' }] });
  expect(await readJudgement('2026-03-15')).toMatchObject({
    approval_id: id,
    number: 2,
    results: [{ key: 'size', state: 'met' }],
  });
  // A version that is not approved is never in force.
  const request = {
    _client_id: vik.id,
    _title: 'Criteria',
    _criteria: { ...small, maximum_size: 9 },
    _approval_id: id,
  };
  await vik.worker.client.rpc('ask_for_criteria_approval', request).throwOnError();
  expect(await readJudgement('2026-03-16')).toMatchObject({ number: 2 });
});

test('A dispute must name a criterion in force or “other”, and remains in the history', async () => {
  const id = await newMeeting(fjell, { facts: { company_size: 9 } });
  const { client } = fjell.member;
  expect((await answerMeeting(client, fjell, id, dispute())).error?.message).toContain('choose the criterion');
  expect((await answerMeeting(client, fjell, id, dispute('height'))).error?.message).toContain('not in force');
  expect((await answerMeeting(client, fjell, id, dispute('size'))).error).toBeNull();
  for (const caller of [client, viewer, fjell.worker.client, admin]) {
    expect(await readDetails(caller, fjell, id)).toMatchObject({
      criterion: 'size',
      changes: [
        { number: 2, status: 'disputed', reason: 'Too small.', criterion: 'size' },
        { number: 1, status: 'held' },
      ],
    });
  }
  await newMeeting(fjell, { id, outcome: 'no_show' });
  await newMeeting(fjell, { id, outcome: 'held' });
  expect((await answerMeeting(client, fjell, id, { _answer: 'accepted' })).error).toBeNull();
  expect(await readDetails(client, fjell, id)).toMatchObject({ criterion: null });
  const changes = await query<{ status: string; changed_by: string }>(
    'select status, changed_by from public.client_meeting_changes where meeting_id = $1 order by number',
    [id],
  );
  expect(changes.map(({ status }) => status)).toEqual(['held', 'disputed', 'no_show', 'held', 'accepted']);
  const [member, worker] = [fjell.member.id, fjell.worker.id];
  expect(changes.map(({ changed_by }) => changed_by)).toEqual([worker, member, worker, worker, member]);
  expect(JSON.stringify(await readDetails(client, fjell, id))).not.toContain('@');
});

test('If no criteria are in force, a dispute can only name “other” or no criterion', async () => {
  for (const [criterion, error] of [
    [undefined, undefined],
    ['other', undefined],
    ['size', 'This criterion is not in force for this meeting. Reload the page.'],
  ] as const) {
    const id = await newMeeting(havn);
    expect((await answerMeeting(havn.member.client, havn, id, dispute(criterion))).error?.message).toBe(error);
  }
});

test.each([{ role: 'x'.repeat(201) }, { company_size: 0 }, { country: 'Norway' }, { minutes: 1441 }])(
  'The fact %j is rejected, and the meeting is not saved',
  async (facts) => {
    const countMeetings = async () => (await query('select from public.client_meetings')).length;
    const before = await countMeetings();
    expect((await saveMeeting(fjell.worker.client, fjell, { facts })).error?.code).toBe('23514');
    expect(await countMeetings()).toBe(before);
  },
);

/** Expects that `client` cannot read the history of Fjell AS or change facts. */
async function expectNoAccess(client: SupabaseClient) {
  const before = await query('select * from public.client_meetings order by id');
  const { data } = await client.from('client_meeting_changes').select().eq('client_id', fjell.id);
  expect(data ?? []).toEqual([]);
  expect((await saveMeeting(client, fjell, { facts: { minutes: 5 } })).error?.code).toBe('42501');
  expect((await client.rpc('list_client_meetings', { _client_id: fjell.id })).error?.code).toBe('42501');
  const part = { _client_id: fjell.id, _part: 'meeting_changes' };
  expect((await client.rpc('client_archive', part)).error?.code).toBe('42501');
  expect(await query('select * from public.client_meetings order by id')).toEqual(before);
}

test.each(capitalizedRoles(OUTSIDERS))('%s without a client has no access to the history', async (_label, role) => {
  await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
});

test.each(capitalizedRoles(['member', 'worker']))('%s of another client has no access', async (_label, role) => {
  await expectNoAccess(havn[role].client);
});

test('Members, the team and admins can read the history, and only the trigger can write it', async () => {
  for (const client of [fjell.member.client, viewer, fjell.worker.client, admin]) {
    const { data } = await client.from('client_meeting_changes').select().eq('client_id', fjell.id).throwOnError();
    expect(data.length).toBeGreaterThan(0);
    const row = { client_id: fjell.id, meeting_id: data[0].meeting_id, number: 9, status: 'accepted' };
    expect((await client.from('client_meeting_changes').insert(row)).error?.code).toBe('42501');
    const reason = { reason: 'Changed' };
    expect((await client.from('client_meeting_changes').update(reason).eq('client_id', fjell.id)).error?.code).toBe(
      '42501',
    );
    expect((await client.from('client_meeting_changes').delete().eq('client_id', fjell.id)).error?.code).toBe('42501');
  }
  for (const client of [fjell.member.client, viewer]) {
    expect((await saveMeeting(client, fjell, { facts: { minutes: 30 } })).error?.code).toBe('42501');
  }
});
