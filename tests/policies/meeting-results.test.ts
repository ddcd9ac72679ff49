/** Results of meetings. Tests who can read and report them, when they are awaited, and which emails are sent. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { findZoneAtNoon } from '../support/zone-at-noon.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
/** Emails about meetings of the day are due at 8:00 in the client's time zone. */
const NOON = { time_zone: findZoneAtNoon() };
const DAY_MS = 86_400_000;

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
let viewer: Awaited<ReturnType<TestBackend['signedIn']>>;
/** ID of a held meeting of Fjell AS. */
let meetingId: string;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS', NOON);
  havn = await newClient(site, admin, 'Havn AS', NOON);
  viewer = await site.signedIn('client');
  const membership = { client_id: fjell.id, user_id: viewer.id, kind: 'viewer' };
  await site.service.from('client_members').insert(membership).throwOnError();
  meetingId = await newMeeting(fjell);
});
afterAll(() => site.close());

const query = async <Row extends object = Record<string, unknown>>(sql: string, parameters: (string | number)[] = []) =>
  (await site.backend.database.query<Row>(sql, parameters)).rows;

interface MeetingInput {
  /** Days since the meeting. */
  age?: number;
  outcome?: string;
  name?: string;
  leadId?: string | null;
}

/** Adds a meeting that the client can no longer dispute. */
async function newMeeting({ id, worker }: TestClient, input: MeetingInput = {}): Promise<string> {
  const { age = 10, outcome = 'held', name = 'Kari, Kunde AS', leadId = null } = input;
  const _starts_at = new Date(Date.now() - age * DAY_MS).toISOString();
  const meeting = { _client_id: id, _starts_at, _met_with: name, _outcome: outcome, _lead_id: leadId };
  const { data } = await worker.client.rpc('save_client_meeting', meeting).throwOnError();
  await site.service
    .from('client_meetings')
    .update({ answer_until: outcome === 'booked' ? null : _starts_at })
    .eq('id', data)
    .throwOnError();
  return data;
}

interface ReportInput {
  id?: string;
  status?: string;
  former?: number;
  amount?: number | null;
  reason?: string;
}

function reportResult(client: SupabaseClient, { id: _client_id }: TestClient, input: ReportInput = {}) {
  const { id = meetingId, status = 'nothing_yet', former = 0, amount = null, reason = '' } = input;
  const result = { _status: status, _amount: amount, _reason: reason };
  return client.rpc('report_meeting_result', { _client_id, _meeting_id: id, _expected_number: former, ...result });
}

/** Reads the results of a meeting as `client` sees them in the list. */
async function readMeeting(client: SupabaseClient, id: string, { id: _client_id }: TestClient = fjell) {
  const { data } = await client.rpc('list_client_meetings', { _client_id }).throwOnError();
  return data.find((meeting: { id: string }) => meeting.id === id)?.details.result;
}

const readRows = () => query('select * from public.client_meeting_results order by created_at, meeting_id, number');

/** Moves a meeting to an earlier day. */
async function setAge(id: string, days: number) {
  await query(
    `update public.client_meetings set starts_at = now() - make_interval(days => $2), answer_until = now() - interval '1 day'
     where id = $1`,
    [id, days],
  );
}

/** Expects that `client` cannot read or report results of Fjell AS. */
async function expectNoAccess(client: SupabaseClient) {
  const before = await readRows();
  const table = client.from('client_meeting_results');
  expect((await table.select('status').eq('client_id', fjell.id)).data ?? []).toEqual([]);
  const archive = { _client_id: fjell.id, _part: 'meeting_results' };
  expect((await client.rpc('client_archive', archive)).error?.code).toBe('42501');
  expect((await reportResult(client, fjell)).error?.code).toBe('42501');
  const row = { client_id: fjell.id, meeting_id: meetingId, number: 1, status: 'nothing_yet' };
  expect((await client.from('client_meeting_results').insert(row)).error?.code).toBe('42501');
  expect(await readRows()).toEqual(before);
}

