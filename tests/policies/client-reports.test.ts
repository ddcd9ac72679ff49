/** Reports. Tests when they are created, who can read and approve them, and that a sent report never changes. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { SqlValue } from '../../packages/backend/src/database/database.ts';
import { mailsTo, nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
/** First day of a week that has ended. */
const WEEK = '2026-01-05';

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
/** ID of a sent report of Fjell AS. */
let sentId: string;
/** ID of a draft of Fjell AS. */
let draftId: string;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
  await importFigures(fjell, WEEK, { delivered: 90, replies: 9, meetings: 2 });
  sentId = await newReport(fjell, WEEK);
  await approveReport(fjell.worker.client, fjell, sentId).then(({ error }) => expect(error).toBeNull());
  draftId = await newReport(fjell, '2026-01-12');
});
afterAll(() => site.close());

/** Imports figures of the week, or of another `period`, that starts on `day`. */
async function importFigures(client: TestClient, day: string, values: Record<string, number>, period = 'week') {
  const _file = { name: `${day}.csv`, hash: 'a'.repeat(64), period, column_map: {}, refused: 0 };
  const _rows = [{ line: 2, campaign: client.campaign, day, values }];
  await admin.rpc('import_figures', { _client_id: client.id, _file, _rows, _is_dry_run: false }).throwOnError();
}

function startReport(caller: SupabaseClient, { id }: TestClient, first: string, span = 'week') {
  return caller.rpc('start_client_report', { _client_id: id, _span: span, _first_day: first });
}

async function newReport(client: TestClient, first: string, span?: string): Promise<string> {
  return (await startReport(client.worker.client, client, first, span).throwOnError()).data;
}

async function readReport(caller: SupabaseClient, id: string) {
  return (await caller.rpc('client_report', { _id: id })).data;
}

async function approveReport(caller: SupabaseClient, { id }: TestClient, _id: string, contentHash?: string) {
  const _content_hash = contentHash ?? (await readReport(admin, _id)).content_hash;
  return caller.rpc('approve_client_report', { _client_id: id, _id, _content_hash });
}

function saveSummary(
  caller: SupabaseClient,
  { id }: TestClient,
  _id: string,
  _summary: string,
  _expected_summary = '',
) {
  return caller.rpc('save_report_summary', { _client_id: id, _id, _summary, _expected_summary });
}

const FUNCTIONS = {
  discard: 'discard_client_report',
  correct: 'correct_client_report',
} as const;

function change(action: keyof typeof FUNCTIONS, caller: SupabaseClient, { id }: TestClient, _id: string) {
  return caller.rpc(FUNCTIONS[action], { _client_id: id, _id });
}

async function readStoredReport(id: string) {
  return (await site.service.from('client_reports').select().eq('id', id).maybeSingle()).data;
}

/** Queries the database as its owner, which bypasses policies. */
async function query<Row extends object>(sql: string, values: SqlValue[] = []): Promise<Row[]> {
  return (await site.backend.database.query<Row>(sql, values)).rows;
}

/** Expects that `caller` cannot read or change the reports of Fjell AS. */
async function expectNoAccess(caller: SupabaseClient) {
  const before = (await site.service.from('client_reports').select().order('id')).data;
  expect((await caller.from('client_reports').select().eq('client_id', fjell.id)).data ?? []).toEqual([]);
  expect(await readReport(caller, sentId)).toBeNull();
  expect(await readReport(caller, draftId)).toBeNull();
  expect((await caller.rpc('check_client_reports', { _client_id: fjell.id })).error?.code).toBe('42501');
  await expectNoChanges(caller);
  expect((await site.service.from('client_reports').select().order('id')).data).toEqual(before);
}

async function expectNoChanges(caller: SupabaseClient) {
  expect((await startReport(caller, fjell, '2026-01-19')).error?.code).toBe('42501');
  expect((await approveReport(caller, fjell, draftId)).error?.code).toBe('42501');
  expect((await saveSummary(caller, fjell, draftId, 'Mine')).error?.code).toBe('42501');
  for (const action of ['discard', 'correct'] as const) {
    expect((await change(action, caller, fjell, action === 'correct' ? sentId : draftId)).error?.code).toBe('42501');
  }
}

