/**
 * Email links that open one approval version for one approver. Tests the rights of the link's holder and the expiry.
 */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { keepMailsQueued, startTestBackend, type TestBackend } from '../support/test-backend.ts';

type Member = Awaited<ReturnType<TestBackend['signedIn']>>;

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;

const [HOLDER, OTHER_HOLDER] = ['a'.repeat(64), 'b'.repeat(64)];

beforeAll(async () => {
  site = await startTestBackend();
  await keepMailsQueued(site);
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
});
afterAll(() => site.close());

/** Requests an approval, and returns the token from the mail to the member. */
async function requestApproval(text = 'Hello.', id: string | null = null): Promise<{ token: string; id: string }> {
  const parameters = { _client_id: fjell.id, _title: 'First mail', _text: text, _approval_id: id };
  const { data } = await fjell.worker.client.rpc('ask_for_approval', parameters).throwOnError();
  return { token: await takeMailedToken(), id: data };
}

/** Deletes the queued mails to the member, and returns the token of the latest one. */
async function takeMailedToken(): Promise<string> {
  const { rows } = await site.backend.database.query<{ path: string }>(
    `with taken as (
       delete from private.mail_queue where template = 'approval_asked' and recipient = $1
       returning created_at, variables ->> 'Path' as path
     )
     select path from taken order by created_at`,
    [fjell.member.email],
  );
  return rows.at(-1)?.path.replace('/approve/', '') ?? '';
}

const openLink = (_token: string, _holder = HOLDER, client = site.visitor) =>
  client.rpc('open_approval_link', { _token, _holder });
const decideByLink = (_token: string, _verdict: string, _holder = HOLDER, _comment = '', _edited_text?: string) =>
  site.visitor.rpc('decide_by_link', { _token, _holder, _verdict, _comment, ...(_edited_text && { _edited_text }) });
const readDecisions = async (id: string) =>
  (await site.service.from('approval_decisions').select('number, verdict, decided_by').eq('approval_id', id)).data;

test('The token is only in the mail and is not stored in plain text', async () => {
  const { token } = await requestApproval();
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  const { rows } = await site.backend.database.query<{ links: string }>(
    'select json_agg(links)::text as links from private.mailed_links as links',
  );
  expect(rows[0]?.links).not.toContain(token);
});

test('A link shows a version to one browser, accepts one decision and then shows that decision', async () => {
  const { token, id } = await requestApproval('Hello, Kari.');
  expect((await decideByLink(token, 'yes')).data).toBe('Please read this version before you decide.');
  expect(await readDecisions(id)).toEqual([]);
  expect((await openLink(token)).data).toMatchObject({
    state: 'open',
    text: 'Hello, Kari.',
    client: 'Fjell AS',
    number: 1,
  });
  expect((await decideByLink(token, 'no')).error?.message).toBe('Please describe what should change.');
  expect((await decideByLink(token, 'yes')).error).toBeNull();
  expect(await readDecisions(id)).toEqual([{ number: 1, verdict: 'yes', decided_by: fjell.member.id }]);
  expect((await decideByLink(token, 'no', HOLDER, 'Never')).data).toContain('This link has already been used.');
  expect((await openLink(token)).data).toMatchObject({ state: 'decided', verdict: 'yes' });
  expect(await readDecisions(id)).toHaveLength(1);
});

test('An edited text can be submitted through a link, as on the dashboard', async () => {
  const { token, id } = await requestApproval();
  await openLink(token).throwOnError();
  expect((await decideByLink(token, 'yes', HOLDER, '', 'Hello, shorter.')).error?.message).toContain('an edited text');
  expect((await decideByLink(token, 'changes', OTHER_HOLDER, '', 'Hello, shorter.')).data).toContain('another browser');
  expect(await readDecisions(id)).toEqual([]);
  expect((await decideByLink(token, 'changes', HOLDER, '', 'Hello, shorter.')).error).toBeNull();
  expect(await readDecisions(id)).toEqual([{ number: 2, verdict: 'yes', decided_by: fjell.member.id }]);
});

