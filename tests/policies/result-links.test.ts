/**
 * Email links that report the result of one meeting for one approver. Tests the rights of the link's holder and the
 * expiry.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { keepMailsQueued, startTestBackend, type TestBackend } from '../support/test-backend.ts';

type Member = Awaited<ReturnType<TestBackend['signedIn']>>;

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;

const [HOLDER, OTHER_HOLDER] = ['a'.repeat(64), 'b'.repeat(64)];
const EXPIRED = 'This link has expired, or the result was reported in the meantime. Sign in to see your meetings.';
const OTHER_BROWSER = 'This link was opened in another browser. Use that one, or sign in.';
const OUTDATED = 'Someone else has already reported a result of this meeting. Reload the page to read it.';

beforeAll(async () => {
  site = await startTestBackend();
  await keepMailsQueued(site);
  // Stop the background job, so that only the tests queue these mails.
  await query(`alter function private.mail_next_meeting_results() rename to mail_next_results_in_test`);
  await query(`create function private.mail_next_meeting_results() returns boolean language sql as 'select false'`);
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
});
afterAll(() => site.close());

const query = async <Row extends object>(sql: string, parameters: string[] = []) =>
  (await site.backend.database.query<Row>(sql, parameters)).rows;

/** Adds a meeting that was held 40 days ago, and returns it with the tokens from the mails by recipient. */
async function requestResult(client: TestClient = fjell): Promise<{ id: string; tokens: Map<string, string> }> {
  const _starts_at = new Date(Date.now() - 40 * 86_400_000).toISOString();
  const meeting = { _client_id: client.id, _starts_at, _met_with: 'Kari, Kunde AS', _outcome: 'held' };
  const { data: id } = await client.worker.client.rpc('save_client_meeting', meeting).throwOnError();
  await query(`update public.client_meetings set answer_until = starts_at where id = $1`, [id]);
  await query(`update private.result_requests set asked_at = asked_at - interval '2 days'`);
  let isQueued = true;
  while (isQueued) {
    const [row] = await query<{ queued: boolean }>('select private.mail_next_results_in_test() as queued');
    isQueued = row?.queued ?? false;
  }
  const mails = await query<{ recipient: string; path: string }>(
    `with taken as (delete from private.mail_queue where template = 'meeting_results' returning *)
     select recipient, variables -> 'Items' -> 0 ->> 'path' as path from taken`,
  );
  return { id, tokens: new Map(mails.map(({ recipient, path }) => [recipient, path.replace('/result/', '')])) };
}

/** Adds a meeting, and returns it with the token of the member of Fjell AS. */
async function newLink(): Promise<{ id: string; token: string }> {
  const { id, tokens } = await requestResult();
  return { id, token: tokens.get(fjell.member.email) ?? '' };
}

interface Answer {
  former?: number;
  status?: string;
  amount?: number | null;
  reason?: string;
  holder?: string;
}

const openLink = (_token: string, _holder = HOLDER) => site.visitor.rpc('open_result_link', { _token, _holder });
function reportResult(_token: string, input: Answer = {}) {
  const { former = 0, status = 'nothing_yet', amount = null, reason = '', holder = HOLDER } = input;
  const report = { _expected_number: former, _status: status, _amount: amount, _reason: reason };
  return site.visitor.rpc('report_result_by_link', { _token, _holder: holder, ...report });
}
const readReports = (id: string) =>
  query(
    `select number, status, amount::float, reason, reported_by from public.client_meeting_results
     where meeting_id = $1 order by number`,
    [id],
  );

test('The token is only in the mail and is not stored in plain text', async () => {
  const { token } = await newLink();
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  const [row] = await query<{ links: string }>(
    'select json_agg(links)::text as links from private.mailed_links as links',
  );
  expect(row?.links).not.toContain(token);
});

test('Opening a link shows the meeting and changes nothing, in any number of browsers', async () => {
  const { id, token } = await newLink();
  const readLinks = () => query('select * from private.mailed_links where meeting_id = $1', [id]);
  const before = await readLinks();
  for (const holder of [HOLDER, OTHER_HOLDER, HOLDER]) {
    expect((await openLink(token, holder)).data).toMatchObject({
      client: 'Fjell AS',
      currency: 'NOK',
      person: fjell.member.email,
      met_with: 'Kari, Kunde AS',
      report: null,
    });
  }
  const page = await fetch(`${site.url}/rest/v1/rpc/report_result_by_link?_token=${token}&_holder=${HOLDER}`);
  expect(page.ok).toBe(false);
  expect(await readLinks()).toEqual(before);
  expect(await readReports(id)).toEqual([]);
});

