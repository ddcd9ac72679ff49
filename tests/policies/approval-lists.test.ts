/** Approvals of lists. Tests who can request and read them, who can remove rows, and which lines are rejected. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const TABLES = ['approval_rows', 'approval_vetoes'] as const;
const ROWS = [
  { line: 2, company: 'Acme', domain: 'acme.no', person: 'Kari Moe, CEO', address: 'kari@acme.no' },
  { line: 3, company: 'Acme', domain: 'acme.no', person: 'Ola Dal', address: 'ola@acme.no' },
  { line: 4, company: 'Bre', person: 'Per Lie', address: 'per@bre.no' },
  { line: 5, company: 'Elv', domain: 'elv.no', person: 'Siri Vik' },
];

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
/** ID of an undecided list of Fjell AS. The client has removed its row on line 5. */
let openListId: string;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
  openListId = await newList(fjell);
  await vetoRows(fjell.member.client, fjell, openListId, { _lines: [5] }).throwOnError();
});
afterAll(() => site.close());

interface RequestInput {
  _rows?: readonly object[];
  _approval_id?: string;
  _is_dry_run?: boolean;
  _title?: string;
  _restored_lines?: number[];
  _file_sha256?: string;
}

function requestApproval(client: SupabaseClient, { id }: TestClient, request: RequestInput = {}) {
  const parameters = { _client_id: id, _title: 'Bakers', _text: 'Bakers in Oslo.', _rows: ROWS, _is_dry_run: false };
  return client.rpc('ask_for_list_approval', { ...parameters, ...request });
}

async function newList(client: TestClient, request: RequestInput = {}): Promise<string> {
  return (await requestApproval(client.worker.client, client, request).throwOnError()).data.id;
}

interface VetoInput {
  _number?: number;
  _lines?: number[];
  _domain?: string;
  _add_to_blocklist?: boolean;
  _restore?: boolean;
}

function vetoRows(client: SupabaseClient, { id }: TestClient, _approval_id: string, input: VetoInput) {
  return client.rpc('veto_rows', { _client_id: id, _approval_id, _number: 1, ...input });
}

function listRows(client: SupabaseClient, { id }: TestClient, _approval_id: string, options: object = {}) {
  return client.rpc('list_approval_rows', { _client_id: id, _approval_id, _number: 1, ...options });
}

function listApprovedLines(client: SupabaseClient, { id }: TestClient, _approval_id: string, _number = 1) {
  return client.rpc('list_approved_lines', { _client_id: id, _approval_id, _number });
}

function decide({ id, member }: TestClient, _approval_id: string, _verdict = 'yes', _number = 1) {
  const decision = { _client_id: id, _approval_id, _number, _verdict, _comment: 'Because.' };
  return member.client.rpc('decide_approval', decision).throwOnError();
}

async function readAllRows() {
  const responses = await Promise.all(TABLES.map((table) => site.service.from(table).select().order('line')));
  return responses.map(({ data }) => data);
}

/** Expects that `client` cannot read or change the list of Fjell AS. */
async function expectNoAccess(client: SupabaseClient) {
  const before = await readAllRows();
  for (const table of TABLES) {
    expect((await client.from(table).select().eq('client_id', fjell.id)).data ?? []).toEqual([]);
  }
  expect((await listRows(client, fjell, openListId)).error?.code).toBe('42501');
  expect((await listApprovedLines(client, fjell, openListId)).error?.code).toBe('42501');
  for (const _is_dry_run of [true, false]) {
    expect((await requestApproval(client, fjell, { _is_dry_run })).error?.code).toBe('42501');
    expect((await requestApproval(client, fjell, { _is_dry_run, _approval_id: openListId })).error?.code).toBe('42501');
  }
  expect((await vetoRows(client, fjell, openListId, { _lines: [2] })).error?.code).toBe('42501');
  expect((await vetoRows(client, fjell, openListId, { _lines: [5], _restore: true })).error?.code).toBe('42501');
  expect(await readAllRows()).toEqual(before);
}