test('A link that is forwarded after its first use still works only in the first browser', async () => {
  const { token, id } = await requestApproval();
  await openLink(token).throwOnError();
  const OTHER_BROWSER = 'This link was opened in another browser. Use that one, or sign in.';
  expect((await openLink(token, OTHER_HOLDER)).data).toEqual({ refusal: OTHER_BROWSER });
  expect((await decideByLink(token, 'yes', OTHER_HOLDER)).data).toBe(OTHER_BROWSER);
  expect(await readDecisions(id)).toEqual([]);
  expect((await decideByLink(token, 'yes')).error).toBeNull();
});

test('The link to an older version rejects decisions, and the link to the newer version accepts them', async () => {
  const first = await requestApproval('One.');
  await openLink(first.token).throwOnError();
  const second = await requestApproval('Two.', first.id);
  expect((await openLink(first.token)).data).toMatchObject({ state: 'newer', text: 'One.' });
  expect((await decideByLink(first.token, 'yes')).error?.message).toContain('There is a newer version');
  expect(await readDecisions(first.id)).toEqual([]);
  expect((await openLink(second.token)).data).toMatchObject({ state: 'open', text: 'Two.', former_text: 'One.' });
  expect((await decideByLink(second.token, 'changes', HOLDER, 'Shorter')).error).toBeNull();
  expect(await readDecisions(first.id)).toMatchObject([{ number: 2, verdict: 'changes' }]);
});

test('Only one of two concurrent decisions through links is stored', async () => {
  const colleague = await site.signedIn('client');
  await admin.rpc('add_client_member', { _client_id: fjell.id, _email: colleague.email }).throwOnError();
  const parameters = { _client_id: fjell.id, _title: 'Both', _text: 'Hello.' };
  const { data: id } = await fjell.worker.client.rpc('ask_for_approval', parameters).throwOnError();
  const { rows } = await site.backend.database.query<{ path: string }>(
    `delete from private.mail_queue where template = 'approval_asked' returning variables ->> 'Path' as path`,
  );
  const tokens = rows.map(({ path }) => path.replace('/approve/', ''));
  expect(tokens).toHaveLength(2);
  for (const token of tokens) await openLink(token).throwOnError();
  const outcomes = await Promise.all(tokens.map((token) => decideByLink(token, 'yes')));
  expect(outcomes.filter(({ error }) => error === null)).toHaveLength(1);
  expect(await readDecisions(id)).toHaveLength(1);
  await admin.from('client_members').delete().eq('user_id', colleague.id).throwOnError();
});

