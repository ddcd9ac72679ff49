/** Meetings of clients. Tests who can save, accept and dispute them, and for how long. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const PAST = '2026-01-02T09:00:00+00:00';
const FUTURE = '2999-01-02T09:00:00+00:00';

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
/** ID of an unanswered meeting of Fjell AS. */
let meetingId: string;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
  meetingId = await newMeeting(fjell);
});
afterAll(() => site.close());

interface MeetingInput {
  id?: string;
  at?: string;
  outcome?: string;
  name?: string;
}

function saveMeeting(
  client: SupabaseClient,
  { id: _client_id }: TestClient,
  { id, at, outcome, name }: MeetingInput = {},
) {
  const _starts_at = at ?? PAST;
  const _met_with = name ?? 'Kari, Kunde AS';
  return client.rpc('save_client_meeting', { _client_id, _starts_at, _met_with, _outcome: outcome ?? 'held', _id: id });
}

async function newMeeting(client: TestClient, input: MeetingInput = {}): Promise<string> {
  return (await saveMeeting(client.worker.client, client, input).throwOnError()).data;
}

function answerMeeting(
  client: SupabaseClient,
  { id }: TestClient,
  _id: string,
  _answer: string,
  _reason = '',
  outcome = 'held',
) {
  return client.rpc('answer_client_meeting', { _client_id: id, _id, _outcome: outcome, _answer, _reason });
}

function listMeetings(client: SupabaseClient, { id }: TestClient) {
  return client.rpc('list_client_meetings', { _client_id: id });
}

async function readMeeting(id: string) {
  return (await site.service.from('client_meetings').select().eq('id', id).maybeSingle()).data;
}

/** Expects that `client` cannot read, save, answer or delete meetings of Fjell AS. */
async function expectNoAccess(client: SupabaseClient) {
  const before = (await site.service.from('client_meetings').select().order('created_at')).data;
  expect((await client.from('client_meetings').select().eq('client_id', fjell.id)).data ?? []).toEqual([]);
  expect((await listMeetings(client, fjell)).error?.code).toBe('42501');
  expect((await saveMeeting(client, fjell)).error?.code).toBe('42501');
  expect((await saveMeeting(client, fjell, { id: meetingId, outcome: 'no_show' })).error?.code).toBe('42501');
  expect((await answerMeeting(client, fjell, meetingId, 'accepted')).error?.code).toBe('42501');
  await client.from('client_meetings').delete().eq('client_id', fjell.id);
  expect((await site.service.from('client_meetings').select().order('created_at')).data).toEqual(before);
}

test.each(capitalizedRoles(OUTSIDERS))(
  '%s without an assigned client cannot read, save, accept or dispute meetings',
  async (_label, role) => {
    await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
  },
);

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot read, save, accept or dispute meetings',
  async (_label, role) => {
    const { client } = havn[role];
    await expectNoAccess(client);
    // The caller's own client ID gives no access either.
    expect((await answerMeeting(client, havn, meetingId, 'accepted')).error).not.toBeNull();
    expect((await saveMeeting(client, havn, { id: meetingId })).error).not.toBeNull();
    expect((await listMeetings(client, havn)).data).toEqual([]);
  },
);

test('A meeting can only reference a campaign of its own client, and analytics counts it under that campaign', async () => {
  const vik = await newClient(site, admin, 'Vik AS');
  const { client } = vik.worker;
  const parameters = { _client_id: vik.id, _starts_at: PAST, _met_with: 'Kari', _outcome: 'held' };
  const response = await client.rpc('save_client_meeting', { ...parameters, _campaign_id: fjell.campaign });
  expect(response.error?.code).toBe('23503');
  const { data: id } = await client
    .rpc('save_client_meeting', { ...parameters, _campaign_id: vik.campaign })
    .throwOnError();
  await saveMeeting(client, vik).throwOnError();
  const expectedMeeting = { id, campaign_id: vik.campaign, campaign: 'Campaign of Vik AS' };
  for (const caller of [client, vik.member.client]) {
    expect((await listMeetings(caller, vik).throwOnError()).data).toContainEqual(
      expect.objectContaining(expectedMeeting),
    );
  }
  const readCampaignTotals = async (month: string) =>
    (await client.rpc('figure_totals', { _from: `2026-${month}-01`, _until: `2026-${month}-28` }).throwOnError()).data;
  const campaigns = [
    { id: vik.campaign, held: 1, figures: { meetings: 1 } },
    { id: '', name: 'No campaign', held: 1, figures: { meetings: 1 } },
  ];
  expect(await readCampaignTotals('01')).toMatchObject([{ campaigns }]);
  expect(await readCampaignTotals('02')).toMatchObject([{ campaigns: [] }]);
  // The meeting still refers to the campaign after the campaign is deleted.
  await client.rpc('delete_campaign', { _client_id: vik.id, _campaign_id: vik.campaign }).throwOnError();
  expect((await listMeetings(client, vik).throwOnError()).data).toContainEqual(
    expect.objectContaining(expectedMeeting),
  );
  // Saving without a campaign clears the reference.
  await saveMeeting(client, vik, { id }).throwOnError();
  expect(await readMeeting(id)).toMatchObject({ campaign_id: null });
});