test.each(capitalizedRoles(OUTSIDERS))(
  '%s without an assigned client cannot request, read or change a list',
  async (_label, role) => {
    await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
  },
);

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot request, read or change a list',
  async (_label, role) => {
    const { client } = havn[role];
    await expectNoAccess(client);
    // The caller's own client ID gives no access either.
    const before = await readAllRows();
    expect((await listRows(client, havn, openListId)).data).toEqual([]);
    expect((await vetoRows(client, havn, openListId, { _lines: [2] })).error).not.toBeNull();
    expect((await requestApproval(client, havn, { _approval_id: openListId })).error).not.toBeNull();
    expect(await readAllRows()).toEqual(before);
  },
);

test('Rows cannot be inserted, updated or deleted without the functions', async () => {
  const before = await readAllRows();
  for (const client of [fjell.member.client, fjell.worker.client, admin]) {
    for (const table of TABLES) {
      const { data } = await client.from(table).select().eq('client_id', fjell.id);
      expect(data?.length).toBeGreaterThan(0);
      const [row] = data ?? [];
      expect((await client.from(table).insert(row)).error?.code).toBe('42501');
      expect((await client.from(table).update(row).eq('client_id', fjell.id)).error?.code).toBe('42501');
      expect((await client.from(table).delete().eq('client_id', fjell.id)).error?.code).toBe('42501');
    }
  }
  expect(await readAllRows()).toEqual(before);
});

test('Only the team can request an approval, and only the client can remove rows', async () => {
  for (const client of [fjell.worker.client, admin]) {
    const { data } = await requestApproval(client, fjell, { _restored_lines: [2, 5] }).throwOnError();
    expect(data).toMatchObject({ new: 4, refused: 0, companies: 3 });
    expect((await vetoRows(client, fjell, data.id, { _lines: [2] })).error?.code).toBe('42501');
    expect((await requestApproval(fjell.member.client, fjell, { _approval_id: data.id })).error?.code).toBe('42501');
    expect((await vetoRows(fjell.member.client, fjell, data.id, { _lines: [2] })).data).toBe(1);
  }
});

test('The client can see and search the reason why a row is on the list', async () => {
  const _rows = ROWS.map((row, index) => ({ ...row, ...(index === 0 && { note: ' Hires two\nbakers ' }) }));
  const id = await newList(fjell, { _rows, _restored_lines: [2, 5] });
  const { data } = await listRows(fjell.member.client, fjell, id);
  expect(data?.map(({ note }: { note: string }) => note)).toEqual(['Hires two bakers', '', '', '']);
  expect((await listRows(fjell.member.client, fjell, id, { _search: 'two bakers' })).data).toHaveLength(1);
});

test('Rows and vetoes cannot refer to a version of another client', async () => {
  const key = { client_id: havn.id, approval_id: openListId, number: 1, line: 2 };
  for (const table of TABLES) expect((await site.service.from(table).insert(key)).error?.code).toBe('23503');
});

