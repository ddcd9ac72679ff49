/** Access to a client's archive. Each reader gets only data they can also see elsewhere in the portal. */
import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PARTS = [
  'campaigns',
  'figures',
  'imports',
  'approvals',
  'meetings',
  'leads',
  'lead_changes',
  'leave_alone',
  'figures_on_the_site',
  'reports',
];

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
let hash: string;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
  const { client } = fjell.worker;
  const _client_id = fjell.id;
  const _file = { name: 'a.csv', hash: 'a'.repeat(64), period: 'week', column_map: {}, refused: 0 };
  for (const replies of [9, 4]) {
    const _rows = [{ line: 2, campaign: fjell.campaign, day: '2026-01-05', values: { replies } }];
    await client.rpc('import_figures', { _client_id, _file, _rows, _is_dry_run: false }).throwOnError();
  }
  const text = { _client_id, _title: 'First mail', _text: '=1+1' };
  const _approval_id = (await client.rpc('ask_for_approval', text).throwOnError()).data;
  const decision = { _client_id, _approval_id, _number: 1, _verdict: 'no', _comment: 'Say hello first.' };
  await fjell.member.client.rpc('decide_approval', decision).throwOnError();
  const meeting = { _client_id, _starts_at: '2026-01-02T09:00:00Z', _met_with: 'Kari', _outcome: 'held' };
  await client.rpc('save_client_meeting', meeting).throwOnError();
  const lead = { _client_id, _name: 'Kari', _words: 'Call me.' };
  const _lead = (await client.rpc('add_client_lead', lead).throwOnError()).data;
  const change = { _client_id, _id: _lead, _expected_status: 'new', _status: 'taken' };
  await client.rpc('change_client_lead', change).throwOnError();
  const list = { _client_id, _lines: [{ line: 1, text: 'ola@example.com' }], _is_dry_run: false };
  await client.rpc('add_do_not_contact', list).throwOnError();
  const page = { title: 'More replies', slug: 'more-replies', status: 'published' };
  const { data: project } = await admin.from('projects').insert(page).select('id').single().throwOnError();
  const figure = { _metric: 'replies', _first_day: '2026-01-01', _last_day: '2026-01-31' };
  const quote = { _project_id: project.id, _client_id, ...figure };
  const _id = (await admin.rpc('ask_to_quote_figure', quote).throwOnError()).data;
  const quoteAnswer = { _client_id, _id, _answer: 'yes', _value: 4 };
  await fjell.member.client.rpc('answer_figure_quote', quoteAnswer).throwOnError();
  await fjell.member.client.rpc('withdraw_figure_quote', { _client_id, _id }).throwOnError();
  for (const _first_day of ['2026-01-05', '2026-01-12']) {
    const _id = (await client.rpc('start_client_report', { _client_id, _span: 'week', _first_day }).throwOnError())
      .data;
    if (_first_day !== '2026-01-05') continue;
    const { content_hash: _content_hash } = (await client.rpc('client_report', { _id }).throwOnError()).data;
    hash = (await client.rpc('approve_client_report', { _client_id, _id, _content_hash }).throwOnError()).data;
  }
});
afterAll(() => site.close());

function readPart(caller: SupabaseClient, _part: string, _offset = 0, _client_id = fjell.id) {
  return caller.rpc('client_archive', { _client_id, _part, _offset });
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team']))(
  '%s without an assigned client cannot read the archive',
  async (_label, role) => {
    const caller = role === 'visitor' ? site.visitor : (await site.signedIn(role)).client;
    for (const part of PARTS) expect((await readPart(caller, part)).error?.code, part).toBe('42501');
  },
);

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot read the archive',
  async (_label, role) => {
    for (const part of PARTS) expect((await readPart(havn[role].client, part)).error?.code, part).toBe('42501');
  },
);

