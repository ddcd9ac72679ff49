/**
 * Quotes of client figures on case studies. Tests who can request, answer, withdraw and see them, and the text for
 * visitors.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const QUOTE_TEXT = '41 meetings booked, August–October 2025';

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
let project: string;
let number = 0;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
  await importLines(fjell, [
    { day: '2025-08-01', values: { meetings: 20 } },
    { day: '2025-10-31', values: { meetings: 21 } },
    { day: '2025-11-01', values: { meetings: 1000, replies: 1 } },
  ]);
});
afterAll(() => site.close());
beforeEach(async () => {
  number += 1;
  project = await newProject(`case-${number}`);
});

async function importLines(
  client: TestClient,
  lines: { day: string; values: Record<string, number> }[],
): Promise<string> {
  const rows = lines.map((line, index) => ({ campaign: client.campaign, ...line, line: index + 2 }));
  const file = { name: 'a.csv', hash: 'a'.repeat(64), period: 'day', column_map: {}, refused: 0 };
  const parameters = { _client_id: client.id, _file: file, _rows: rows, _is_dry_run: false };
  return (await client.worker.client.rpc('import_figures', parameters).throwOnError()).data.batch;
}

async function newProject(slug: string): Promise<string> {
  const row = { title: 'More meetings', slug, metric: 'As typed', status: 'published' };
  return (await admin.from('projects').insert(row).select('id').single().throwOnError()).data.id;
}

interface QuoteInput {
  metric?: string;
  first?: string;
  last?: string;
}

function requestQuote(client: SupabaseClient, { id }: TestClient, { metric, first, last }: QuoteInput = {}) {
  return client.rpc('ask_to_quote_figure', {
    _project_id: project,
    _client_id: id,
    _metric: metric ?? 'meetings',
    _first_day: first ?? '2025-08-01',
    _last_day: last ?? '2025-10-31',
  });
}

const newRequest = async (client = fjell, input: QuoteInput = {}): Promise<string> =>
  (await requestQuote(admin, client, input).throwOnError()).data;

function answerRequest(client: SupabaseClient, { id }: TestClient, _id: string, _answer: string, _value = 41) {
  return client.rpc('answer_figure_quote', { _client_id: id, _id, _answer, _value });
}

function withdrawConsent(client: SupabaseClient, { id }: TestClient, _id: string) {
  return client.rpc('withdraw_figure_quote', { _client_id: id, _id });
}

/** Returns the key metric of the project that `client` can see. */
async function readMetric(client = site.visitor): Promise<string> {
  const { data } = await client.from('projects').select('key_metric').eq('id', project).single().throwOnError();
  return data.key_metric;
}

async function readAllQuotes() {
  return (await site.service.from('figure_quotes').select().order('asked_at').throwOnError()).data;
}

/** Expects that `client` cannot request, answer, withdraw or change quotes of Fjell AS. */
async function expectNoAccess(client: SupabaseClient, id: string, isMember = false) {
  const before = await readAllQuotes();
  if (!isMember) {
    expect((await client.from('figure_quotes').select().eq('client_id', fjell.id)).data ?? []).toEqual([]);
    expect((await client.rpc('list_figure_quotes', { _client_id: fjell.id })).error?.code).toBe('42501');
  }
  expect((await requestQuote(client, fjell)).error?.code).toBe('42501');
  expect((await answerRequest(client, fjell, id, 'yes')).error?.code).toBe('42501');
  expect((await withdrawConsent(client, fjell, id)).error?.code).toBe('42501');
  expect((await client.rpc('end_figure_quote', { _project_id: project })).error?.code).toBe('42501');
  expect((await client.rpc('quote_of_project', { _project_id: project })).error?.code).toBe('42501');
  expect((await client.from('figure_quotes').insert({ client_id: fjell.id, project_id: project })).error?.code).toBe(
    '42501',
  );
  expect((await client.from('figure_quotes').update({ answer: 'yes' }).eq('id', id)).error?.code).toBe('42501');
  expect((await client.from('figure_quotes').delete().eq('id', id)).error?.code).toBe('42501');
  expect(await readAllQuotes()).toEqual(before);
}

test.each(capitalizedRoles(OUTSIDERS))(
  '%s without an assigned client cannot request, answer or read quotes',
  async (_label, role) => {
    const id = await newRequest();
    await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client, id);
  },
);

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot request, answer or read quotes',
  async (_label, role) => {
    const id = await newRequest();
    await expectNoAccess(havn[role].client, id);
    // The caller's own client ID gives no access either.
    expect((await answerRequest(havn[role].client, havn, id, 'yes')).error).not.toBeNull();
    expect(await readMetric()).toBe('As typed');
  },
);