test.each(capitalizedRoles(OUTSIDERS))(
  '%s without an assigned client cannot read, write or approve reports',
  async (_label, role) => {
    await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
  },
);

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot read, write or approve reports',
  async (_label, role) => {
    const { client } = havn[role];
    await expectNoAccess(client);
    // The caller's own client ID gives no access either.
    expect((await approveReport(client, havn, draftId)).error).not.toBeNull();
    expect((await saveSummary(client, havn, draftId, 'Mine')).error).not.toBeNull();
    expect((await change('correct', client, havn, sentId)).error).not.toBeNull();
  },
);

test('A member can read sent reports, but cannot read drafts or change reports', async () => {
  const { client } = fjell.member;
  expect((await client.from('client_reports').select('id')).data).toEqual([{ id: sentId }]);
  expect(await readReport(client, sentId)).toMatchObject({
    may_change: false,
    is_genuine: true,
    approved_by: '',
    content_hash: null,
  });
  expect(await readReport(client, draftId)).toBeNull();
  await expectNoChanges(client);
});

test('Team members and admins can start, write, discard, approve and correct reports', async () => {
  for (const [caller, first] of [
    [fjell.worker.client, '2026-02-02'],
    [admin, '2026-02-09'],
  ] as const) {
    const id = (await startReport(caller, fjell, first).throwOnError()).data;
    expect((await startReport(caller, fjell, first)).data).toBe(id);
    expect((await saveSummary(caller, fjell, id, ' Good. ')).error).toBeNull();
    expect((await saveSummary(caller, fjell, id, 'Bad.')).error?.message).toContain(
      'A colleague has changed the summary',
    );
    expect(await readReport(caller, id)).toMatchObject({
      summary: 'Good.',
      may_change: true,
      is_summary_current: true,
    });
    expect((await change('discard', caller, fjell, id)).error).toBeNull();
    expect((await approveReport(caller, fjell, id)).error?.message).toBe('This draft was discarded.');
    // Starting a discarded report again restores it with an empty summary.
    expect((await startReport(caller, fjell, first)).data).toBe(id);
    expect(await readStoredReport(id)).toMatchObject({ discarded_at: null, summary: '' });
    expect((await approveReport(caller, fjell, id)).error).toBeNull();
    const correction = (await change('correct', caller, fjell, id).throwOnError()).data;
    expect((await change('correct', caller, fjell, id)).data).toBe(correction);
    expect((await change('discard', caller, fjell, correction)).error).toBeNull();
    expect(await readStoredReport(correction)).toBeNull();
  }
});

test('Reports cannot be inserted, updated or deleted without the functions', async () => {
  const row = { client_id: fjell.id, span: 'week', first_day: WEEK, last_day: '2026-01-11', figures: {} };
  for (const caller of [fjell.member.client, fjell.worker.client, admin]) {
    expect((await caller.from('client_reports').insert(row)).error?.code).toBe('42501');
    expect((await caller.from('client_reports').update({ summary: 'x' }).eq('id', draftId)).error?.code).toBe('42501');
    expect((await caller.from('client_reports').delete().eq('id', draftId)).error?.code).toBe('42501');
  }
});