test('Blocked, invalid and duplicate rows are rejected with a reason for each line', async () => {
  const nes = await newClient(site, admin, 'Nes AS');
  const blocklist = ['rival.no', 'kari@acme.no'].map((text, index) => ({ line: index + 1, text }));
  await nes.member.client
    .rpc('add_do_not_contact', { _client_id: nes.id, _lines: blocklist, _is_dry_run: false })
    .throwOnError();
  const lines = [
    { line: 2, company: 'Acme', address: 'KARI@acme.no' },
    { line: 3, company: 'Acme', address: 'ola@acme.no' },
    { line: 4, company: 'Rival', domain: 'mail.rival.no', person: 'Per' },
    { line: 5, address: 'per@post.rival.no' },
    { line: 6, address: 'Ola@acme.no' },
    { line: 7, person: 'Siri Vik' },
    { line: 8, address: '=cmd()' },
    { line: 9, address: 'ola at acme.no' },
    { line: 10, domain: 'not a domain' },
    { line: 11, company: 'Rivaling', domain: 'notrival.no' },
  ];
  const trial = (await requestApproval(nes.worker.client, nes, { _rows: lines, _is_dry_run: true }).throwOnError())
    .data;
  expect(trial).toMatchObject({ id: null, new: 2, refused: 8, companies: 2 });
  const reasonByLine = new Map(
    trial.examples.map(({ line, reason }: { line: number; reason: string }) => [line, reason]),
  );
  expect(Object.fromEntries(reasonByLine)).toEqual({
    2: 'On the blocklist: k***@acme.no.',
    3: null,
    4: 'On the blocklist: rival.no.',
    5: 'On the blocklist: rival.no.',
    6: 'Same as line 3.',
    7: 'The row has no email address and no domain.',
    8: 'Starts with =, +, - or @ like a formula.',
    9: 'Not a valid email address.',
    10: 'Not a valid domain. Use a domain such as example.com.',
    11: null,
  });
  const id = await newList(nes, { _rows: lines });
  expect((await listRows(nes.member.client, nes, id)).data).toMatchObject([
    { line: 3, hint: 'o***@acme.no' },
    { line: 11 },
  ]);
  expect(JSON.stringify((await nes.worker.client.from('approval_rows').select()).data)).not.toContain('ola@acme');
  expect((await requestApproval(nes.worker.client, nes, { _rows: [lines[0] ?? {}] })).error?.message).toContain(
    'no valid rows',
  );
});

test('The client can remove all rows of a company, restore them and add the company to the blocklist', async () => {
  const nes = await newClient(site, admin, 'Nes AS');
  const id = await newList(nes);
  const { client } = nes.member;
  expect((await vetoRows(client, nes, id, { _domain: 'acme.no' })).data).toBe(2);
  expect((await listRows(client, nes, id, { _only_vetoed: true })).data).toMatchObject([
    { line: 2, is_vetoed: true, company_rows: 2, total: 2 },
    { line: 3 },
  ]);
  expect((await vetoRows(client, nes, id, { _domain: 'acme.no', _restore: true })).data).toBe(2);
  expect((await vetoRows(client, nes, id, { _domain: '' })).data).toBe(0);
  expect((await client.from('do_not_contact').select()).data).toEqual([]);
  const response = await vetoRows(client, nes, id, { _lines: [5], _add_to_blocklist: true });
  expect(response.error?.message).toContain('has no email address');
  expect((await listRows(client, nes, id, { _only_vetoed: true })).data).toEqual([]);
  expect((await vetoRows(client, nes, id, { _lines: [4], _add_to_blocklist: true })).data).toBe(1);
  expect((await vetoRows(client, nes, id, { _domain: 'acme.no', _add_to_blocklist: true })).data).toBe(2);
  const { data: blocked } = await client.from('do_not_contact').select('kind, hint').order('hint').throwOnError();
  expect(blocked).toEqual([
    { kind: 'domain', hint: 'acme.no' },
    { kind: 'address', hint: 'p***@bre.no' },
  ]);
  expect((await client.rpc('list_approvals', { _client_id: nes.id })).data).toMatchObject([
    { id, kind: 'list', row_count: 4, veto_count: 3 },
  ]);
  // A removed row is left out of the next version, even if its company is not on the blocklist.
  await vetoRows(client, nes, id, { _lines: [5] }).throwOnError();
  const nextVersion = await requestApproval(nes.worker.client, nes, {
    _approval_id: id,
    _rows: [...ROWS, { line: 9, domain: 'foss.no' }],
  });
  expect(nextVersion.data).toMatchObject({ new: 1, refused: 3, removed: 1 });
  expect(nextVersion.data.examples).toContainEqual(
    expect.objectContaining({
      line: 5,
      state: 'removed',
      reason: expect.stringMatching(/^Removed by .* from “Bakers”/),
    }),
  );
});