describe('A link', () => {
  const EXPIRED = 'This link has expired. Sign in to see your open approvals.';

  test('expires after 14 days', async () => {
    const { token, id } = await requestApproval();
    await site.backend.database.query(
      `update private.mailed_links set expires_at = now() - interval '1 second' where approval_id = $1`,
      [id],
    );
    expect((await openLink(token)).data).toEqual({ refusal: EXPIRED });
    const deleteOld = async () =>
      (await site.backend.database.query('select private.delete_old_mailed_links(200) as deleted')).rows;
    expect(await deleteOld()).toEqual([{ deleted: 0 }]);
    await site.backend.database.query(
      `update private.mailed_links set expires_at = now() - interval '31 days' where approval_id = $1`,
      [id],
    );
    expect(await deleteOld()).toEqual([{ deleted: 1 }]);
  });

  test('stops working when its recipient becomes a viewer, and works again when they become an approver', async () => {
    const { token, id } = await requestApproval();
    await openLink(token).throwOnError();
    const setKind = (kind: string) =>
      site.service.from('client_members').update({ kind }).eq('user_id', fjell.member.id).throwOnError();
    await setKind('viewer');
    expect((await openLink(token)).data).toEqual({ refusal: EXPIRED });
    expect((await decideByLink(token, 'yes')).data).toBe(EXPIRED);
    expect(await readDecisions(id)).toEqual([]);
    await setKind('approver');
    expect((await openLink(token)).data).toMatchObject({ state: 'open' });
  });

  test('stops working when its recipient is removed from the client', async () => {
    const user = await site.signedIn('client');
    const havn = await newClient(site, admin, 'Havn AS');
    await admin.rpc('add_client_member', { _client_id: havn.id, _email: user.email }).throwOnError();
    const parameters = { _client_id: havn.id, _title: 'First', _text: 'Hello.' };
    await admin.rpc('ask_for_approval', parameters).throwOnError();
    const { rows } = await site.backend.database.query<{ path: string }>(
      `select variables ->> 'Path' as path from private.mail_queue
       where recipient = $1 and template = 'approval_asked'`,
      [user.email],
    );
    const token = rows[0]?.path.replace('/approve/', '') ?? '';
    expect((await openLink(token)).data).toMatchObject({ state: 'open' });
    await admin.from('client_members').delete().eq('user_id', user.id).throwOnError();
    expect((await openLink(token)).data).toEqual({ refusal: EXPIRED });
  });

  test.for([
    ['when the user ends all other sessions', (user: Member) => user.client.rpc('end_my_other_sessions')],
    [
      'when the user signs out of all sessions',
      (user: Member) => site.visitor.auth.admin.signOut(user.token, 'global'),
    ],
    ['when an admin ends the sessions', (user: Member) => admin.rpc('end_person_sessions', { _user_id: user.id })],
    ['when the account is banned', (user: Member) => ban(user.id, '1h')],
    [
      'permanently when the account is banned, even if the ban is lifted',
      async (user: Member) => [await ban(user.id, '1h'), await ban(user.id, 'none')][1],
    ],
    [
      'when the email address changes',
      (user: Member) => site.service.auth.admin.updateUserById(user.id, { email: `new-${user.email}` }),
    ],
  ] as const)('stops working %s', async ([, end]) => {
    const { user, token, id } = await addMemberWithLink();
    expect((await openLink(token)).data).toMatchObject({ state: 'open' });
    expect((await end(user))?.error).toBeNull();
    expect((await openLink(token)).data).toEqual({ refusal: EXPIRED });
    expect((await decideByLink(token, 'yes')).data).toBe(EXPIRED);
    expect(await readDecisions(id)).toEqual([]);
  });

  test('still works when the user signs out of one session, or another user ends their sessions', async () => {
    const { user, token } = await addMemberWithLink();
    await site.visitor.auth.admin.signOut(user.token, 'local');
    const otherUser = await site.signedIn('client');
    await otherUser.client.rpc('end_my_other_sessions').throwOnError();
    expect((await openLink(token)).data).toMatchObject({ state: 'open' });
  });

  const ban = (id: string, ban_duration: string) => site.service.auth.admin.updateUserById(id, { ban_duration });

  /** Adds an approver to a new client, and returns the token from their mail. */
  async function addMemberWithLink() {
    const user = await site.signedIn('client');
    const client = await newClient(site, admin, `Vik ${user.email}`);
    await admin.rpc('add_client_member', { _client_id: client.id, _email: user.email }).throwOnError();
    const parameters = { _client_id: client.id, _title: 'First', _text: 'Hello.' };
    const { data: id } = await admin.rpc('ask_for_approval', parameters).throwOnError();
    const { rows } = await site.backend.database.query<{ path: string }>(
      `select variables ->> 'Path' as path from private.mail_queue
       where recipient = $1 and template = 'approval_asked'`,
      [user.email],
    );
    return { user, id, token: rows[0]?.path.replace('/approve/', '') ?? '' };
  }

  test('with an unknown token is rejected with the same message as an expired link', async () => {
    expect((await openLink('0'.repeat(64))).data).toEqual({ refusal: EXPIRED });
    expect((await openLink(`${'0'.repeat(64)}' or true --`)).data).toEqual({ refusal: EXPIRED });
    expect((await openLink('x', 'short')).error?.code).toBe('22023');
  });
});