test.each(capitalizedRoles(OUTSIDERS))('%s without a client cannot read or report results', async (_label, role) => {
  await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
});

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot read or report results',
  async (_label, role) => {
    const { client } = havn[role];
    await expectNoAccess(client);
    // The caller's own client ID gives no access either.
    expect((await reportResult(client, havn)).error?.message).toBe('This meeting no longer exists.');
    expect((await reportResult(client, havn, { id: await newMeeting(havn) })).error).toBeNull();
  },
);

test('A removed member cannot read or report results, and their report remains', async () => {
  const id = await newMeeting(fjell);
  const user = await site.signedIn('client');
  await site.service.from('client_members').insert({ client_id: fjell.id, user_id: user.id }).throwOnError();
  await reportResult(user.client, fjell, { id, status: 'won', amount: 5000 }).throwOnError();
  const { data: exported } = await user.client.rpc('my_data').throwOnError();
  expect(exported.results_of_meetings).toMatchObject([{ client: fjell.id, status: 'won', amount: 5000 }]);
  await admin.from('client_members').delete().match({ client_id: fjell.id, user_id: user.id }).throwOnError();
  await expectNoAccess(user.client);
  expect(await readMeeting(admin, id)).toMatchObject({ reports: [{ status: 'won' }] });
});

test('Approvers, the team and admins can report results and see amounts, and viewers can do neither', async () => {
  const id = await newMeeting(fjell);
  expect((await reportResult(viewer.client, fjell, { id })).error).toMatchObject({
    code: '42501',
    message: 'You can read this, but only approvers can report results.',
  });
  for (const [former, client] of [fjell.member.client, fjell.worker.client, admin].entries()) {
    await reportResult(client, fjell, { id, former, status: 'opportunity', amount: 1000.5 + former }).throwOnError();
  }
  for (const client of [fjell.member.client, fjell.worker.client, admin]) {
    expect(await readMeeting(client, id)).toMatchObject({
      reports: [{ number: 3, status: 'opportunity', amount: 1002.5 }, { number: 2 }, { amount: 1000.5 }],
    });
    const archive = { _client_id: fjell.id, _part: 'meeting_results' };
    expect((await client.rpc('client_archive', archive)).data).toContainEqual(
      expect.objectContaining({ meeting: id, amount: 1002.5 }),
    );
  }
  expect((await readMeeting(viewer.client, id)).reports).toMatchObject([
    { number: 3, status: 'opportunity', amount: null },
    { amount: null },
    { amount: null },
  ]);
  const { data: archived } = await viewer.client.rpc('client_archive', {
    _client_id: fjell.id,
    _part: 'meeting_results',
  });
  expect(archived.filter(({ meeting }: { meeting: string }) => meeting === id)).toHaveLength(3);
  expect(archived.every(({ amount }: { amount: unknown }) => amount === null)).toBe(true);
});

test('No role can select the amount column, and no role can write rows without the function', async () => {
  const id = await newMeeting(fjell);
  await reportResult(fjell.member.client, fjell, { id, status: 'won', amount: 1000 }).throwOnError();
  for (const client of [viewer.client, fjell.member.client, fjell.worker.client, admin]) {
    const table = () => client.from('client_meeting_results');
    expect((await table().select('status').eq('meeting_id', id)).data).toEqual([{ status: 'won' }]);
    expect((await table().select('amount').eq('meeting_id', id)).error?.code).toBe('42501');
    expect((await table().select('status').gt('amount', 1)).error?.code).toBe('42501');
    expect((await table().update({ status: 'lost' }).eq('meeting_id', id)).error?.code).toBe('42501');
    expect((await table().delete().eq('meeting_id', id)).error?.code).toBe('42501');
  }
});

