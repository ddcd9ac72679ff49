/** Approvals of texts. Tests who can request, read, decide and withdraw them, and that versions never change. */
import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { mailsTo, nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const TABLES = ['approvals', 'approval_versions', 'approval_decisions'] as const;
/** Columns that all roles with access to the rows can select. Members cannot select the address of a decision. */
const COLUMNS = 'client_id, created_at';

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
/** ID of an undecided text of Fjell AS. */
let openId: string;
/** ID of a decided text of Fjell AS. */
let decidedId: string;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
  openId = await newText(fjell, 'Open');
  decidedId = await newText(fjell, 'Decided');
  await decide(fjell.member.client, fjell, decidedId, 1, 'yes').throwOnError();
});
afterAll(() => site.close());

interface RequestInput {
  text?: string;
  id?: string;
  due?: string;
}

function requestApproval(
  client: SupabaseClient,
  { id: _client_id }: TestClient,
  _title: string,
  { text, id, due }: RequestInput = {},
) {
  const _text = text ?? 'Hei {{first_name}},\n\nvi så at dere vokser.';
  return client.rpc('ask_for_approval', { _client_id, _title, _text, _approval_id: id, _due_on: due });
}

async function newText(client: TestClient, title: string, due?: string): Promise<string> {
  return (await requestApproval(client.worker.client, client, title, due === undefined ? {} : { due }).throwOnError())
    .data;
}

function decide(
  client: SupabaseClient,
  { id: _client_id }: TestClient,
  _approval_id: string,
  _number: number,
  _verdict: string,
  _comment = '',
  _edited_text?: string,
) {
  return client.rpc('decide_approval', { _client_id, _approval_id, _number, _verdict, _comment, _edited_text });
}

function withdrawApproval(client: SupabaseClient, { id }: TestClient, _approval_id: string) {
  return client.rpc('withdraw_approval', { _client_id: id, _approval_id });
}

function listApprovals(client: SupabaseClient, { id }: TestClient) {
  return client.rpc('list_approvals', { _client_id: id });
}

function listVersions(client: SupabaseClient, { id }: TestClient, _approval_id: string) {
  return client.rpc('list_approval_versions', { _client_id: id, _approval_id });
}

async function readAllRows() {
  const rows = await Promise.all(TABLES.map((table) => site.service.from(table).select().order('created_at')));
  return rows.map(({ data }) => data);
}

/** Expects that `client` cannot read, request, decide or withdraw approvals of Fjell AS. */
async function expectNoAccess(client: SupabaseClient) {
  const before = await readAllRows();
  for (const table of TABLES) {
    expect((await client.from(table).select(COLUMNS).eq('client_id', fjell.id)).data ?? []).toEqual([]);
  }
  expect((await listApprovals(client, fjell)).error?.code).toBe('42501');
  expect((await listVersions(client, fjell, openId)).error?.code).toBe('42501');
  expect((await requestApproval(client, fjell, 'Mine')).error?.code).toBe('42501');
  expect((await requestApproval(client, fjell, 'Mine', { id: openId, text: 'Other.' })).error?.code).toBe('42501');
  expect((await decide(client, fjell, openId, 1, 'yes')).error?.code).toBe('42501');
  expect((await withdrawApproval(client, fjell, openId)).error?.code).toBe('42501');
  expect(await readAllRows()).toEqual(before);
}

test.each(capitalizedRoles(OUTSIDERS))(
  '%s without an assigned client cannot read, request, decide or withdraw approvals',
  async (_label, role) => {
    await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
  },
);

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot read, request, decide or withdraw approvals',
  async (_label, role) => {
    const { client } = havn[role];
    await expectNoAccess(client);
    // The caller's own client ID gives no access either.
    for (const response of [
      decide(client, havn, openId, 1, 'yes'),
      withdrawApproval(client, havn, openId),
      requestApproval(client, havn, 'Mine', { id: openId, text: 'Other.' }),
    ]) {
      expect((await response).error).not.toBeNull();
    }
    expect((await listApprovals(client, havn)).data).toEqual([]);
    expect((await listVersions(client, havn, openId)).data).toEqual([]);
  },
);