describe('A report', () => {
  test('has the sums of its period and of the previous period, and their sources', async () => {
    const client = await newClient(site, admin, 'Sums AS');
    await admin.from('clients').update({ meetings_goal: 10 }).eq('id', client.id).throwOnError();
    await importFigures(client, '2026-03-02', { delivered: 50, meetings: 1 });
    await importFigures(client, '2026-03-09', { delivered: 70, meetings: 2 });
    const { figures } = await readReport(admin, await newReport(client, '2026-03-09'));
    expect(figures.result).toEqual([
      { metric: 'delivered', value: 70, before: 50 },
      { metric: 'meetings', value: 2, before: 1 },
    ]);
    expect(figures.meetings).toEqual({ held: 0, no_show: 0, booked: 2, disputed: 0 });
    expect(figures.goals).toEqual([{ metric: 'meetings', goal: 10, value: 3 }]);
    expect(figures.campaigns).toEqual([
      { name: 'Campaign of Sums AS', channel: 'email', figures: { delivered: 70, meetings: 2 } },
    ]);
    expect(figures.imports).toMatchObject([{ file: '2026-03-09.csv', hash: 'a'.repeat(64) }]);
    expect(figures.wishes).toEqual([{ kind: 'leave_alone', name: '', due_on: null }]);
    const month = await readReport(admin, await newReport(client, '2026-03-01', 'month'));
    expect(month).toMatchObject({ first_day: '2026-03-01', last_day: '2026-03-31' });
    expect(month.figures.result[0]).toEqual({ metric: 'delivered', value: 120, before: null });
    expect(figures.weeks).toHaveLength(12);
    expect(figures.weeks[0]).toEqual({ first_day: '2025-12-22', figures: {} });
    expect(figures.weeks.slice(-2)).toEqual([
      { first_day: '2026-03-02', figures: { delivered: 50, meetings: 1 } },
      { first_day: '2026-03-09', figures: { delivered: 70, meetings: 2 } },
    ]);
    // 29 March is the last Sunday of the month.
    expect(month.figures.weeks.at(-1)).toEqual({ first_day: '2026-03-23', figures: {} });
  });

  test('lists the changes within its period and ignores later ones', async () => {
    const client = await newClient(site, admin, 'Changing AS');
    const laterCampaign = { client_id: client.id, name: 'Later', channel: 'email' };
    await admin.from('campaigns').insert(laterCampaign).throwOnError();
    await site.service
      .from('campaigns')
      .update({ created_at: '2026-04-01T00:00Z' })
      .eq('id', client.campaign)
      .throwOnError();
    const addVersion = (number: number, at: string, phase: string, action = 'changed') =>
      query(
        `insert into public.campaign_versions (client_id, campaign_id, number, action, campaign, created_at)
         values ($1, $2, $3, $4, jsonb_build_object('phase', $5::text), $6)`,
        [client.id, client.campaign, number, action, phase, at],
      );
    await query('delete from public.campaign_versions where client_id = $1', [client.id]);
    await addVersion(1, '2026-04-01', 'planned', 'created');
    // The phase is changed and reverted in the first week, and changed in the second. The campaign is deleted in the third.
    await addVersion(2, '2026-04-07', 'paused');
    await addVersion(3, '2026-04-08', 'planned');
    await addVersion(4, '2026-04-14', 'running');
    await addVersion(5, '2026-04-21', 'done', 'deleted');
    const readChanges = async (first: string) =>
      (await readReport(admin, await newReport(client, first))).figures.changes;
    const name = 'Campaign of Changing AS';
    expect(await readChanges('2026-03-30')).toEqual([{ kind: 'added', name, detail: 'planned' }]);
    expect(await readChanges('2026-04-06')).toEqual([]);
    expect(await readChanges('2026-04-13')).toEqual([{ kind: 'phase', name, detail: 'running' }]);
    expect(await readChanges('2026-04-20')).toEqual([{ kind: 'ended', name, detail: 'done' }]);
    expect(await readChanges('2026-04-27')).toEqual([]);
  });

  test('must start at the beginning of a week or month that has ended', async () => {
    expect((await startReport(admin, havn, '2026-01-06')).error?.message).toContain(
      'must be the start of a week or month',
    );
    expect((await startReport(admin, havn, '2026-01-02', 'month')).error?.message).toContain(
      'must be the start of a week or month',
    );
    expect((await startReport(admin, havn, '2999-01-07')).error?.message).toContain('a period that has ended');
    expect((await startReport(admin, havn, WEEK, 'year')).error).not.toBeNull();
  });

  test('cannot be approved if it has changed since it was read', async () => {
    const id = await newReport(havn, '2026-01-19');
    const { content_hash: contentHash } = await readReport(admin, id);
    await saveSummary(admin, havn, id, 'Changed after it was read.').throwOnError();
    expect((await approveReport(admin, havn, id, contentHash)).error?.message).toContain('has changed');
    expect(await readStoredReport(id)).toMatchObject({ hash: null });
  });

  test('has current figures until it is approved, and an outdated summary blocks the approval', async () => {
    const client = await newClient(site, admin, 'Current AS');
    const id = await newReport(client, WEEK);
    const before = await readReport(admin, id);
    await importFigures(client, WEEK, { replies: 5 });
    expect((await approveReport(admin, client, id, before.content_hash)).error?.message).toContain('has changed');
    const findReplies = ({ figures }: { figures: { result: { metric: string }[] } }) =>
      figures.result.find(({ metric }) => metric === 'replies');
    expect(findReplies(await readReport(admin, id))).toMatchObject({ value: 5 });
    // Starting the report again opens the same draft with the current figures.
    expect(await newReport(client, WEEK)).toBe(id);

    await saveSummary(admin, client, id, 'Five replies.').throwOnError();
    await importFigures(client, WEEK, { replies: 8 });
    expect(await readReport(admin, id)).toMatchObject({ is_summary_current: false });
    expect((await approveReport(admin, client, id)).error?.message).toContain('Check the summary and save it again');
    await saveSummary(admin, client, id, 'Eight replies.', 'Five replies.').throwOnError();
    expect(await readReport(admin, id)).toMatchObject({ is_summary_current: true });
    expect((await approveReport(admin, client, id)).error).toBeNull();
    expect(findReplies(await readReport(client.member.client, id))).toMatchObject({ value: 8 });
  });

  test('cannot be changed after it was sent, and a correction refers to it', async () => {
    const client = await newClient(site, admin, 'Frozen AS');
    await importFigures(client, WEEK, { replies: 5 });
    const id = await newReport(client, WEEK);
    await approveReport(admin, client, id).then(({ error }) => expect(error).toBeNull());
    const before = await readStoredReport(id);
    await importFigures(client, WEEK, { replies: 8 });
    expect((await saveSummary(admin, client, id, 'Better')).error?.message).toContain('cannot be changed');
    expect((await change('discard', admin, client, id)).error?.message).toContain('cannot be changed');
    expect((await startReport(admin, client, WEEK)).error?.message).toContain('Open it and correct it');
    for (const row of [{ summary: 'x' }, { hash: null }, { approved_by: client.worker.id }, { figures: {} }]) {
      expect((await site.service.from('client_reports').update(row).eq('id', id)).error?.message).toContain(
        'cannot be changed',
      );
    }
    expect((await site.service.from('client_reports').delete().eq('id', id)).error?.message).toContain(
      'cannot be changed',
    );
    expect(await readStoredReport(id)).toEqual(before);

    const correction = (await change('correct', admin, client, id).throwOnError()).data;
    expect(await readReport(client.member.client, id)).toMatchObject({ corrected_by: null });
    await approveReport(admin, client, correction).then(({ error }) => expect(error).toBeNull());
    expect(await readReport(client.member.client, id)).toMatchObject({ corrected_by: correction, is_genuine: true });
    const correctedReport = await readReport(client.member.client, correction);
    expect(correctedReport).toMatchObject({ corrects: id });
    expect(correctedReport.figures.result).toContainEqual({ metric: 'replies', value: 8, before: null });
    expect((await admin.rpc('check_client_reports', { _client_id: client.id })).data).toEqual([]);
    // Deleting the approver's account keeps the report. Deleting the client deletes the report.
    await query('delete from auth.users where id = $1', [before?.['approved_by']]);
    expect(await readStoredReport(id)).toMatchObject({ approved_by: null, hash: before?.['hash'] });
    await site.service.from('clients').delete().eq('id', client.id).throwOnError();
    expect(await readStoredReport(id)).toBeNull();
    admin = (await site.signedIn('admin')).client;
  });

  test('is mailed to the members of the client with its hash and three figures', async () => {
    const client = await newClient(site, admin, 'Mailed AS');
    await importFigures(client, '2025-12-29', { replies: 3 });
    await importFigures(client, WEEK, { sent: 1500, delivered: 1400, replies: 5 });
    const id = await newReport(client, WEEK);
    await saveSummary(client.worker.client, client, id, 'A calm week.\nMore to come.').throwOnError();
    const { data: hash } = await approveReport(client.worker.client, client, id);
    const mail = await nextMail(site.dataFolder, client.member.email);
    expect(mail.subject).toBe('Report for Mailed AS, 5 January to 11 January 2026');
    expect(mail.text).toContain(hash);
    expect(mail.text).toContain('A calm week.');
    expect(mail.text).toContain(
      '0 meetings booked\n0 the week before\n\n5 replies\n+2 from 3 the week before\n\n1,400 messages delivered\nno figure the week before',
    );
    expect(mail.text).not.toContain('1,500');
    expect(mail.text).toContain(`/reports/${id}`);
    for (const user of [havn.member, client.worker]) expect(await mailsTo(site.dataFolder, user.email)).toEqual([]);
  });
});