test('Team members and viewers can read quotes, but cannot request, answer or withdraw them', async () => {
  const id = await newRequest();
  await expectNoAccess(fjell.worker.client, id, true);
  const viewer = await site.signedIn('client');
  await admin.rpc('add_client_member', { _client_id: fjell.id, _email: viewer.email, _kind: 'viewer' }).throwOnError();
  await expectNoAccess(viewer.client, id, true);
  for (const { client } of [fjell.worker, viewer, fjell.member]) {
    const { data } = await client.rpc('list_figure_quotes', { _client_id: fjell.id }).throwOnError();
    expect(data.find((quote: { id: string }) => quote.id === id)).toMatchObject({
      words: QUOTE_TEXT,
      value: 41,
      title: 'More meetings',
      path: `/projects?case=case-${number}`,
      answer: null,
    });
    expect((await client.from('figure_quotes').select('id').eq('id', id)).data).toEqual([{ id }]);
  }
  // An admin cannot answer for the client.
  expect((await answerRequest(admin, fjell, id, 'yes')).error?.code).toBe('42501');
});

test('The page shows the figure with its months until the consent is withdrawn', async () => {
  const id = await newRequest();
  const mail = await nextMail(site.dataFolder, fjell.member.email);
  expect(mail.text).toContain(`May we quote “${QUOTE_TEXT}”?`);
  expect(mail.text).toContain('“More meetings”');
  expect(await readMetric()).toBe('As typed');
  const { data: home } = await fjell.member.client.rpc('client_home', { _client_id: fjell.id }).throwOnError();
  expect(home.waiting).toContainEqual({ kind: 'quote', id, title: QUOTE_TEXT, due_on: null });
  await answerRequest(fjell.member.client, fjell, id, 'yes').throwOnError();
  for (const client of [site.visitor, havn.member.client, fjell.worker.client, admin]) {
    expect(await readMetric(client)).toBe(QUOTE_TEXT);
  }
  expect((await answerRequest(fjell.member.client, fjell, id, 'no')).error?.message).toContain('already answered this');
  await withdrawConsent(fjell.member.client, fjell, id).throwOnError();
  for (const client of [site.visitor, fjell.worker.client, admin]) expect(await readMetric(client)).toBe('As typed');
  expect((await withdrawConsent(fjell.member.client, fjell, id)).error?.message).toBe(
    'This consent has already been withdrawn.',
  );
  // The rows that visitors can read contain neither the client nor the figure.
  const { data } = await site.visitor.from('projects').select().eq('id', project).single().throwOnError();
  // IDs and timestamps can contain the same digits, so remove them.
  const row = JSON.stringify(data).replaceAll(/[\da-f]{8}-[\da-f-]{27}|\d{4}-\d\d-\d\dT[^"]*/g, '');
  expect(row).toContain('As typed');
  expect(row).not.toContain('41');
  expect(JSON.stringify(data)).not.toContain(fjell.id);
});

test('A declined figure is not shown, and its requester gets a mail', async () => {
  const requester = await site.signedIn('admin');
  const { data: id } = await requestQuote(requester.client, fjell).throwOnError();
  await answerRequest(fjell.member.client, fjell, id, 'no').throwOnError();
  expect(await readMetric()).toBe('As typed');
  expect((await nextMail(site.dataFolder, requester.email)).text).toContain(`Declined: “${QUOTE_TEXT}”`);
  expect((await requester.client.rpc('quote_of_project', { _project_id: project }).throwOnError()).data).toMatchObject({
    client: 'Fjell AS',
    answer: 'no',
  });
  // Another figure can then be requested.
  expect(
    (await requestQuote(admin, fjell, { metric: 'replies', first: '2025-11-01', last: '2025-11-30' })).error,
  ).toBeNull();
});

test('The page shows the current figure, or the entered text if the figure no longer exists', async () => {
  const vik = await newClient(site, admin, 'Vik AS');
  const batch = await importLines(vik, [{ day: '2025-03-05', values: { meetings: 1, pipeline: 1_200_000 } }]);
  const id = await newRequest(vik, { first: '2025-03-01', last: '2025-03-31' });
  await answerRequest(vik.member.client, vik, id, 'yes', 1).throwOnError();
  expect(await readMetric()).toBe('1 meeting booked, March 2025');
  await importLines(vik, [{ day: '2025-03-06', values: { meetings: 1 } }]);
  expect(await readMetric()).toBe('2 meetings booked, March 2025');
  await vik.worker.client.rpc('undo_import', { _client_id: vik.id, _batch_id: batch }).throwOnError();
  expect(await readMetric()).toBe('1 meeting booked, March 2025');
  const { data: imports } = await admin
    .from('import_batches')
    .select('id')
    .eq('client_id', vik.id)
    .is('undone_at', null);
  const importKey = { _client_id: vik.id, _batch_id: imports?.[0]?.id };
  await vik.worker.client.rpc('undo_import', importKey).throwOnError();
  expect(await readMetric()).toBe('As typed');
});

test('Consent applies only to the confirmed value on one page, and ends when the client is deleted', async () => {
  const vik = await newClient(site, admin, 'Nes AS');
  await importLines(vik, [{ day: '2024-12-31', values: { pipeline: 1_200_000 } }]);
  const id = await newRequest(vik, { metric: 'pipeline', first: '2024-12-01', last: '2025-01-31' });
  expect((await answerRequest(vik.member.client, vik, id, 'yes', 1)).error?.message).toContain('has changed');
  expect((await answerRequest(vik.member.client, vik, id, 'perhaps')).error?.code).toBe('23514');
  await answerRequest(vik.member.client, vik, id, 'yes', 1_200_000).throwOnError();
  expect(await readMetric()).toBe('1,200,000 NOK in pipeline, December 2024–January 2025');
  const quotedProject = project;
  project = await newProject(`copy-${number}`);
  expect(await readMetric()).toBe('As typed');
  project = quotedProject;
  await admin.from('clients').delete().eq('id', vik.id).throwOnError();
  expect(await readMetric()).toBe('As typed');
});

test('Restoring a project or an earlier version does not restore a withdrawn consent', async () => {
  const id = await newRequest();
  await answerRequest(fjell.member.client, fjell, id, 'yes').throwOnError();
  const { data: version } = await admin.from('projects').select().eq('id', project).single().throwOnError();
  expect(JSON.stringify(version)).not.toContain('41 meetings');
  await admin.from('projects').delete().eq('id', project).throwOnError();
  await withdrawConsent(fjell.member.client, fjell, id).throwOnError();
  await admin.from('projects').insert(version).throwOnError();
  expect(await readMetric()).toBe('As typed');
});

test('Fictional figures, unfinished months, missing figures and a second quote are rejected', async () => {
  const { data: sample } = await admin.rpc('add_sample_client').throwOnError();
  expect((await requestQuote(admin, { ...fjell, id: sample })).error?.message).toContain('are fictional');
  expect((await requestQuote(admin, fjell, { last: '2999-01-31' })).error?.message).toBe(
    'Only figures of past months can be quoted.',
  );
  expect((await requestQuote(admin, fjell, { metric: 'sent' })).error?.message).toBe(
    'There is no figure for this period.',
  );
  for (const invalid of [{ first: '2025-08-02' }, { last: '2025-10-30' }]) {
    expect((await requestQuote(admin, fjell, invalid)).error?.code).toBe('23514');
  }
  expect((await requestQuote(admin, fjell, { metric: 'open_rate' })).error?.code).toBe('23503');
  const id = await newRequest();
  expect((await requestQuote(admin, fjell)).error?.message).toContain('Remove it first.');
  await admin.rpc('end_figure_quote', { _project_id: project }).throwOnError();
  expect((await answerRequest(fjell.member.client, fjell, id, 'yes')).error?.message).toBe(
    'This request was withdrawn.',
  );
  expect((await requestQuote(admin, fjell)).error).toBeNull();
});

test('A figure is removed immediately, and metrics are visible only to roles that can read the project', async () => {
  await answerRequest(fjell.member.client, fjell, await newRequest(), 'yes').throwOnError();
  await admin.rpc('end_figure_quote', { _project_id: project }).throwOnError();
  expect(await readMetric()).toBe('As typed');
  expect((await site.visitor.rpc('key_metric', { id: project })).error?.code).toBe('PGRST202');
  await admin.from('projects').update({ status: 'draft' }).eq('id', project).throwOnError();
  expect((await site.visitor.from('projects').select('key_metric').eq('id', project)).data).toEqual([]);
});

test('Cached pages are invalidated only when a quoted figure changes', async () => {
  const notifications: string[] = [];
  await site.backend.database.listen('content_changed', (table) => notifications.push(table));
  await answerRequest(fjell.member.client, fjell, await newRequest(), 'yes').throwOnError();
  await expect.poll(() => notifications).toContain('figure_quotes');
  // Notifications arrive in commit order, so a later one proves that all earlier ones have been received.
  await admin.from('projects').update({ metric: 'Fence before' }).eq('id', project).throwOnError();
  await expect.poll(() => notifications).toContain('projects');
  notifications.length = 0;
  await importLines(fjell, [{ day: '2025-12-01', values: { meetings: 5 } }]);
  await importLines(havn, [{ day: '2025-09-01', values: { meetings: 5 } }]);
  await admin.from('projects').update({ metric: 'Fence' }).eq('id', project).throwOnError();
  await expect.poll(() => notifications).toContain('projects');
  expect(notifications).not.toContain('figure_quotes');
  await importLines(fjell, [{ day: '2025-09-01', values: { meetings: 1 } }]);
  await expect.poll(() => notifications).toContain('figure_quotes');
  expect(await readMetric()).toBe('42 meetings booked, August–October 2025');
});

test('The overview of a team member counts an open request until it is answered', async () => {
  const { client } = fjell.worker;
  const countOpenRequests = async () => (await client.rpc('team_overview').throwOnError()).data[0].waits_for_client;
  const before = await countOpenRequests();
  const id = await newRequest();
  expect(await countOpenRequests()).toBe(before + 1);
  await answerRequest(fjell.member.client, fjell, id, 'no', 42).throwOnError();
  expect(await countOpenRequests()).toBe(before);
});