test('Meetings cannot be inserted or updated directly in the table', async () => {
  const row = { client_id: fjell.id, starts_at: PAST, met_with: 'Ola', outcome: 'booked' };
  for (const client of [fjell.member.client, fjell.worker.client, admin]) {
    expect((await client.from('client_meetings').insert(row)).error?.code).toBe('42501');
    expect((await client.from('client_meetings').update({ outcome: 'held' }).eq('id', meetingId)).error?.code).toBe(
      '42501',
    );
  }
});

test('Only the team can save and delete meetings, and only the client can answer', async () => {
  for (const client of [fjell.worker.client, admin]) {
    const { data: id } = await saveMeeting(client, fjell).throwOnError();
    expect((await answerMeeting(client, fjell, id, 'accepted')).error?.code).toBe('42501');
    expect((await saveMeeting(fjell.member.client, fjell, { id })).error?.code).toBe('42501');
    await fjell.member.client.from('client_meetings').delete().eq('id', id);
    expect(await readMeeting(id)).not.toBeNull();
    await client.from('client_meetings').delete().eq('id', id).throwOnError();
    expect(await readMeeting(id)).toBeNull();
  }
});

describe('An answer', () => {
  test('is final if it accepts the meeting, which can then no longer be changed or deleted', async () => {
    const id = await newMeeting(fjell);
    const { client } = fjell.member;
    expect((await answerMeeting(client, fjell, id, 'accepted')).error).toBeNull();
    const before = await readMeeting(id);
    expect(before).toMatchObject({ answer: 'accepted', answered_by: fjell.member.id });
    expect((await answerMeeting(client, fjell, id, 'disputed', 'No.')).error?.message).toContain(
      'accepted this meeting',
    );
    expect((await saveMeeting(fjell.worker.client, fjell, { id, outcome: 'no_show' })).error?.message).toContain(
      'cannot be changed',
    );
    for (const caller of [fjell.worker.client, admin]) {
      await caller.from('client_meetings').delete().eq('id', id);
    }
    expect(await readMeeting(id)).toEqual(before);
  });

  test('requires a reason to dispute the meeting, is mailed to the team member and can be changed to accepted', async () => {
    const id = await newMeeting(fjell);
    const { client } = fjell.member;
    expect((await answerMeeting(client, fjell, id, 'disputed', ' \n')).error?.message).toBe(
      'Please describe what is wrong.',
    );
    expect((await answerMeeting(client, fjell, id, 'disputed', 'x'.repeat(2001))).error?.code).toBe('23514');
    expect((await answerMeeting(client, fjell, id, 'perhaps', 'Hm.')).error?.code).toBe('23514');
    expect((await answerMeeting(client, fjell, id, 'disputed', ' No one <b>came</b>. ')).error).toBeNull();
    expect(await readMeeting(id)).toMatchObject({ answer: 'disputed', reason: 'No one <b>came</b>.' });
    const mail = await nextMail(site.dataFolder, fjell.worker.email);
    expect(mail.subject).toBe('Disputed: meeting with Kari, Kunde AS');
    expect(mail.text).toContain('No one <b>came</b>.');
    expect((await answerMeeting(client, fjell, id, 'accepted')).error).toBeNull();
    expect(await readMeeting(id)).toMatchObject({ answer: 'accepted', reason: '' });
  });

  test('is rejected for an outdated outcome, and is cleared when the outcome changes', async () => {
    const id = await newMeeting(fjell, { at: FUTURE, outcome: 'booked' });
    const { client } = fjell.member;
    expect(await readMeeting(id)).toMatchObject({ answer_until: null });
    expect((await answerMeeting(client, fjell, id, 'accepted', '', 'booked')).error?.message).toContain(
      'read it again',
    );
    await saveMeeting(fjell.worker.client, fjell, { id }).throwOnError();
    expect((await answerMeeting(client, fjell, id, 'disputed', 'They did not come.')).error).toBeNull();
    await saveMeeting(fjell.worker.client, fjell, { id, outcome: 'no_show' }).throwOnError();
    expect(await readMeeting(id)).toMatchObject({ answer: null, reason: '', answered_by: null });
    expect((await answerMeeting(client, fjell, id, 'accepted')).error?.message).toContain('read it again');
    expect((await answerMeeting(client, fjell, id, 'accepted', '', 'no_show')).error).toBeNull();
  });

  test('is possible for 14 days', async () => {
    const id = await newMeeting(fjell);
    const { answer_until, created_at } = await readMeeting(id);
    expect(Date.parse(answer_until) - Date.parse(created_at)).toBe(14 * 24 * 60 * 60 * 1000);
    const expiredAnswer = { answer_until: new Date(Date.now() - 1000).toISOString() };
    await site.service.from('client_meetings').update(expiredAnswer).eq('id', id).throwOnError();
    const response = await answerMeeting(fjell.member.client, fjell, id, 'disputed', 'Late.');
    expect(response.error?.message).toContain('The time limit for an answer has passed');
    const { data } = await listMeetings(fjell.member.client, fjell);
    expect(data.find((meeting: { id: string }) => meeting.id === id)).toMatchObject({ is_open: false });
  });
});