test('A link reports each kind of result as its recipient, and can correct its report', async () => {
  const { id, token } = await newLink();
  const by = { reported_by: fjell.member.id };
  expect((await reportResult(token)).data).toBeNull();
  expect((await reportResult(token, { former: 1, status: 'opportunity' })).data).toBeNull();
  expect((await reportResult(token, { former: 2, status: 'won' })).error?.message).toBe(
    'Please enter the amount of the deal.',
  );
  expect((await reportResult(token, { former: 2, status: 'won', amount: 5000 })).data).toBeNull();
  expect((await openLink(token)).data).toMatchObject({ report: { number: 3, status: 'won', amount: 5000 } });
  expect((await reportResult(token, { former: 3, status: 'lost', reason: ' ' })).error?.message).toBe(
    'Please say why the deal was lost.',
  );
  expect((await reportResult(token, { former: 3, status: 'lost', reason: 'Too late.' })).data).toBeNull();
  expect((await reportResult(token, { former: 4, status: 'sold' })).error?.code).toBe('23514');
  expect(await readReports(id)).toEqual([
    { number: 1, status: 'nothing_yet', amount: null, reason: '', ...by },
    { number: 2, status: 'opportunity', amount: null, reason: '', ...by },
    { number: 3, status: 'won', amount: 5000, reason: '', ...by },
    { number: 4, status: 'lost', amount: null, reason: 'Too late.', ...by },
  ]);
});

test('A link that is forwarded after the first answer works only in the browser of that answer', async () => {
  const { id, token } = await newLink();
  await reportResult(token, { status: 'won', amount: 1 }).throwOnError();
  expect((await openLink(token, OTHER_HOLDER)).data).toEqual({ refusal: OTHER_BROWSER });
  expect((await reportResult(token, { former: 1, holder: OTHER_HOLDER })).data).toBe(OTHER_BROWSER);
  expect(await readReports(id)).toHaveLength(1);
});

test('A rejected answer does not bind the link to its browser', async () => {
  const { token } = await newLink();
  expect((await reportResult(token, { former: 1, holder: OTHER_HOLDER })).error?.message).toBe(OUTDATED);
  expect((await reportResult(token, { status: 'won', holder: OTHER_HOLDER })).error?.code).toBe('P0001');
  expect((await reportResult(token)).data).toBeNull();
});

test('Two concurrent answers through one link from two browsers are stored once', async () => {
  const { id, token } = await newLink();
  const outcomes = await Promise.all([HOLDER, OTHER_HOLDER].map((holder) => reportResult(token, { holder })));
  expect(outcomes.map(({ data }) => data).sort()).toEqual([OTHER_BROWSER, null]);
  expect(await readReports(id)).toHaveLength(1);
});

test('Only one of two concurrent answers through links of two people is stored', async () => {
  const colleague = await site.signedIn('client');
  await site.service.from('client_members').insert({ client_id: fjell.id, user_id: colleague.id }).throwOnError();
  const { id, tokens } = await requestResult();
  expect(tokens.size).toBe(2);
  const outcomes = await Promise.all([...tokens.values()].map((token) => reportResult(token)));
  const messages = outcomes.map(({ data, error }) => data ?? error?.message ?? null);
  expect(messages.filter((message) => message === null)).toHaveLength(1);
  expect([EXPIRED, OUTDATED]).toContain(messages.find((message) => message !== null));
  expect(await readReports(id)).toHaveLength(1);
  await admin.from('client_members').delete().eq('user_id', colleague.id).throwOnError();
});

test('A link gives access only to its own meeting, and not to leads or approvals', async () => {
  const havn = await newClient(site, admin, 'Havn AS');
  const { id: foreignId } = await requestResult(havn);
  const { id, token } = await newLink();
  await reportResult(token).throwOnError();
  expect(await readReports(foreignId)).toEqual([]);
  expect(await readReports(id)).toHaveLength(1);
  const holder = { _token: token, _holder: HOLDER };
  for (const name of ['open_approval_link', 'open_lead_link']) {
    expect((await site.visitor.rpc(name, holder)).data).toMatchObject({ refusal: expect.stringContaining('expired') });
  }
  expect((await site.visitor.rpc('decide_by_link', { ...holder, _verdict: 'yes' })).data).toContain('expired');
  const lead = { ...holder, _expected_status: 'new', _status: 'taken' };
  expect((await site.visitor.rpc('change_lead_by_link', lead)).data).toContain('expired');
  expect((await site.visitor.rpc('list_rows_by_link', holder)).data).toEqual([]);
  expect((await site.visitor.rpc('veto_by_link', { ...holder, _lines: [1] })).error?.message).toContain('expired');
});