describe('A report', () => {
  test('is rejected if someone else reported a result since the meeting was read', async () => {
    const id = await newMeeting(fjell);
    await reportResult(fjell.worker.client, fjell, { id }).throwOnError();
    expect((await reportResult(fjell.member.client, fjell, { id })).error?.message).toBe(
      'Someone else has already reported a result of this meeting. Reload the page to read it.',
    );
    expect(
      (await reportResult(fjell.member.client, fjell, { id, former: 1, status: 'won', amount: 1 })).error,
    ).toBeNull();
  });

  test('is stored once if two approvers send it concurrently', async () => {
    const id = await newMeeting(fjell);
    const reports = await Promise.all(
      [fjell.member.client, fjell.worker.client].map((client) => reportResult(client, fjell, { id })),
    );
    expect(reports.filter(({ error }) => error === null)).toHaveLength(1);
    expect((await readMeeting(admin, id)).reports).toHaveLength(1);
  });

  test('requires an amount if the deal was won, and a reason if it was lost', async () => {
    const id = await newMeeting(fjell);
    const reportAndReadError = async (input: ReportInput) =>
      (await reportResult(fjell.member.client, fjell, { id, ...input })).error?.message;
    expect(await reportAndReadError({ status: 'won' })).toBe('Please enter the amount of the deal.');
    expect(await reportAndReadError({ status: 'lost', reason: ' \n' })).toBe('Please say why the deal was lost.');
    for (const amount of [-1, 1_000_000_000_001]) {
      expect(await reportAndReadError({ status: 'won', amount })).toBe(
        'An amount must be between 0 and 1,000,000,000,000.',
      );
    }
    expect(await reportAndReadError({ status: 'sold' })).toMatch(/status/);
    expect(await reportAndReadError({ status: 'lost', reason: ' Too late. ', amount: 5 })).toBeUndefined();
    expect((await readMeeting(admin, id)).reports).toMatchObject([
      { status: 'lost', amount: null, reason: 'Too late.' },
    ]);
  });

  test('is possible only for held meetings without a dispute', async () => {
    for (const outcome of ['booked', 'no_show']) {
      const { error } = await reportResult(fjell.member.client, fjell, { id: await newMeeting(fjell, { outcome }) });
      expect(error?.message).toBe('Only a meeting that was held has a result.');
    }
    const id = await newMeeting(fjell);
    await query(`update public.client_meetings set answer = 'disputed', reason = 'No.' where id = $1`, [id]);
    const { error } = await reportResult(fjell.member.client, fjell, { id });
    expect(error?.message).toBe('This meeting is disputed. Settle the dispute first.');
  });

  /** Adds a lead with a meeting, and returns functions that report a result and return the lead after it. */
  async function newLeadWithMeeting() {
    const { data: leadId } = await fjell.worker.client
      .rpc('add_client_lead', { _client_id: fjell.id, _name: 'Kari Moe' })
      .throwOnError();
    const lead = { _client_id: fjell.id, _id: leadId };
    const id = await newMeeting(fjell, { leadId });
    const readLead = async () => (await fjell.member.client.rpc('client_lead', lead).throwOnError()).data;
    const reportAndReadLead = async (input: ReportInput) => {
      await reportResult(fjell.member.client, fjell, { id, ...input }).throwOnError();
      return readLead();
    };
    const setLead = async (_expected_status: string, _status: string) =>
      fjell.worker.client.rpc('change_client_lead', { ...lead, _expected_status, _status }).throwOnError();
    return { leadId, leadNow: readLead, leadAfter: reportAndReadLead, setLead };
  }

  test('of a won or lost deal sets the status of the lead', async () => {
    const { leadAfter } = await newLeadWithMeeting();
    expect(await leadAfter({ status: 'opportunity' })).toMatchObject({ status: 'meeting' });
    expect(await leadAfter({ former: 1, status: 'lost', reason: 'Too late.' })).toMatchObject({
      status: 'lost',
      reason: 'Too late.',
    });
    const won = await leadAfter({ former: 2, status: 'won', amount: 1 });
    expect(won).toMatchObject({
      status: 'won',
      changes: [{ status: 'won' }, { status: 'lost' }, { status: 'meeting' }],
    });
  });

  test.each(['nothing_yet', 'opportunity'])(
    'of %s after a won or lost deal sets the lead to meeting',
    async (status) => {
      const { leadAfter } = await newLeadWithMeeting();
      await leadAfter({ status: 'won', amount: 1 });
      expect(await leadAfter({ former: 1, status: 'won', amount: 2 })).toMatchObject({ status: 'won' });
      expect(await leadAfter({ former: 2, status })).toMatchObject({
        status: 'meeting',
        changes: [{ status: 'meeting' }, { status: 'won' }, { status: 'meeting' }],
      });
      await leadAfter({ former: 3, status: 'lost', reason: 'Too late.' });
      expect(await leadAfter({ former: 4, status })).toMatchObject({ status: 'meeting', reason: '' });
    },
  );

  test('of a lost deal after a won one sets the lead to lost', async () => {
    const { leadAfter } = await newLeadWithMeeting();
    await leadAfter({ status: 'won', amount: 1 });
    expect(await leadAfter({ former: 1, status: 'lost', reason: 'No.' })).toMatchObject({
      status: 'lost',
      reason: 'No.',
    });
  });

  test.each([
    { status: 'nothing_yet' },
    { status: 'opportunity' },
    { status: 'lost', reason: 'No.' },
    { status: 'won', amount: 2 },
  ])('of $status after a won deal does not change a lead that someone has changed since', async (correction) => {
    const { leadAfter, setLead } = await newLeadWithMeeting();
    await leadAfter({ status: 'won', amount: 1 });
    await setLead('won', 'taken');
    expect(await leadAfter({ former: 1, ...correction })).toMatchObject({ status: 'taken' });
  });

  test('that corrects a won deal does not change a lead that was won earlier or through another meeting', async () => {
    const byHand = await newLeadWithMeeting();
    await byHand.setLead('meeting', 'won');
    await byHand.leadAfter({ status: 'won', amount: 1 });
    expect(await byHand.leadAfter({ former: 1 })).toMatchObject({ status: 'won' });
    const { leadId, leadAfter, leadNow } = await newLeadWithMeeting();
    await leadAfter({ status: 'won', amount: 1 });
    const second = await newMeeting(fjell, { leadId });
    await reportResult(fjell.member.client, fjell, { id: second, status: 'won', amount: 1 }).throwOnError();
    expect(await leadAfter({ former: 1 })).toMatchObject({ status: 'won' });
    expect(await leadNow()).toMatchObject({ status: 'won' });
  });

  test('of a meeting in a closed month is accepted and does not change its sheet', async () => {
    const nes = await newClient(site, admin, 'Nes AS', NOON);
    const id = await newMeeting(nes, { age: 70 });
    const month = (
      await query(
        `select date_trunc('month', starts_at)::date::text as day from public.client_meetings where id = $1`,
        [id],
      )
    )[0];
    await nes.worker.client
      .rpc('close_meeting_month', { _client_id: nes.id, _first_day: month?.['day'] })
      .throwOnError();
    const readSheets = () =>
      query('select sheet, hash from public.client_meeting_months where client_id = $1', [nes.id]);
    const before = await readSheets();
    expect(before).toHaveLength(1);
    await reportResult(nes.member.client, nes, { id, status: 'won', amount: 1 }).throwOnError();
    expect(await readSheets()).toEqual(before);
  });
});

