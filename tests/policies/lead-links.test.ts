/**
 * Email links that set the status of one lead for one approver. Tests the rights of the link's holder and the expiry.
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
const EXPIRED = 'This link has expired, or the lead was deleted. Sign in to see your leads.';
const OTHER_BROWSER = 'This link was opened in another browser. Use that one, or sign in.';

beforeAll(async () => {
  site = await startTestBackend();
  await keepMailsQueued(site);
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
});
afterAll(() => site.close());

const query = async <Row extends object>(sql: string, parameters: string[] = []) =>
  (await site.backend.database.query<Row>(sql, parameters)).rows;

/** Adds a lead, and returns it with the tokens from the mails by recipient. */
async function addLead(client: TestClient = fjell): Promise<{ id: string; tokens: Map<string, string> }> {
  const fields = { _name: 'Kari Moe', _email: 'kari@kunde.example', _company: 'Kunde AS', _words: 'Call me.' };
  const { data: id } = await client.worker.client
    .rpc('add_client_lead', { _client_id: client.id, ...fields })
    .throwOnError();
  const mails = await query<{ recipient: string; path: string }>(
    `with taken as (delete from private.mail_queue where template = 'client_lead' returning *)
     select recipient, variables ->> 'Path' as path from taken`,
  );
  return { id, tokens: new Map(mails.map(({ recipient, path }) => [recipient, path.replace('/lead/', '')])) };
}

/** Adds a lead, and returns it with the token of the member of Fjell AS. */
async function newLink(): Promise<{ id: string; token: string }> {
  const { id, tokens } = await addLead();
  return { id, token: tokens.get(fjell.member.email) ?? '' };
}

const openLink = (_token: string, _holder = HOLDER) => site.visitor.rpc('open_lead_link', { _token, _holder });
const answerLink = (_token: string, _expected_status: string, _status: string, _reason = '', _holder = HOLDER) =>
  site.visitor.rpc('change_lead_by_link', { _token, _holder, _expected_status, _status, _reason });
const readLead = async (id: string) =>
  (await site.service.from('client_leads').select('status, reason, taken_by').eq('id', id).single()).data;
const readChanges = async (lead_id: string) =>
  (
    await site.service
      .from('client_lead_changes')
      .select('number, status, reason, changed_by')
      .eq('lead_id', lead_id)
      .order('number')
  ).data;

test('The token is only in the mail and is not stored in plain text', async () => {
  const { token } = await newLink();
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  const [row] = await query<{ links: string }>(
    'select json_agg(links)::text as links from private.mailed_links as links',
  );
  expect(row?.links).not.toContain(token);
});

test('Opening a link shows the lead and changes nothing, in any number of browsers', async () => {
  const { id, token } = await newLink();
  const readLinks = () => query('select * from private.mailed_links where lead_id = $1', [id]);
  const before = await readLinks();
  for (const holder of [HOLDER, OTHER_HOLDER, HOLDER]) {
    expect((await openLink(token, holder)).data).toMatchObject({
      client: 'Fjell AS',
      person: fjell.member.email,
      lead: { id, name: 'Kari Moe', company: 'Kunde AS', words: 'Call me.', status: 'new', changes: [] },
    });
  }
  const page = await fetch(`${site.url}/rest/v1/rpc/change_lead_by_link?_token=${token}&_holder=${HOLDER}`);
  expect(page.ok).toBe(false);
  expect(await readLinks()).toEqual(before);
  expect(await readLead(id)).toMatchObject({ status: 'new', taken_by: null });
});

test('The recipient can set the status several times with a link, and the history names the recipient', async () => {
  const { id, token } = await newLink();
  expect((await answerLink(token, 'new', 'taken')).error).toBeNull();
  expect((await answerLink(token, 'taken', 'meeting')).error).toBeNull();
  expect((await answerLink(token, 'meeting', 'not_fit', ' ')).error?.message).toBe(
    'Please say why this lead does not fit.',
  );
  expect((await answerLink(token, 'meeting', 'everything')).error?.code).toBe('23514');
  expect((await answerLink(token, 'meeting', 'not_fit', 'Too small.')).data).toBeNull();
  const by = { changed_by: fjell.member.id };
  expect(await readChanges(id)).toEqual([
    { number: 1, status: 'taken', reason: '', ...by },
    { number: 2, status: 'meeting', reason: '', ...by },
    { number: 3, status: 'not_fit', reason: 'Too small.', ...by },
  ]);
  expect(await readLead(id)).toEqual({ status: 'not_fit', reason: 'Too small.', taken_by: fjell.member.id });
  expect((await openLink(token)).data).toMatchObject({ lead: { status: 'not_fit', changes: [{ number: 3 }, {}, {}] } });
});

test('A link that is forwarded after the first answer works only in the browser of that answer', async () => {
  const { id, token } = await newLink();
  await answerLink(token, 'new', 'taken').throwOnError();
  expect((await openLink(token, OTHER_HOLDER)).data).toEqual({ refusal: OTHER_BROWSER });
  expect((await answerLink(token, 'taken', 'lost', '', OTHER_HOLDER)).data).toBe(OTHER_BROWSER);
  expect(await readLead(id)).toMatchObject({ status: 'taken' });
  expect((await answerLink(token, 'taken', 'won')).data).toBeNull();
});

test('A rejected answer does not bind the link to its browser', async () => {
  const { token } = await newLink();
  expect((await answerLink(token, 'won', 'lost', '', OTHER_HOLDER)).error?.message).toBe(
    'This lead has changed. Reload the page to read it again.',
  );
  expect((await answerLink(token, 'new', 'taken')).data).toBeNull();
});