test('The check of reports finds each of twenty forged figures and a forged hash', async () => {
  const client = await newClient(site, admin, 'Honest AS');
  for (const [index, first] of ['2026-01-05', '2026-01-12', '2026-01-19'].entries()) {
    await importFigures(client, first, { delivered: 40 + index, replies: 7, positive_replies: 3, meetings: 2 });
    const id = await newReport(client, first);
    await approveReport(admin, client, id).then(({ error }) => expect(error).toBeNull());
  }
  const checkReports = async () =>
    (await client.member.client.rpc('check_client_reports', { _client_id: client.id })).data;
  expect(await checkReports()).toEqual([]);
  const reports = await query<{ id: string; figures: { result: { value: number | null }[] } }>(
    'select id, figures from public.client_reports where client_id = $1 order by first_day',
    [client.id],
  );
  await query('alter table public.client_reports disable trigger guard_sent');
  let forgeryCount = 0;
  for (const { id, figures } of reports) {
    for (const index of figures.result.keys()) {
      for (const forge of [(value: number) => value + 1, (value: number) => value * 10]) {
        if (forgeryCount === 20) break;
        forgeryCount += 1;
        const forgedFigures = structuredClone(figures);
        const entry = forgedFigures.result[index];
        if (entry) entry.value = forge(entry.value ?? 0);
        await query('update public.client_reports set figures = $1 where id = $2', [forgedFigures, id]);
        expect(await checkReports(), `${id} ${index}`).toMatchObject([{ id }]);
        expect(await readReport(client.member.client, id)).toMatchObject({ is_genuine: false });
        await query('update public.client_reports set figures = $1 where id = $2', [figures, id]);
      }
    }
  }
  expect(forgeryCount).toBe(20);
  expect(await checkReports()).toEqual([]);
  // The hash matches the forged figures, but the next report still has the original hash.
  await query(
    `update public.client_reports set figures = '{}', hash = private.report_hash(jsonb_populate_record(client_reports, '{"figures": {}}'))
     where id = $1`,
    [reports[0]?.id],
  );
  expect(await checkReports()).toMatchObject([
    { id: reports[1]?.id, problem: expect.stringContaining('missing or was changed') },
  ]);
  await query('alter table public.client_reports enable trigger guard_sent');
});