test('A row that the client removed is left out of later lists until the team includes it and the client approves', async () => {
  const nes = await newClient(site, admin, 'Nes AS');
  await site.backend.database.query(`update auth.users set raw_user_meta_data = '{"name": "Kari"}' where id = $1`, [
    nes.member.id,
  ]);
  const first = await newList(nes);
  await vetoRows(nes.member.client, nes, first, { _lines: [2, 5] }).throwOnError();
  await decide(nes, first);
  const trial = { _is_dry_run: true, _title: 'Cafés' };
  const day = new Date().toLocaleDateString('en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'Europe/Oslo' },
  });
  const reason = `Removed by Kari on ${day} from “Bakers”.`;
  const { data: unchecked } = await requestApproval(nes.worker.client, nes, trial).throwOnError();
  expect(unchecked).toMatchObject({ new: 2, removed: 2, refused: 0 });
  expect(unchecked.examples.filter(({ state }: { state: string }) => state === 'removed')).toMatchObject([
    { line: 2, reason },
    { line: 5, reason },
  ]);
  // Removals of one client do not affect another.
  expect((await requestApproval(havn.worker.client, havn, trial).throwOnError()).data).toMatchObject({ removed: 0 });
  const second = await newList(nes, { _title: 'Cafés', _restored_lines: [2] });
  expect((await listRows(nes.member.client, nes, second)).data?.map(({ line }: { line: number }) => line)).toEqual([
    2, 3, 4,
  ]);
  expect((await requestApproval(nes.worker.client, nes, trial).throwOnError()).data).toMatchObject({ removed: 2 });
  await decide(nes, second);
  const { data: afterApproval } = await requestApproval(nes.worker.client, nes, trial).throwOnError();
  expect(afterApproval).toMatchObject({ new: 3, removed: 1 });
});

test('Only the team can list the approved lines of a file, after the client has approved it', async () => {
  const nes = await newClient(site, admin, 'Nes AS');
  const id = await newList(nes, { _file_sha256: 'a'.repeat(64) });
  await vetoRows(nes.member.client, nes, id, { _domain: 'acme.no' }).throwOnError();
  expect((await listApprovedLines(nes.worker.client, nes, id)).error?.message).toBe(
    'The client has not approved this version.',
  );
  await decide(nes, id);
  for (const client of [nes.worker.client, admin]) {
    const expected = { file_sha256: 'a'.repeat(64), lines: [4, 5] };
    expect((await listApprovedLines(client, nes, id).throwOnError()).data).toEqual(expected);
  }
  expect((await listApprovedLines(nes.member.client, nes, id)).error?.code).toBe('42501');
  expect((await listApprovedLines(havn.worker.client, havn, id)).error?.message).toContain('has not approved');
  const { data } = await nes.worker.client.rpc('list_approvals', { _client_id: nes.id }).throwOnError();
  expect(data).toMatchObject([{ list_sha256: 'a'.repeat(64) }]);
  expect((await requestApproval(nes.worker.client, nes, { _file_sha256: 'none' })).error?.code).toBe('23514');
  const declined = await newList(nes, { _restored_lines: [2, 3], _file_sha256: 'b'.repeat(64) });
  await decide(nes, declined, 'no');
  expect((await listApprovedLines(nes.worker.client, nes, declined)).error?.message).toContain('has not approved');
});

test('Rows of a decided or older version cannot be removed or restored', async () => {
  const id = await newList(fjell);
  const { client } = fjell.member;
  await vetoRows(client, fjell, id, { _lines: [2] }).throwOnError();
  const decision = { _client_id: fjell.id, _approval_id: id, _number: 1, _verdict: 'yes' };
  const edited = { ...decision, _verdict: 'changes', _edited_text: 'Other.' };
  expect((await client.rpc('decide_approval', edited)).error?.message).toContain('Only texts can be edited here');
  await client.rpc('decide_approval', decision).throwOnError();
  for (const _restore of [false, true]) {
    const response = await vetoRows(client, fjell, id, { _lines: [2, 3], _restore });
    expect(response.error?.message).toBe('A colleague has already decided on this version.');
  }
  await requestApproval(fjell.worker.client, fjell, {
    _approval_id: id,
    _rows: [{ line: 2, domain: 'foss.no' }],
  }).throwOnError();
  expect((await vetoRows(client, fjell, id, { _lines: [3] })).error?.message).toContain('There is a newer version');
  expect((await vetoRows(client, fjell, id, { _number: 2, _lines: [2] })).data).toBe(1);
  const text = { _client_id: fjell.id, _title: 'A', _text: 'Text.', _approval_id: id };
  expect((await fjell.worker.client.rpc('ask_for_approval', text)).error?.message).toContain('the same type');
});