describe('A result', () => {
  const readAwaitedResults = async (client: TestClient) => {
    const { data } = await client.member.client.rpc('client_home', { _client_id: client.id }).throwOnError();
    return data.waiting.filter(({ kind }: { kind: string }) => kind === 'result');
  };

  test('is awaited from 30 days after the meeting until it is reported, and again after 60 and 90 days', async () => {
    const bre = await newClient(site, admin, 'Bre AS', NOON);
    const id = await newMeeting(bre, { age: 29 });
    expect(await readAwaitedResults(bre)).toEqual([]);
    let former = 0;
    for (const days of [30, 60, 90]) {
      await setAge(id, days);
      expect(await readAwaitedResults(bre)).toEqual([{ kind: 'result', id, title: 'Kari, Kunde AS', due_on: null }]);
      expect(await readMeeting(bre.member.client, id, bre)).toMatchObject({ is_awaited: true });
      const { data: overview } = await bre.worker.client.rpc('team_overview').throwOnError();
      expect(overview).toMatchObject([{ id: bre.id, waits_for_client: 1 }]);
      await reportResult(bre.member.client, bre, { id, former }).throwOnError();
      former += 1;
      expect(await readAwaitedResults(bre)).toEqual([]);
      expect(await readMeeting(bre.member.client, id, bre)).toMatchObject({ is_awaited: false });
      await query(
        `update public.client_meeting_results set created_at = now() - interval '10 days' where meeting_id = $1`,
        [id],
      );
    }
    await setAge(id, 121);
    expect(await readAwaitedResults(bre)).toEqual([]);
  });

  test('is no longer awaited once the deal is won or lost', async () => {
    const bre = await newClient(site, admin, 'Bre AS', NOON);
    const id = await newMeeting(bre, { age: 30 });
    await reportResult(bre.member.client, bre, { id, status: 'lost', reason: 'Too late.' }).throwOnError();
    await query(
      `update public.client_meeting_results set created_at = now() - interval '40 days' where meeting_id = $1`,
      [id],
    );
    await setAge(id, 60);
    expect(await readAwaitedResults(bre)).toEqual([]);
  });

  test('is awaited only for held meetings that are not disputed and can no longer be disputed', async () => {
    const bre = await newClient(site, admin, 'Bre AS', NOON);
    await newMeeting(bre, { age: 30, outcome: 'no_show' });
    const [accepted, disputed, open] = [
      await newMeeting(bre, { age: 30 }),
      await newMeeting(bre, { age: 30 }),
      await newMeeting(bre, { age: 30 }),
    ];
    await query(`update public.client_meetings set answer = 'accepted' where id = $1`, [accepted]);
    await query(`update public.client_meetings set answer = 'disputed', reason = 'No.' where id = $1`, [disputed]);
    await query(`update public.client_meetings set answer_until = now() + interval '1 day' where id = $1`, [open]);
    expect(await readAwaitedResults(bre)).toMatchObject([{ id: accepted }]);
  });
});