test('Rows cannot be inserted, updated or deleted without the functions', async () => {
  const before = await readAllRows();
  for (const client of [fjell.member.client, fjell.worker.client, admin]) {
    for (const table of TABLES) {
      const { data } = await client.from(table).select(COLUMNS).eq('client_id', fjell.id);
      expect(data?.length).toBeGreaterThan(0);
      const row = { ...data?.[0] };
      expect((await client.from(table).insert(row)).error?.code).toBe('42501');
      expect((await client.from(table).update(row).eq('client_id', fjell.id)).error?.code).toBe('42501');
      expect((await client.from(table).delete().eq('client_id', fjell.id)).error?.code).toBe('42501');
    }
  }
  expect(await readAllRows()).toEqual(before);
});

test('A version of one client cannot belong to an approval of another', async () => {
  const row = { client_id: havn.id, approval_id: openId, number: 2, text: 'Crossed.' };
  expect((await site.service.from('approval_versions').insert(row)).error?.code).toBe('23503');
});

test('Only the team can request and withdraw an approval, and only the client can decide', async () => {
  for (const client of [fjell.worker.client, admin]) {
    const { data: id } = await requestApproval(client, fjell, 'A mail').throwOnError();
    expect((await decide(client, fjell, id, 1, 'yes')).error?.code).toBe('42501');
    expect((await requestApproval(fjell.member.client, fjell, 'Mine', { id, text: 'Other.' })).error?.code).toBe(
      '42501',
    );
    expect((await withdrawApproval(fjell.member.client, fjell, id)).error?.code).toBe('42501');
    expect((await decide(fjell.member.client, fjell, id, 1, 'yes')).error).toBeNull();
  }
});

describe('A decision', () => {
  test('is rejected unless it is for the latest version', async () => {
    const id = await newText(fjell, 'Two versions');
    await requestApproval(fjell.worker.client, fjell, 'Two versions', { id, text: 'Shorter.' }).throwOnError();
    const { client } = fjell.member;
    expect((await decide(client, fjell, id, 1, 'yes')).error?.message).toContain('a newer version');
    expect((await decide(client, fjell, id, 3, 'yes')).error?.message).toContain('a newer version');
    expect((await decide(client, fjell, id, 2, 'yes')).error).toBeNull();
    const { data } = await client.from('approval_decisions').select('number, verdict').eq('approval_id', id);
    expect(data).toEqual([{ number: 2, verdict: 'yes' }]);
  });

  test('is stored only once if two are sent concurrently', async () => {
    const id = await newText(fjell, 'Twice');
    const { client } = fjell.member;
    const responses = await Promise.all([
      decide(client, fjell, id, 1, 'yes'),
      decide(client, fjell, id, 1, 'no', 'Not like this.'),
    ]);
    const failures = responses.filter(({ error }) => error);
    expect(failures.map(({ error }) => error?.message)).toEqual(['A colleague has already decided on this version.']);
  });

  test.each(['no', 'changes'])('"%s" requires a comment', async (verdict) => {
    const id = await newText(fjell, 'Reasons');
    const { client } = fjell.member;
    for (const comment of ['', ' \n ']) {
      expect((await decide(client, fjell, id, 1, verdict, comment)).error).toMatchObject({
        message: 'Please describe what should change.',
      });
    }
    expect((await decide(client, fjell, id, 1, verdict, 'x'.repeat(2001))).error?.code).toBe('23514');
    expect((await decide(client, fjell, id, 1, 'perhaps', 'Hm.')).error?.code).toBe('23514');
    expect((await decide(client, fjell, id, 1, verdict, ' Shorter. ')).error).toBeNull();
    const { data } = await client.from('approval_decisions').select('comment').eq('approval_id', id);
    expect(data).toEqual([{ comment: 'Shorter.' }]);
  });
});