describe('The weekly report', () => {
  test.each([
    ['Europe/Oslo', 1, 8],
    ['Europe/Oslo', 7, 2],
    ['Asia/Shanghai', 1, 8],
    ['America/Los_Angeles', 1, 0],
    ['America/Los_Angeles', 7, 2],
  ])('is due once a week in %s on weekday %i at %i local time, across both clock changes', async (zone, day, hour) => {
    // Every 15 minutes in the weeks around the clock changes of 2026 in all zones, and every hour between them.
    const rows = await query<{ week: string; before: string; local: string; weekday: number }>(
      `select * from (
        select due.week::text, lag(due.week::text) over (order by moment) as before,
          to_char(moment at time zone $1, 'HH24:MI') as local, extract(isodow from moment at time zone $1)::integer as weekday
        from generate_series('2026-02-20 00:00+00'::timestamptz, '2026-11-20 00:00+00', interval '15 minutes') as moment,
          lateral (select private.due_report_week(jsonb_populate_record(null::public.clients, jsonb_build_object(
            'time_zone', $1::text, 'first_weekday', 1, 'report_weekday', $2::integer, 'report_hour', $3::integer)), moment)) as due (week)
        where extract(minute from moment) = 0 or moment < '2026-04-10' or moment > '2026-10-10'
      ) as checks where before <> week`,
      [zone, day, hour],
    );
    expect(rows.length).toBe(39);
    for (const { week, before, weekday } of rows) {
      expect(Date.parse(week) - Date.parse(before)).toBe(7 * 24 * 60 * 60 * 1000);
      expect(weekday).toBe(day);
    }
    const unexpected = rows.filter(({ local }) => local !== `${String(hour).padStart(2, '0')}:00`);
    // 02:00 does not exist on the day when the clocks go forward.
    expect(unexpected.map(({ local }) => local)).toEqual(hour === 2 ? ['03:00'] : []);
  });

  /** Makes the report of last week due today, and returns the first day of that week. */
  async function makeDue({ id }: TestClient): Promise<string> {
    const due = { report_weekday: new Date().getUTCDay() || 7, report_hour: 0, time_zone: 'UTC' };
    await admin.from('clients').update(due).eq('id', id).throwOnError();
    const [row] = await query<{ week: string }>(
      'select private.due_report_week(clients)::text as week from public.clients where id = $1',
      [id],
    );
    return row?.week ?? '';
  }

  test('is not created for a new client until the week has figures', async () => {
    const client = await newClient(site, admin, 'New AS');
    const week = await makeDue(client);
    const readDrafts = async () =>
      (await site.service.from('client_reports').select('first_day').eq('client_id', client.id)).data;
    await query('select private.make_next_due_report()');
    expect(await readDrafts()).toEqual([]);
    await importFigures(client, week, { replies: 3 });
    await query('select private.make_next_due_report()');
    // The server, which is notified, may be creating the report at the same time.
    await expect.poll(readDrafts).toEqual([{ first_day: week }]);
  });

  test('is created only once for each client with a report day, and not again after it was discarded', async () => {
    const client = await newClient(site, admin, 'Weekly AS');
    await query(`update public.clients set created_at = now() - interval '30 days' where id = $1`, [client.id]);
    await makeDue(client);
    const readReports = async () =>
      (await site.service.from('client_reports').select('id, span, sent_at, figures').eq('client_id', client.id))
        .data ?? [];
    // The report is created either by one of these calls or by the server, which is notified and may take longer.
    await Promise.all([1, 2, 3, 4].map(() => query('select private.make_next_due_report()')));
    await expect
      .poll(readReports)
      .toMatchObject([{ span: 'week', sent_at: null, figures: { client: { name: 'Weekly AS' } } }]);
    const [report] = await readReports();
    await change('discard', admin, client, report?.['id']).throwOnError();
    await query('select private.make_next_due_report()');
    expect(await readReports()).toHaveLength(1);
    expect((await query('select from public.client_reports where client_id = $1', [havn.id])).length).toBe(1);
  });

  test.each([
    'run_due_job',
    'send_monday_list',
    'team_tasks',
    'make_next_due_report',
    'claim_requested_summary',
    'store_requested_summary',
    'report_figures',
  ])('cannot be created through the API, which does not expose %s', async (name) => {
    for (const caller of [site.visitor, fjell.worker.client, admin]) {
      expect((await caller.schema('private').rpc(name)).error).not.toBeNull();
    }
  });
});