test('A future meeting cannot be held or missed, and a meeting requires a valid name and outcome', async () => {
  const { client } = fjell.worker;
  for (const outcome of ['held', 'no_show']) {
    expect((await saveMeeting(client, fjell, { at: FUTURE, outcome })).error?.message).toContain('in the future');
  }
  for (const name of ['', ' ', 'a\nb', 'x'.repeat(201)]) {
    expect((await saveMeeting(client, fjell, { name })).error?.code).toBe('23514');
  }
  expect((await saveMeeting(client, fjell, { outcome: 'lost' })).error?.code).toBe('23514');
  expect((await saveMeeting(client, fjell, { at: FUTURE, outcome: 'booked' })).error).toBeNull();
});

test('The list shows unanswered meetings first, then disputed ones and the latest, and hides addresses from the client', async () => {
  const answeredId = await newMeeting(havn, { at: '2026-03-01T09:00:00Z' });
  const unansweredId = await newMeeting(havn, { at: '2026-02-01T09:00:00Z' });
  const upcoming = await newMeeting(havn, { at: FUTURE, outcome: 'booked' });
  await answerMeeting(havn.member.client, havn, answeredId, 'disputed', 'Not ours.').throwOnError();
  const { data } = await listMeetings(havn.member.client, havn).throwOnError();
  expect(data).toMatchObject([
    { id: unansweredId, is_open: true, waiting: 1, total: 3 },
    { id: answeredId, is_open: true, answer: 'disputed', reason: 'Not ours.' },
    { id: upcoming, is_open: false, answer: null },
  ]);
  expect(JSON.stringify(data)).not.toContain('@');
  expect((await listMeetings(havn.worker.client, havn)).data?.[1]).toMatchObject({ answered_by: havn.member.email });
  expect((await listMeetings(admin, havn)).data).toHaveLength(3);
});

test('A removed member has no access, and their answer remains', async () => {
  const user = await site.signedIn('client');
  await admin.rpc('add_client_member', { _client_id: fjell.id, _email: user.email }).throwOnError();
  const id = await newMeeting(fjell);
  await answerMeeting(user.client, fjell, id, 'accepted').throwOnError();
  const { data: exported } = await user.client.rpc('my_data').throwOnError();
  expect(exported.client_meetings).toMatchObject([{ client: fjell.id, answer: 'accepted' }]);
  await admin.from('client_members').delete().eq('user_id', user.id).throwOnError();
  await expectNoAccess(user.client);
  expect(await readMeeting(id)).toMatchObject({ answer: 'accepted' });
});