describe('An approval with changes', () => {
  test('stores the edited text as a new version and approves that version', async () => {
    const nes = await newClient(site, admin, 'Nes AS');
    const id = await newText(nes, 'Worded');
    const { client } = nes.member;
    await decide(client, nes, id, 1, 'changes', '', 'Hei {{first_name}}, har dere tid?').throwOnError();
    const columns = 'number, text, is_client_edit, approval_decisions(verdict, comment)';
    const { data } = await client.from('approval_versions').select(columns).eq('approval_id', id).order('number');
    expect(data).toMatchObject([
      { number: 1, is_client_edit: false, approval_decisions: null },
      {
        number: 2,
        text: 'Hei {{first_name}}, har dere tid?',
        is_client_edit: true,
        approval_decisions: { verdict: 'yes', comment: '' },
      },
    ]);
    expect((await listApprovals(client, nes)).data).toMatchObject([
      { number: 2, verdict: 'yes', is_client_edit: true },
    ]);
    const mail = await nextMail(site.dataFolder, nes.worker.email);
    expect(mail.subject).toBe('Approved with changes: Worded');
    expect(mail.text).toContain(`/team-dashboard/clients/${nes.id}?from=mail#approval-${id}`);
    const { data: exported } = await client.rpc('my_data').throwOnError();
    expect(exported.asked_approvals).toMatchObject([{ version: 2, text: 'Hei {{first_name}}, har dere tid?' }]);
    expect(exported.decided_approvals).toMatchObject([{ version: 2, verdict: 'yes' }]);
    // The next version needs a new decision and does not replace the approved version.
    await requestApproval(nes.worker.client, nes, 'Worded', { id, text: 'Next.' }).throwOnError();
    expect((await listApprovals(client, nes)).data).toMatchObject([
      { number: 3, verdict: null, is_client_edit: false },
    ]);
    expect((await decide(client, nes, id, 3, 'yes')).error).toBeNull();
  });

  test('without an edited text only requests changes, so the next version is undecided', async () => {
    const id = await newText(fjell, 'Said');
    const { client } = fjell.member;
    await decide(client, fjell, id, 1, 'changes', 'Shorter.').throwOnError();
    await requestApproval(fjell.worker.client, fjell, 'Said', { id, text: 'Short.' }).throwOnError();
    const { data } = await client.from('approval_versions').select('number').eq('approval_id', id);
    expect(data).toHaveLength(2);
    const { data: decisions } = await client.from('approval_decisions').select('number, verdict').eq('approval_id', id);
    expect(decisions).toEqual([{ number: 1, verdict: 'changes' }]);
  });

  test('rejects an unchanged, empty or too long text, and an edited text with another decision', async () => {
    const id = await newText(fjell, 'Rejected');
    const { client } = fjell.member;
    const edit = (wording: string, verdict = 'changes') => decide(client, fjell, id, 1, verdict, 'So.', wording);
    const { data: version } = await client.from('approval_versions').select('text').eq('approval_id', id).single();
    expect((await edit(version?.text)).error?.message).toBe('The text is the same as before.');
    expect((await edit(' ')).error?.code).toBe('23514');
    expect((await edit('x'.repeat(20_001))).error?.code).toBe('23514');
    expect((await edit('Other.', 'yes')).error?.code).toBe('22023');
    expect((await edit('Other.', 'no')).error?.code).toBe('22023');
    expect((await listApprovals(client, fjell)).data).toContainEqual(
      expect.objectContaining({ id, number: 1, verdict: null }),
    );
    expect((await edit('Other.')).error).toBeNull();
    expect((await edit('Another.')).error?.message).toContain('a newer version');
  });
});

describe('A request', () => {
  test('for the next version requires a different text and keeps earlier versions', async () => {
    const id = await newText(fjell, 'Kept');
    const { client } = fjell.worker;
    const { data: before } = await client.from('approval_versions').select().eq('approval_id', id);
    expect((await requestApproval(client, fjell, 'Kept', { id })).error?.message).toBe(
      'The text is the same as before.',
    );
    await requestApproval(client, fjell, 'Kept, renamed', { id, text: 'Next.' }).throwOnError();
    const { data } = await client.from('approval_versions').select().eq('approval_id', id).order('number');
    expect(data?.[0]).toEqual(before?.[0]);
    expect(data?.map(({ number }) => number)).toEqual([1, 2]);
  });

  test('is rejected if a text or title is empty or too long, or if the approval was deleted', async () => {
    const { client } = fjell.worker;
    expect((await requestApproval(client, fjell, ' ')).error?.code).toBe('23514');
    expect((await requestApproval(client, fjell, 'x'.repeat(201))).error?.code).toBe('23514');
    expect((await requestApproval(client, fjell, 'Empty', { text: ' ' })).error?.code).toBe('23514');
    expect((await requestApproval(client, fjell, 'Long', { text: 'x'.repeat(20_001) })).error?.code).toBe('23514');
    const missing = { id: crypto.randomUUID(), text: 'Other.' };
    expect((await requestApproval(client, fjell, 'Gone', missing)).error?.message).toBe(
      'This approval no longer exists.',
    );
    expect((await requestApproval(client, fjell, 'Long enough', { text: 'x'.repeat(20_000) })).error).toBeNull();
  });

  test('can be withdrawn until it is decided', async () => {
    const { client } = fjell.worker;
    expect((await withdrawApproval(client, fjell, decidedId)).error?.message).toContain('cannot be withdrawn');
    const id = await newText(fjell, 'Withdrawn');
    expect((await withdrawApproval(client, fjell, id)).error).toBeNull();
    expect((await client.from('approval_versions').select().eq('approval_id', id)).data).toEqual([]);
  });
});