test('A list can have 5,000 rows, which are returned in pages and found by a part of any word', async () => {
  const maximumRows = Array.from({ length: 5000 }, (_, index) => ({
    line: index + 2,
    company: `Company ${index}`,
    domain: `c${index}.no`,
    person: `Person ${index}`,
    address: `p@c${index}.no`,
  }));
  expect((await requestApproval(fjell.worker.client, fjell, { _rows: [...maximumRows, {}] })).error?.message).toContain(
    'at most 5,000',
  );
  const id = await newList(fjell, { _rows: maximumRows });
  const { client } = fjell.member;
  const { data } = await listRows(client, fjell, id, { _offset: 24 });
  expect(data).toHaveLength(24);
  expect(data?.[0]).toMatchObject({ line: 26, total: 5000 });
  expect((await listRows(client, fjell, id, { _search: 'COMPANY 4999' })).data).toMatchObject([
    { line: 5001, total: 1 },
  ]);
  expect((await listRows(client, fjell, id, { _search: '%' })).data).toEqual([]);
});

test('A removed member has no access, but their vetoes remain and are in their data export', async () => {
  const user = await site.signedIn('client');
  await admin.rpc('add_client_member', { _client_id: fjell.id, _email: user.email }).throwOnError();
  await vetoRows(user.client, fjell, openListId, { _lines: [4] }).throwOnError();
  expect((await user.client.rpc('my_data').throwOnError()).data.removed_list_rows).toMatchObject([{ line: 4 }]);
  await admin.from('client_members').delete().eq('user_id', user.id).throwOnError();
  await expectNoAccess(user.client);
  expect((await listRows(fjell.member.client, fjell, openListId, { _only_vetoed: true })).data).toMatchObject([
    { line: 4 },
    { line: 5 },
  ]);
});

test('Blocking an address of a shared email provider does not block other addresses of that provider', async () => {
  const createRow = (address: string, line: number, domain = '') => ({
    line,
    person: `Person ${line}`,
    address,
    domain,
  });
  const _rows = [
    createRow('kari@gmail.com', 2),
    createRow('ola@gmail.com', 3, 'GMail.com'),
    createRow('siri@elv.no', 4),
  ];
  expect(
    (await requestApproval(fjell.worker.client, fjell, { _rows, _is_dry_run: true }).throwOnError()).data,
  ).toMatchObject({
    ...{ new: 3, refused: 0, companies: 1 },
  });
  const listId = await newList(fjell, { _rows });
  expect(
    (await listRows(fjell.member.client, fjell, listId)).data?.map(({ domain }: { domain: string }) => domain),
  ).toEqual([...['', '', 'elv.no']]);
  const byDomain = { _domain: 'gmail.com', _add_to_blocklist: true };
  expect((await vetoRows(fjell.member.client, fjell, listId, byDomain).throwOnError()).data).toBe(0);
  await vetoRows(fjell.member.client, fjell, listId, { _lines: [2], _add_to_blocklist: true }).throwOnError();
  const secondTrial = await requestApproval(fjell.worker.client, fjell, { _rows, _is_dry_run: true }).throwOnError();
  expect(secondTrial.data).toMatchObject({ new: 2, refused: 1 });
  const lines = ['gmail.com', 'elv.no'].map((text, index) => ({ line: index + 1, text }));
  const blocklistInput = { _client_id: fjell.id, _lines: lines, _is_dry_run: true };
  expect((await fjell.member.client.rpc('add_do_not_contact', blocklistInput).throwOnError()).data).toMatchObject({
    ...{ new: 1, refused: 1 },
    examples: [{ reason: 'This is a shared email provider. Enter single addresses instead.' }, { state: 'new' }],
  });
});