test('Members, team members and admins can read each part of the archive', async () => {
  for (const caller of [fjell.member.client, fjell.worker.client, admin]) {
    for (const part of PARTS) {
      expect((await readPart(caller, part).throwOnError()).data.length, part).toBe(
        part === 'imports' || part === 'figures' ? 2 : 1,
      );
      expect((await readPart(caller, part, 2).throwOnError()).data, part).toEqual([]);
    }
    expect((await readPart(caller, 'figures')).data).toMatchObject([
      { campaign: 'Campaign of Fjell AS', metric: 'replies', value: 4 },
      { campaign: null, metric: 'meetings', value: 1, import: null },
    ]);
    expect((await readPart(caller, 'meetings')).data).toMatchObject([
      { booked_on: '2026-01-02', campaign: null, with: 'Kari' },
    ]);
    expect((await readPart(caller, 'approvals')).data).toMatchObject([
      {
        title: 'First mail',
        version: 1,
        text: '=1+1',
        decision: 'no',
        comment: 'Say hello first.',
        sha256: sha256('=1+1'),
      },
    ]);
    expect((await readPart(caller, 'figures_on_the_site')).data).toMatchObject([
      {
        page: 'More replies',
        figure: expect.stringContaining('replies'),
        answer: 'yes',
        withdrawn_at: expect.any(String),
      },
    ]);
    const { data: reports } = await readPart(caller, 'reports').throwOnError();
    expect(reports).toMatchObject([{ name: '2026-01-05-week', hash }]);
    expect(sha256(reports[0].document)).toBe(hash);
    expect(JSON.parse(reports[0].document).decisions).toMatchObject([
      { version: 1, decision: 'no', sha256: sha256('=1+1') },
    ]);
    expect((await readPart(caller, 'everything')).error?.code).toBe('22023');
  }
});

test('A report lists each decision once, with the SHA-256 of the approved file', async () => {
  const { id: _client_id, worker, member } = await newClient(site, admin, 'Dal AS');
  const bytes = new TextEncoder().encode('offer');
  const object = `${_client_id}/${crypto.randomUUID()}.txt`;
  const { error } = await worker.client.storage
    .from('client-files')
    .upload(object, bytes, { contentType: 'text/plain', metadata: { name: 'offer.txt' } });
  expect(error).toBeNull();
  const file = await worker.client.from('client_files').select('id').eq('object_name', object).single().throwOnError();
  const approve = async (_first_day: string) => {
    const report = { _client_id, _span: 'week', _first_day };
    const _id = (await worker.client.rpc('start_client_report', report).throwOnError()).data;
    const { content_hash: _content_hash } = (await worker.client.rpc('client_report', { _id }).throwOnError()).data;
    await worker.client.rpc('approve_client_report', { _client_id, _id, _content_hash }).throwOnError();
    const { data } = await readPart(member.client, 'reports', 0, _client_id).throwOnError();
    return JSON.parse(data.find(({ id }: { id: string }) => id === _id).document).decisions;
  };
  expect(await approve('2026-01-05')).toEqual([]);
  const request = { _client_id, _title: 'Offer', _text: 'Our offer', _file_id: file.data.id };
  const _approval_id = (await worker.client.rpc('ask_for_file_approval', request).throwOnError()).data;
  const decision = { _client_id, _approval_id, _number: 1, _verdict: 'yes', _comment: '' };
  await member.client.rpc('decide_approval', decision).throwOnError();
  const expectedDecision = { approval: _approval_id, version: 1, decision: 'yes', sha256: sha256('offer') };
  expect(await approve('2026-01-12')).toMatchObject([expectedDecision]);
  expect(await approve('2026-01-19')).toEqual([]);
  const { data } = await readPart(member.client, 'approvals', 0, _client_id).throwOnError();
  expect(data).toMatchObject([{ title: 'Offer', sha256: sha256('offer') }]);
});

test('The archive omits team email addresses for client members and masks blocked addresses', async () => {
  const readArchiveText = async (caller: SupabaseClient) =>
    JSON.stringify(await Promise.all(PARTS.map(async (part) => (await readPart(caller, part)).data)));
  const memberArchive = await readArchiveText(fjell.member.client);
  expect(memberArchive).not.toContain(fjell.worker.email);
  expect(await readArchiveText(fjell.worker.client)).toContain(fjell.worker.email);
  expect(memberArchive).toContain('o***@example.com');
  expect(await readArchiveText(admin)).not.toContain('ola@example.com');
});