describe('The link to a list', () => {
  const ROWS = [
    { line: 2, company: 'Acme', domain: 'acme.no', person: 'Kari Moe', address: 'kari@acme.no' },
    { line: 3, company: 'Acme', domain: 'acme.no', person: 'Ola Dal', address: 'ola@acme.no' },
    { line: 4, company: 'Bre', person: 'Per Lie', address: 'per@bre.no' },
  ];
  const EXPIRED = 'This link has expired. Sign in to see your open approvals.';

  async function requestListApproval(): Promise<{ token: string; id: string }> {
    // A row that the client removed in an earlier test is included again.
    const rows = { _rows: ROWS, _restored_lines: [2] };
    const parameters = { _client_id: fjell.id, _title: 'Bakers', _text: 'In Oslo.', ...rows, _is_dry_run: false };
    const { data } = await fjell.worker.client.rpc('ask_for_list_approval', parameters).throwOnError();
    return { token: await takeMailedToken(), id: data.id };
  }
  const listRows = async (_token: string, _holder = HOLDER, options = {}) =>
    (await site.visitor.rpc('list_rows_by_link', { _token, _holder, ...options })).data;
  const vetoByLink = (_token: string, parameters: object, _holder = HOLDER) =>
    site.visitor.rpc('veto_by_link', { _token, _holder, ...parameters });
  const readVetoes = async (id: string) =>
    (await site.service.from('approval_vetoes').select('line, vetoed_by').eq('approval_id', id).order('line')).data;

  test('shows the rows to the browser that opened it and lets it remove a row or a company and decide', async () => {
    const { token, id } = await requestListApproval();
    expect(await listRows(token)).toEqual([]);
    expect((await vetoByLink(token, { _lines: [4] })).error?.message).toBe(EXPIRED);
    expect((await openLink(token)).data).toMatchObject({
      kind: 'list',
      state: 'open',
      text: 'In Oslo.',
      former_text: null,
    });
    expect(await listRows(token)).toMatchObject([
      { line: 2, person: 'Kari Moe', hint: 'k***@acme.no', is_vetoed: false, company_rows: 2, total: 3 },
      { line: 3 },
      { line: 4 },
    ]);
    expect(await listRows(token, HOLDER, { _search: 'PER' })).toMatchObject([{ line: 4, total: 1 }]);
    expect((await vetoByLink(token, { _domain: 'acme.no' })).data).toBe(2);
    expect((await vetoByLink(token, { _lines: [3], _restore: true })).data).toBe(1);
    expect(await readVetoes(id)).toEqual([{ line: 2, vetoed_by: fjell.member.id }]);
    expect(await listRows(token, HOLDER, { _only_vetoed: true })).toMatchObject([{ line: 2, is_vetoed: true }]);
    expect((await decideByLink(token, 'yes')).error).toBeNull();
    expect(await readDecisions(id)).toEqual([{ number: 1, verdict: 'yes', decided_by: fjell.member.id }]);
    expect((await vetoByLink(token, { _lines: [4] })).error?.message).toBe(EXPIRED);
    expect(await readVetoes(id)).toHaveLength(1);
  });

  test('rejects other browsers, and its rows cannot be changed through a link to an older or unrelated version', async () => {
    const { token, id } = await requestListApproval();
    await openLink(token).throwOnError();
    const textApproval = await requestApproval();
    await openLink(textApproval.token).throwOnError();
    expect(await listRows(token, OTHER_HOLDER)).toEqual([]);
    expect(await listRows(textApproval.token)).toEqual([]);
    expect((await vetoByLink(token, { _lines: [2] }, OTHER_HOLDER)).error?.message).toBe(EXPIRED);
    expect((await vetoByLink(textApproval.token, { _lines: [2] })).data).toBe(0);
    const nextVersion = { _client_id: fjell.id, _title: 'Bakers', _text: 'Again.', _rows: ROWS, _is_dry_run: false };
    await fjell.worker.client.rpc('ask_for_list_approval', { ...nextVersion, _approval_id: id }).throwOnError();
    expect((await openLink(token)).data).toMatchObject({ state: 'newer' });
    expect((await vetoByLink(token, { _lines: [2] })).error?.message).toContain('There is a newer version');
    expect((await decideByLink(token, 'yes')).error?.message).toContain('There is a newer version');
    expect(await readVetoes(id)).toEqual([]);
    await site.service.from('client_members').update({ kind: 'viewer' }).eq('user_id', fjell.member.id).throwOnError();
    expect(await listRows(token)).toEqual([]);
    await site.service
      .from('client_members')
      .update({ kind: 'approver' })
      .eq('user_id', fjell.member.id)
      .throwOnError();
    expect(await listRows(token)).toHaveLength(3);
  });
});