test('Open approvals are listed first, by due date, and email addresses are hidden from the client', async () => {
  const laterId = await newText(havn, 'Later', '2027-02-01');
  const soon = await newText(havn, 'Soon', '2027-01-01');
  const decidedId = await newText(havn, 'Done');
  await decide(havn.member.client, havn, decidedId, 1, 'changes', 'Say hello first.').throwOnError();
  await requestApproval(havn.worker.client, havn, 'Later', {
    id: laterId,
    text: 'Shorter.',
    due: '2027-02-02',
  }).throwOnError();
  const { data: memberList } = await listApprovals(havn.member.client, havn).throwOnError();
  expect(memberList).toMatchObject([
    { id: soon, number: 1, former_text: null, verdict: null, due_on: '2027-01-01', waiting: 2, total: 3 },
    { id: laterId, number: 2, text: 'Shorter.', due_on: '2027-02-02', may_withdraw: false },
    { id: decidedId, verdict: 'changes', comment: 'Say hello first.' },
  ]);
  expect(memberList[1].former_text).toContain('{{first_name}}');
  expect(JSON.stringify(memberList)).not.toContain('@');
  const { data: workerList } = await listApprovals(havn.worker.client, havn).throwOnError();
  expect(workerList).toMatchObject([
    { asked_by: havn.worker.email, may_withdraw: true },
    { may_withdraw: true },
    { decided_by: havn.member.email, may_withdraw: false },
  ]);
  expect((await listApprovals(admin, havn)).data).toHaveLength(3);
});

test('The client gets a mail about a request, and its requester gets a mail about the decision', async () => {
  const nes = await newClient(site, admin, 'Nes AS');
  const id = await newText(nes, 'First mail', '2027-01-05');
  const request = await nextMail(site.dataFolder, nes.member.email);
  expect(request.subject).toBe('Please approve: First mail');
  expect(request.text).toContain(
    `Our team asks for your approval. We wrote a text for Nes AS. We will use it after you approve it.`,
  );
  expect(request.text).toContain('Answer by: 5 January 2027');
  expect(request.text).toContain('/approve/');
  await decide(nes.member.client, nes, id, 1, 'no', 'Too <b>long</b>.').throwOnError();
  const mail = await nextMail(site.dataFolder, nes.worker.email);
  expect(mail.subject).toBe('Declined: First mail');
  expect(mail.text).toContain('Too <b>long</b>.');
  expect(mail.html).not.toContain('<b>long');
});

test('The mail about a text begins with its first three lines, before the request', async () => {
  const nes = await newClient(site, admin, 'Nes AS');
  const lines = [
    'Subject: A call?',
    '',
    '  Hei {{first_name}}, <b>fisk</b> & $& brød?\t',
    ' \r',
    `Lang ${'é'.repeat(300)}`,
  ];
  const request = { _client_id: nes.id, _title: 'First mail', _text: [...lines, 'The fourth line.'].join('\n') };
  const { data: id } = await nes.worker.client.rpc('ask_for_approval', request).throwOnError();
  const mail = await nextMail(site.dataFolder, nes.member.email);
  const first = `Subject: A call?\nHei {{first_name}}, <b>fisk</b> & $& brød?\nLang ${'é'.repeat(194)}…\n\nPlease approve “First mail”`;
  expect(mail.text).toContain(first);
  expect(mail.text).not.toContain('The fourth line.');
  expect(mail.html).toContain('Hei {{first_name}}, &lt;b&gt;fisk&lt;/b&gt; &amp; $&amp; brød?');

  // The mail about a new version shows its first lines. Mails about other kinds of approvals show no lines.
  await nes.worker.client.rpc('ask_for_approval', { ...request, _text: 'New.', _approval_id: id }).throwOnError();
  const rows = [{ line: 2, domain: 'kunde.example' }];
  const list = { ...request, _title: 'Bakers', _text: 'Bakers in Oslo.', _rows: rows, _is_dry_run: false };
  await nes.worker.client.rpc('ask_for_list_approval', list).throwOnError();
  const texts = await vi.waitFor(async () => {
    const mails = await mailsTo(site.dataFolder, nes.member.email);
    expect(mails).toHaveLength(3);
    return mails.map(({ text }) => text);
  }, 120_000);
  expect(texts.filter((text) => text.includes('\n\nNew.\n\nPlease approve “First mail”'))).toHaveLength(1);
  const [listMail] = texts.filter((text) => text.includes('We prepared a list'));
  expect(listMail).not.toContain('Bakers in Oslo.');
});