test('Only one of two concurrent answers through links is stored', async () => {
  const colleague = await site.signedIn('client');
  await site.service.from('client_members').insert({ client_id: fjell.id, user_id: colleague.id }).throwOnError();
  const { id, tokens } = await addLead();
  expect(tokens.size).toBe(2);
  const outcomes = await Promise.all([...tokens.values()].map((token) => answerLink(token, 'new', 'taken')));
  expect(outcomes.map(({ error }) => error?.message ?? null).sort()).toEqual([
    'Someone else has already taken this lead.',
    null,
  ]);
  expect(await readChanges(id)).toHaveLength(1);
  await admin.from('client_members').delete().eq('user_id', colleague.id).throwOnError();
});

test('Only one of two concurrent answers from two browsers through one link is stored', async () => {
  const { id, token } = await newLink();
  const outcomes = await Promise.all(
    [HOLDER, OTHER_HOLDER].map((holder) => answerLink(token, 'new', 'taken', '', holder)),
  );
  expect(outcomes.map(({ data }) => data).sort()).toEqual([OTHER_BROWSER, null]);
  expect(await readChanges(id)).toHaveLength(1);
});

test('A lead link gives access only to its own lead, and an approval link gives no access to leads', async () => {
  const havn = await newClient(site, admin, 'Havn AS');
  const { id: foreignId } = await addLead(havn);
  const { id, token } = await newLink();
  await answerLink(token, 'new', 'taken').throwOnError();
  expect(await readLead(foreignId)).toMatchObject({ status: 'new' });
  expect((await site.visitor.rpc('open_approval_link', { _token: token, _holder: HOLDER })).data).toMatchObject({
    refusal: expect.stringContaining('expired'),
  });
  const decision = { _token: token, _holder: HOLDER, _verdict: 'yes' };
  expect((await site.visitor.rpc('decide_by_link', decision)).data).toContain('expired');
  const holder = { _token: token, _holder: HOLDER };
  expect((await site.visitor.rpc('list_rows_by_link', holder)).data).toEqual([]);
  expect((await site.visitor.rpc('veto_by_link', { ...holder, _lines: [1] })).error?.message).toContain('expired');
  const text = { _client_id: fjell.id, _title: 'First mail', _text: 'Hello.' };
  await fjell.worker.client.rpc('ask_for_approval', text).throwOnError();
  const [mail] = await query<{ path: string }>(
    `select variables ->> 'Path' as path from private.mail_queue where template = 'approval_asked'`,
  );
  const approvalToken = mail?.path.replace('/approve/', '') ?? '';
  expect((await openLink(approvalToken)).data).toEqual({ refusal: EXPIRED });
  expect((await answerLink(approvalToken, 'new', 'taken')).data).toBe(EXPIRED);
  expect(await readLead(id)).toMatchObject({ status: 'taken' });
});

test('Viewers get a mail without a link', async () => {
  const viewer = await site.signedIn('client');
  const row = { client_id: fjell.id, user_id: viewer.id, kind: 'viewer' };
  await site.service.from('client_members').insert(row).throwOnError();
  const { id, tokens } = await addLead();
  expect(tokens.get(viewer.email)).toBe(`/client-dashboard?client=${fjell.id}#lead-${id}`);
  expect(await query('select from private.mailed_links where user_id = $1', [viewer.id])).toEqual([]);
  await admin.from('client_members').delete().eq('user_id', viewer.id).throwOnError();
});

describe('A link', () => {
  const ban = (id: string, ban_duration: string) => site.service.auth.admin.updateUserById(id, { ban_duration });
  const setKind = (id: string, kind: string) =>
    site.service.from('client_members').update({ kind }).eq('user_id', id).throwOnError();

  /** Adds an approver to Fjell AS, and returns the token of a lead from their mail. */
  async function addMemberWithLink() {
    const user = await site.signedIn('client');
    await site.service.from('client_members').insert({ client_id: fjell.id, user_id: user.id }).throwOnError();
    const { id, tokens } = await addLead();
    return { user, id, token: tokens.get(user.email) ?? '' };
  }

  test.for([
    ['when its recipient becomes a viewer', (user: Member) => setKind(user.id, 'viewer')],
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
      'when the lead is deleted',
      (_user: Member, id: string) => fjell.worker.client.from('client_leads').delete().eq('id', id),
    ],
    [
      'after 14 days',
      async (_user: Member, id: string) => {
        await query(`update private.mailed_links set expires_at = now() - interval '1 second' where lead_id = $1`, [
          id,
        ]);
        return { error: null };
      },
    ],
  ] as const)('stops working %s', async ([, end]) => {
    const { user, id, token } = await addMemberWithLink();
    expect((await openLink(token)).data).toMatchObject({ lead: { id } });
    expect((await end(user, id)).error).toBeNull();
    expect((await openLink(token)).data).toEqual({ refusal: EXPIRED });
    expect((await answerLink(token, 'new', 'taken')).data).toBe(EXPIRED);
    expect((await readLead(id))?.status ?? 'new').toBe('new');
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
      return tx.query('select public.open_lead_link($1, $2)', [candidate, HOLDER]);
    });
  for (let attempt = 0; attempt < 60; attempt += 1) await openFromAddress('192.0.2.7', '0'.repeat(64));
  await expect(openFromAddress('192.0.2.7', token)).rejects.toMatchObject({ code: 'PT429' });
  expect((await openFromAddress('198.51.100.7', token)).rows).toMatchObject([
    { open_lead_link: { client: 'Fjell AS' } },
  ]);
});