describe('The link to a file', () => {
  const bucket = (caller: SupabaseClient) => caller.storage.from('client-files');
  const uploadText = async (text: string) => {
    const file = new Blob([text], { type: 'text/plain' });
    const { data } = await bucket(fjell.worker.client).upload(`${fjell.id}/${crypto.randomUUID()}.txt`, file);
    return data?.path ?? '';
  };
  /** Creates a client that sends the link in a header, as the approval page does. */
  const clientWithLink = (link: string) =>
    createClient(site.url, PUBLISHABLE_KEY, {
      auth: { persistSession: false },
      global: { headers: { 'x-approval-link': link } },
    });
  const signUrl = async (caller: SupabaseClient, path: string) => (await bucket(caller).createSignedUrl(path, 60)).data;

  async function requestFileApproval(path: string): Promise<{ token: string; id: string }> {
    const { data: file } = await site.service.from('client_files').select('id').eq('object_name', path).single();
    const parameters = { _client_id: fjell.id, _title: 'Deck', _text: 'For the call.', _file_id: file?.id };
    const { data } = await fjell.worker.client.rpc('ask_for_file_approval', parameters).throwOnError();
    return { token: await takeMailedToken(), id: data };
  }

  test('opens only this file, only for the browser that opened the link, and accepts a decision', async () => {
    const [path, otherPath] = [await uploadText('Hei Fjell.'), await uploadText('Not requested.')];
    const { token, id } = await requestFileApproval(path);
    expect(await signUrl(clientWithLink(`${token}/${HOLDER}`), path)).toBeNull();
    expect((await openLink(token)).data).toMatchObject({
      kind: 'file',
      file: { object_name: path, mimetype: 'text/plain' },
    });
    const holderClient = clientWithLink(`${token}/${HOLDER}`);
    const { signedUrl = '' } = (await signUrl(holderClient, path)) ?? {};
    expect(await (await fetch(signedUrl)).text()).toBe('Hei Fjell.');
    expect((await bucket(holderClient).list(fjell.id)).data?.map(({ name }) => `${fjell.id}/${name}`)).toEqual([path]);
    expect(await signUrl(holderClient, otherPath)).toBeNull();
    expect((await bucket(holderClient).remove([path])).data ?? []).toEqual([]);
    for (const link of [`${token}/${OTHER_HOLDER}`, token, '', '/', `${token}/`, `${'0'.repeat(64)}/${HOLDER}`]) {
      expect(await signUrl(clientWithLink(link), path), link).toBeNull();
    }
    expect(await signUrl(site.visitor, path)).toBeNull();
    expect((await decideByLink(token, 'yes')).error).toBeNull();
    expect(await readDecisions(id)).toEqual([{ number: 1, verdict: 'yes', decided_by: fjell.member.id }]);
  });

  test('gives no access to the file after it expires', async () => {
    const path = await uploadText('Hei.');
    const { token, id } = await requestFileApproval(path);
    await openLink(token).throwOnError();
    expect(await signUrl(clientWithLink(`${token}/${HOLDER}`), path)).not.toBeNull();
    await site.backend.database.query(
      `update private.mailed_links set expires_at = now() - interval '1 second' where approval_id = $1`,
      [id],
    );
    expect(await signUrl(clientWithLink(`${token}/${HOLDER}`), path)).toBeNull();
  });
});

test('Attempts to open links are limited per network', async () => {
  const { token } = await requestApproval();
  const openFromAddress = (address: string, candidate: string) =>
    site.backend.database.transaction(async (tx) => {
      await tx.query(`select set_config('request.address', $1, true)`, [address]);
      return tx.query('select public.open_approval_link($1, $2)', [candidate, HOLDER]);
    });
  for (let attempt = 0; attempt < 60; attempt += 1) await openFromAddress('192.0.2.7', '0'.repeat(64));
  await expect(openFromAddress('192.0.2.7', token)).rejects.toMatchObject({ code: 'PT429' });
  expect((await openFromAddress('198.51.100.7', token)).rows).toMatchObject([
    { open_approval_link: { state: 'open' } },
  ]);
});