describe('Emails', () => {
  interface RequestMail {
    recipient: string;
    variables: { Email: string; Items: { text: string; path: string }[] };
  }
  const isDue = async () => (await query('select private.mail_next_meeting_results() as was_due'))[0]?.['was_due'];
  /** Returns the emails since the last call. The background job of the test backend may have queued them. */
  const takeMails = async () => {
    while (await isDue());
    return query<RequestMail>('delete from private.sent_requests returning recipient, variables');
  };
  /** Moves all meetings of a client in one statement, so that the background job sees the changes together. */
  const setAges = (days: Record<string, number>) =>
    query(
      `update public.client_meetings as meeting set starts_at = now() - make_interval(days => days.value::integer)
       from jsonb_each_text($1::jsonb) as days where meeting.id = days.key::uuid`,
      [JSON.stringify(days)],
    );
  const deleteAll = () =>
    query('delete from public.client_meetings where not private.is_meeting_closed(client_id, starts_at)');
  const backdateRequests = () => query(`update private.result_requests set asked_at = asked_at - interval '1 day'`);

  beforeAll(async () => {
    // Mails are delivered and deleted while the test runs, so they are recorded.
    await query('create table private.sent_requests (recipient text, variables jsonb)');
    await query(`create function private.note_request() returns trigger language plpgsql as $$
      begin insert into private.sent_requests values (new.recipient, new.variables); return null; end $$`);
    await query(`create trigger note_request after insert on private.mail_queue for each row
      when (new.template = 'meeting_results') execute function private.note_request()`);
    await deleteAll();
    await query('delete from private.sent_requests');
  });

  test('ask each approver once per step, in one email a day for all clients', async () => {
    const eid = await newClient(site, admin, 'Eid AS', NOON);
    const both = await site.signedIn('client');
    for (const client_id of [fjell.id, eid.id]) {
      await site.service.from('client_members').insert({ client_id, user_id: both.id }).throwOnError();
    }
    const first = await newMeeting(fjell, { name: 'Kari, Kunde AS' });
    const second = await newMeeting(eid, { name: 'Ola, Fri AS' });
    await setAges({ [first]: 31, [second]: 30, [await newMeeting(eid)]: 29 });
    const item = ({ id: client_id }: TestClient, client: string, text: string) => ({
      client_id,
      text,
      detail: expect.stringMatching(new RegExp(`^\\d{1,2} [A-Z][a-z]+ \\d{4}, for ${client}$`)),
      action: 'Add result',
      path: expect.stringMatching(/^\/result\/[0-9a-f]{64}$/),
    });
    const [ofFjell, ofEid] = [item(fjell, 'Fjell AS', 'Kari, Kunde AS'), item(eid, 'Eid AS', 'Ola, Fri AS')];
    const mails = await takeMails();
    expect(mails).toHaveLength(3);
    expect(mails).toEqual(
      expect.arrayContaining([
        { recipient: both.email, variables: { Email: both.email, Items: [ofEid, ofFjell] } },
        { recipient: fjell.member.email, variables: { Email: fjell.member.email, Items: [ofFjell] } },
        { recipient: eid.member.email, variables: { Email: eid.member.email, Items: [ofEid] } },
      ]),
    );
    await setAge(second, 60);
    expect(await takeMails()).toEqual([]);
    await backdateRequests();
    expect((await takeMails()).map(({ recipient }) => recipient).sort()).toEqual([both.email, eid.member.email].sort());
    await backdateRequests();
    expect(await takeMails()).toEqual([]);
    await deleteAll();
  });

  test('do not go to viewers, to people who switched them off, to banned people or about a sample client', async () => {
    const moss = await newClient(site, admin, 'Moss AS', NOON);
    const [reader, quiet, banned] = [
      await site.signedIn('client'),
      await site.signedIn('client'),
      await site.signedIn('client'),
    ];
    for (const member of [
      { user_id: reader.id, kind: 'viewer' },
      { user_id: quiet.id, notifications: ['report', 'lead'] },
      { user_id: banned.id },
    ]) {
      await site.service
        .from('client_members')
        .insert({ client_id: moss.id, ...member })
        .throwOnError();
    }
    await site.service.auth.admin.updateUserById(banned.id, { ban_duration: '1h' });
    await newMeeting(moss, { age: 30 });
    await query('update public.clients set is_sample = true where id = $1', [moss.id]);
    expect(await takeMails()).toEqual([]);
    await query('update public.clients set is_sample = false where id = $1', [moss.id]);
    expect((await takeMails()).map(({ recipient }) => recipient)).toEqual([moss.member.email]);
    await deleteAll();
  });

  test('list at most 20 meetings', async () => {
    const odda = await newClient(site, admin, 'Odda AS', NOON);
    const ids: string[] = [];
    for (let count = 0; count < 23; count += 1) ids.push(await newMeeting(odda));
    await setAges(Object.fromEntries(ids.map((id) => [id, 30])));
    const items = (await takeMails())[0]?.variables.Items ?? [];
    expect(items).toHaveLength(21);
    expect(items[20]).toEqual({ text: 'And 3 more', path: '/client-dashboard' });
    await backdateRequests();
    expect(await takeMails()).toEqual([]);
  });
});