describe('The Monday list', () => {
  const MONDAY = '2031-03-03';
  const send = async (time: string) =>
    (await query<{ was_sent: boolean }>('select private.send_monday_list($1::timestamptz) as was_sent', [time]))[0]
      ?.was_sent;

  test("is sent once on Monday, with links to the drafts and tasks of each recipient's clients", async () => {
    const [nes, elv] = [await newClient(site, admin, 'Monday AS'), await newClient(site, admin, 'Other AS')];
    const adminUser = await site.signedIn('admin');
    const report = await newReport(nes, WEEK);
    const request = { _client_id: nes.id, _title: 'First mail', _text: 'Hello.' };
    const approval = (await nes.worker.client.rpc('ask_for_approval', request).throwOnError()).data;
    const decision = { _client_id: nes.id, _approval_id: approval, _number: 1, _verdict: 'no', _comment: 'Shorter.' };
    await nes.member.client.rpc('decide_approval', decision).throwOnError();
    const otherRequest = { _client_id: elv.id, _title: 'Waits for them', _text: 'Hello.' };
    await elv.worker.client.rpc('ask_for_approval', otherRequest).throwOnError();

    expect(await send(`${MONDAY} 08:59 Europe/Oslo`)).toBe(false);
    expect(await send(`${MONDAY} 09:00 Europe/Oslo`)).toBe(true);
    expect(await send(`${MONDAY} 09:01 Europe/Oslo`)).toBe(false);
    const readMondayMails = async (email: string) =>
      (await mailsTo(site.dataFolder, email)).filter(({ subject }) => subject.startsWith('Your Monday list'));
    await vi.waitFor(async () => {
      expect(await query(`select from private.mail_queue where template = 'monday_list'`)).toEqual([]);
    }, 120_000);
    const [mail] = await readMondayMails(nes.worker.email);
    expect(mail?.subject).toBe('Your Monday list: 2 tasks');
    expect(mail?.text).toMatch(
      new RegExp(`Monday AS\\s+Draft report:\\s+\\S+/reports/${report}\\?from=mail\\s+5 January to 11 January 2026\\s`),
    );
    expect(mail?.text).toMatch(
      /First mail:\s+\S+\s+Approval declined\s+Open the list:\s+\S+\/team-dashboard\?from=mail\s/,
    );
    expect(mail?.text).toContain(`/team-dashboard/clients/${nes.id}?from=mail#approval-${approval}`);
    // An admin gets the tasks of all clients. A team member without tasks and a member get no mail.
    const [adminMail] = await readMondayMails(adminUser.email);
    expect(adminMail?.text).toContain(`/admin/clients/${nes.id}?from=mail#approval-${approval}`);
    expect(await readMondayMails(elv.worker.email)).toEqual([]);
    expect(await readMondayMails(nes.member.email)).toEqual([]);
  });

  test('is not sent after Tuesday', async () => {
    expect(await send('2031-03-12 09:00 Europe/Oslo')).toBe(false);
  });
});