test('Links to leads and approvals do not open or report a result', async () => {
  const lead = { _client_id: fjell.id, _name: 'Kari Moe' };
  await fjell.worker.client.rpc('add_client_lead', lead).throwOnError();
  const text = { _client_id: fjell.id, _title: 'First mail', _text: 'Hello.' };
  await fjell.worker.client.rpc('ask_for_approval', text).throwOnError();
  const mails = await query<{ path: string }>(
    `select variables ->> 'Path' as path from private.mail_queue
     where template in ('client_lead', 'approval_asked') and recipient = $1`,
    [fjell.member.email],
  );
  expect(mails).toHaveLength(2);
  for (const { path } of mails) {
    const token = path.split('/').at(-1) ?? '';
    expect((await openLink(token)).data).toEqual({ refusal: EXPIRED });
    expect((await reportResult(token)).data).toBe(EXPIRED);
  }
});

describe('A link', () => {
  const ban = (id: string, ban_duration: string) => site.service.auth.admin.updateUserById(id, { ban_duration });
  const setKind = (id: string, kind: string) =>
    site.service.from('client_members').update({ kind }).eq('user_id', id).throwOnError();
  const change = async (sql: string, id: string) => {
    await query(sql, [id]);
    return { error: null };
  };

  /** Adds an approver to Fjell AS, and returns the token of a meeting from their mail. */
  async function addMemberWithLink() {
    const user = await site.signedIn('client');
    await site.service.from('client_members').insert({ client_id: fjell.id, user_id: user.id }).throwOnError();
    const { id, tokens } = await requestResult();
    return { user, id, token: tokens.get(user.email) ?? '' };
  }

  test.for([
    ['when its recipient becomes a viewer, who sees no amounts', (user: Member) => setKind(user.id, 'viewer')],
    [
      'when its recipient is removed from the client',
      (user: Member) => admin.from('client_members').delete().eq('user_id', user.id),
    ],
    ['when an admin ends the sessions', (user: Member) => admin.rpc('end_person_sessions', { _user_id: user.id })],
    ['when the account is banned', (user: Member) => ban(user.id, '1h')],
    [
      'when the email address changes',
      (user: Member) => site.service.auth.admin.updateUserById(user.id, { email: `new-${user.email}` }),
    ],
    [
      'when someone else reports a result',
      (_user: Member, id: string) =>
        fjell.worker.client.rpc('report_meeting_result', {
          _client_id: fjell.id,
          _meeting_id: id,
          _expected_number: 1,
          _status: 'opportunity',
        }),
    ],
    [
      'when the meeting is disputed',
      (_user: Member, id: string) =>
        change(`update public.client_meetings set answer = 'disputed', reason = 'No.' where id = $1`, id),
    ],
    [
      'when the meeting is a no-show after all',
      (_user: Member, id: string) => change(`update public.client_meetings set outcome = 'no_show' where id = $1`, id),
    ],
    [
      'when the meeting is deleted',
      (_user: Member, id: string) => change('delete from public.client_meetings where id = $1', id),
    ],
    [
      'after 14 days',
      (_user: Member, id: string) =>
        change(`update private.mailed_links set expires_at = now() - interval '1 second' where meeting_id = $1`, id),
    ],
  ] as const)('stops working %s', async ([, end]) => {
    const { user, id, token } = await addMemberWithLink();
    await reportResult(token, { status: 'opportunity', amount: 7000 }).throwOnError();
    expect((await openLink(token)).data).toMatchObject({ report: { amount: 7000 } });
    expect((await end(user, id)).error).toBeNull();
    const before = await readReports(id);
    expect((await openLink(token)).data).toEqual({ refusal: EXPIRED });
    for (const former of [1, 2]) expect((await reportResult(token, { former })).data).toBe(EXPIRED);
    expect(await readReports(id)).toEqual(before);
    await site.service.from('client_members').delete().eq('user_id', user.id).throwOnError();
  });

  test('that does not exist is rejected with the same message as an expired link', async () => {
    expect((await openLink('0'.repeat(64))).data).toEqual({ refusal: EXPIRED });
    expect((await openLink(`${'0'.repeat(64)}' or true --`)).data).toEqual({ refusal: EXPIRED });
    expect((await openLink('x', 'short')).error?.code).toBe('22023');
  });
});

test('Attempts to open links are limited per network', async () => {
  const { token } = await newLink();
  const openFromAddress = (address: string, candidate: string) =>
    site.backend.database.transaction(async (tx) => {
      await tx.query(`select set_config('request.address', $1, true)`, [address]);
      return tx.query('select public.open_result_link($1, $2)', [candidate, HOLDER]);
    });
  for (let attempt = 0; attempt < 60; attempt += 1) await openFromAddress('192.0.2.7', '0'.repeat(64));
  await expect(openFromAddress('192.0.2.7', token)).rejects.toMatchObject({ code: 'PT429' });
  expect((await openFromAddress('198.51.100.7', token)).rows).toMatchObject([
    { open_result_link: { client: 'Fjell AS' } },
  ]);
});