test('The client gets mails about at most 20 requests, but the dashboard lists all of them', async () => {
  const nes = await newClient(site, admin, 'Nes AS');
  for (let number = 0; number < 25; number += 1) await newText(nes, `Mail ${number}`);
  await vi.waitFor(async () => {
    const query = 'select from private.mail_queue where recipient = $1';
    expect((await site.backend.database.query(query, [nes.member.email])).rows).toEqual([]);
  }, 120_000);
  const mails = await mailsTo(site.dataFolder, nes.member.email);
  expect(mails).toHaveLength(20);
  const lastMail = mails.filter(({ text }) => text.includes('See your dashboard for further approvals.'));
  expect(lastMail.map(({ subject }) => subject)).toEqual(['Please approve: Mail 19']);
  expect((await listApprovals(nes.member.client, nes)).data?.[0]).toMatchObject({ waiting: 25 });
});

test('A removed member has no access, and their decisions remain', async () => {
  const user = await site.signedIn('client');
  await admin.rpc('add_client_member', { _client_id: fjell.id, _email: user.email }).throwOnError();
  const id = await newText(fjell, 'By a colleague');
  await decide(user.client, fjell, id, 1, 'yes').throwOnError();
  const { data: exported } = await user.client.rpc('my_data').throwOnError();
  expect(exported.decided_approvals).toMatchObject([{ client: fjell.id, version: 1, verdict: 'yes' }]);
  await admin.from('client_members').delete().eq('user_id', user.id).throwOnError();
  await expectNoAccess(user.client);
  const { data } = await fjell.member.client.from('approval_decisions').select('verdict').eq('approval_id', id);
  expect(data).toEqual([{ verdict: 'yes' }]);
});

test('A decision keeps who decided, the title and the hash of the text as they were', async () => {
  const nes = await newClient(site, admin, 'Nes AS');
  const user = await site.signedIn('client');
  const rename = (name: string) =>
    site.backend.database.query('update auth.users set raw_user_meta_data = $2 where id = $1', [
      user.id,
      JSON.stringify({ name }),
    ]);
  await rename('Kari Moe');
  await admin.rpc('add_client_member', { _client_id: nes.id, _email: user.email }).throwOnError();
  const { data: id } = await requestApproval(nes.worker.client, nes, 'First mail', { text: 'Hello.' }).throwOnError();
  await decide(user.client, nes, id, 1, 'yes').throwOnError();
  await rename('Kari Dal');
  await requestApproval(nes.worker.client, nes, 'Renamed mail', { id, text: 'Hello again.' }).throwOnError();
  const first = { number: 1, title: 'First mail', verdict: 'yes', text_sha256: sha256('Hello.'), file_sha256: null };
  const second = { number: 2, title: 'Renamed mail', verdict: null, decided_by: '', text_sha256: null };
  const forTeam = [second, { ...first, decided_by: `Kari Moe, ${user.email}` }];
  expect((await listVersions(nes.worker.client, nes, id)).data).toMatchObject(forTeam);
  expect((await listVersions(admin, nes, id)).data).toMatchObject(forTeam);
  const { data: forMember } = await listVersions(nes.member.client, nes, id).throwOnError();
  expect(forMember).toMatchObject([second, { ...first, decided_by: 'Kari Moe' }]);
  for (const { client } of [nes.member, nes.worker]) {
    const { error } = await client.from('approval_decisions').select('decided_by_address').eq('client_id', nes.id);
    expect(error?.code).toBe('42501');
  }
  const { rows } = await site.backend.database.query('select private.personal_data_of($1, true) as data', [user.id]);
  expect(rows).toMatchObject([
    { data: { decisions_under_this_address: [{ title: 'First mail', name: 'Kari Moe', address: user.email }] } },
  ]);
  // The decision is the client's evidence, so it outlives the account.
  await site.backend.database.query('select private.delete_personal_data($1, true)', [user.id]);
  expect((await listVersions(nes.worker.client, nes, id)).data).toMatchObject(forTeam);
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
