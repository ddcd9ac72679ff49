/** Imports of figures. Tests the results, the rejected lines and the undo. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
let target: TestClient;
let team: SupabaseClient;
let number = 0;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
});
afterAll(() => site.close());
beforeEach(async () => {
  number += 1;
  target = await newClient(site, admin, `Client ${number}`);
  team = target.worker.client;
});

interface Line {
  day: string;
  values: Record<string, number | undefined>;
  campaign?: string | undefined;
}

interface NewCampaign {
  id: string;
  name: string;
  channel: string;
}

function callImport(
  lines: Line[],
  { name = 'a.csv', period = 'day', isTrial = false, campaigns = [] as readonly NewCampaign[] } = {},
) {
  return team.rpc('import_figures', {
    _client_id: target.id,
    _file: { name, hash: 'a'.repeat(64), period, column_map: {}, refused: 0, campaigns: [...campaigns] },
    _rows: lines.map((line, index) => ({ campaign: target.campaign, ...line, line: index + 2 })),
    _is_dry_run: isTrial,
  });
}

async function importLines(lines: Line[], options?: Parameters<typeof callImport>[1]) {
  return (await callImport(lines, options).throwOnError()).data;
}

async function undoImport(batch: string) {
  return (await team.rpc('undo_import', { _client_id: target.id, _batch_id: batch }).throwOnError()).data;
}

/** Returns the current figures in the form '2026-11-16 sent 10'. */
async function readFigures(): Promise<string[]> {
  const { data } = await team
    .from('campaign_figures')
    .select('first_day, metric, value')
    .eq('client_id', target.id)
    .order('first_day')
    .order('metric')
    .throwOnError();
  return data.map(({ first_day, metric, value }) => `${first_day} ${metric} ${value}`);
}

test('A trial reports the effect of an import without changing anything', async () => {
  await importLines([
    { day: '2026-11-16', values: { sent: 10, replies: 1 } },
    { day: '2026-11-17', values: { sent: 20 } },
  ]);
  const lines = [
    { day: '2026-11-16', values: { sent: 10, replies: 2 } },
    { day: '2026-11-18', values: { sent: 30 } },
    { day: '2026-11-19', values: { sent: 5 }, campaign: crypto.randomUUID() },
  ];
  const trial = await importLines(lines, { isTrial: true });
  expect(trial).toMatchObject({
    new: 1,
    changed: 1,
    same: 1,
    refused: 1,
    examples: [
      { state: 'changed', line: 2, metric: 'replies', before: 1, value: 2 },
      { state: 'new', line: 3, metric: 'sent', day: '2026-11-18', value: 30 },
      { state: 'refused', line: 4, reason: 'Campaign not found.' },
    ],
  });
  expect(await readFigures()).toEqual(['2026-11-16 replies 1', '2026-11-16 sent 10', '2026-11-17 sent 20']);
  expect(await importLines(lines)).toMatchObject({ new: 1, changed: 1, same: 1, refused: 1 });
  expect(await readFigures()).toEqual([
    '2026-11-16 replies 2',
    '2026-11-16 sent 10',
    '2026-11-17 sent 20',
    '2026-11-18 sent 30',
  ]);
});

test('Importing the same file again changes nothing and creates no import', async () => {
  const lines = [{ day: '2026-11-16', values: { sent: 10, meetings: 0 } }];
  await importLines(lines);
  expect(await importLines(lines)).toEqual({ new: 0, changed: 0, same: 2, refused: 0, examples: [] });
  const { data } = await team.rpc('client_imports', { _client_id: target.id }).throwOnError();
  expect(data).toHaveLength(1);
});

test('A week and one of its days cannot both have a figure', async () => {
  await importLines([{ day: '2026-11-09', values: { sent: 70 } }], { period: 'week' });
  await importLines([{ day: '2026-11-18', values: { sent: 3 } }]);
  const days = await importLines(
    ['2026-11-08', '2026-11-09', '2026-11-15', '2026-11-16'].map((day) => ({ day, values: { sent: 1 } })),
  );
  expect(days).toMatchObject({ new: 2, refused: 2 });
  const reason = "This day's week already has a weekly figure.";
  expect(days.examples).toMatchObject([{ state: 'new' }, { line: 3, reason }, { line: 4, reason }, { state: 'new' }]);
  const weeks = await importLines(
    [
      { day: '2026-11-16', values: { sent: 70, replies: 7 } },
      { day: '2026-11-10', values: { replies: 7 } },
    ],
    { period: 'week' },
  );
  expect(weeks).toMatchObject({ new: 1, refused: 2 });
  expect(weeks.examples).toMatchObject([
    { metric: 'replies', state: 'new' },
    { metric: 'sent', reason: 'Some days of this week already have their own figures.' },
    { line: 3, reason: "This client's weeks start on Monday." },
  ]);
  // The table also rejects a direct write with the secret key.
  const { data } = await site.service.from('campaign_figures').select().eq('first_day', '2026-11-09').single();
  const response = await site.service
    .from('campaign_figures')
    .insert({ ...data, first_day: '2026-11-15', last_day: '2026-11-15' });
  expect(response.error?.code).toBe('23P01');
});

test('Invalid lines are rejected one by one with a reason', async () => {
  const tomorrow = new Date(Date.now() + 2 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const result = await importLines([
    { day: '2026-11-16', values: { sent: 1 } },
    { day: '2026-11-16', values: { sent: 2 } },
    { day: tomorrow, values: { sent: 3 } },
    { day: '1999-12-31', values: { sent: 4 } },
    { day: '2026-11-17', values: { sent: 5 } },
  ]);
  expect(result).toMatchObject({ new: 1, refused: 4 });
  const duplicateReason = 'Another line has a figure for the same campaign and period.';
  expect(result.examples.map(({ reason }: { reason: string | null }) => reason)).toEqual([
    duplicateReason,
    duplicateReason,
    'This day is in the future.',
    'This day is before 2000.',
    null,
  ]);
  for (const values of [{ sent: -1 }, { open_rate: 1 }, { sent: 1.5 }]) {
    expect((await callImport([{ day: '2026-11-18', values }])).error).not.toBeNull();
  }
  expect(await readFigures()).toEqual(['2026-11-17 sent 5']);
  const tooManyLines = Array.from({ length: 20_001 }, () => ({ day: '2026-11-18', values: { sent: 1 } }));
  expect((await callImport(tooManyLines)).error?.message).toBe('A file can have at most 20,000 lines.');
});

test('A deleted campaign rejects figures until it is restored', async () => {
  const line = { day: '2026-11-16', values: { sent: 1 } };
  const key = { _client_id: target.id, _campaign_id: target.campaign };
  await team.rpc('delete_campaign', key).throwOnError();
  const rejection = { new: 0, refused: 1, examples: [{ reason: 'This campaign was deleted. Restore it first.' }] };
  expect(await importLines([line])).toMatchObject(rejection);
  expect(await readFigures()).toEqual([]);
  await team.rpc('restore_campaign', key).throwOnError();
  expect(await importLines([line])).toMatchObject({ new: 1, refused: 0 });
  expect(await readFigures()).toEqual(['2026-11-16 sent 1']);
});

test('Undoing an import restores the figures it replaced', async () => {
  await importLines([{ day: '2026-11-16', values: { sent: 10 } }]);
  const second = await importLines([
    { day: '2026-11-16', values: { sent: 11 } },
    { day: '2026-11-17', values: { sent: 20 } },
  ]);
  expect(await undoImport(second.batch)).toEqual({ removed: 1, restored: 1, kept: { count: 0, examples: [] } });
  expect(await readFigures()).toEqual(['2026-11-16 sent 10']);
  const response = await team.rpc('undo_import', { _client_id: target.id, _batch_id: second.batch });
  expect(response.error?.message).toBe('This import was not found or has already been undone.');
  const { data } = await team.rpc('client_imports', { _client_id: target.id }).throwOnError();
  expect(data).toMatchObject([{ undone_at: expect.any(String) }, { undone_at: null }]);
});

test('Undoing an import keeps and lists figures from a later import, which can also be undone', async () => {
  await importLines([{ day: '2026-11-16', values: { sent: 10 } }]);
  const second = await importLines([
    { day: '2026-11-16', values: { sent: 11 } },
    { day: '2026-11-17', values: { sent: 20 } },
  ]);
  const thirdImport = await importLines([{ day: '2026-11-16', values: { sent: 12 } }], { name: 'later.csv' });
  expect(await undoImport(second.batch)).toEqual({
    removed: 1,
    restored: 0,
    kept: {
      count: 1,
      examples: [
        { campaign: `Campaign of Client ${number}`, metric: 'sent', day: '2026-11-16', value: 12, file: 'later.csv' },
      ],
    },
  });
  expect(await readFigures()).toEqual(['2026-11-16 sent 12']);
  expect(await undoImport(thirdImport.batch)).toMatchObject({ removed: 0, restored: 1 });
  expect(await readFigures()).toEqual(['2026-11-16 sent 10']);
});

test('The figures behind a sum add up to it across all campaigns', async () => {
  const { data: otherCampaign } = await team
    .from('campaigns')
    .insert({ client_id: target.id, name: 'Other', channel: 'linkedin' })
    .select('id')
    .single()
    .throwOnError();
  await importLines(
    ['2026-11-15', '2026-11-16', '2026-11-22', '2026-11-23'].flatMap((day, index) => [
      { day, values: { sent: 10 ** index } },
      { day, values: { sent: 2 * 10 ** index }, campaign: otherCampaign.id },
    ]),
  );
  const week = { _client_id: target.id, _from: '2026-11-16', _until: '2026-11-22' };
  const { data: sums } = await team.rpc('figure_sums', week).throwOnError();
  expect(sums.map(({ value }: { value: number }) => value)).toEqual([30, 300]);
  const { data: details } = await team.rpc('figure_details', { ...week, _metric: 'sent' }).throwOnError();
  expect(details.campaigns.map(({ rows }: { rows: { value: number }[] }) => rows.map(({ value }) => value))).toEqual([
    [10, 100],
    [20, 200],
  ]);
  expect(details.imports).toHaveLength(1);
});

test('Sums are limited to the requested metrics, and include all metrics by default', async () => {
  await importLines([{ day: '2026-11-16', values: { sent: 30, replies: 3, meetings: 1 } }]);
  const readSums = async (options: object) => {
    const days = { _client_id: target.id, _from: '2026-11-16', _until: '2026-11-16' };
    const { data } = await team.rpc('figure_sums', { ...days, ...options }).throwOnError();
    return data.map(({ metric, value }: { metric: string; value: number }) => `${metric} ${value}`);
  };
  expect(await readSums({ _metrics: ['sent', 'meetings', 'delivered'] })).toEqual(['meetings 1', 'sent 30']);
  expect(await readSums({ _metrics: [] })).toEqual([]);
  expect(await readSums({})).toEqual(['meetings 1', 'replies 3', 'sent 30']);
});

test('Concurrent imports run one after the other without losing figures', async () => {
  const results = await Promise.all(
    [1, 2, 3, 4].map((value) => importLines([{ day: '2026-11-16', values: { sent: value } }])),
  );
  expect(results.map((result) => result.new).toSorted()).toEqual([0, 0, 0, 1]);
  expect(await readFigures()).toHaveLength(1);
});

test('Figures and imports are deleted with their client, but not with a campaign or an account', async () => {
  await importLines([{ day: '2026-11-16', values: { sent: 10 } }]);
  await site.service.auth.admin.deleteUser(target.worker.id);
  const { data: imports } = await admin.rpc('client_imports', { _client_id: target.id }).throwOnError();
  expect(imports).toMatchObject([{ file_name: 'a.csv', imported_by: '' }]);
  const { data: campaigns } = await admin.from('campaigns').select('id').eq('client_id', target.id).throwOnError();
  for (const { id } of campaigns) {
    await admin.rpc('delete_campaign', { _client_id: target.id, _campaign_id: id }).throwOnError();
  }
  expect((await admin.from('campaign_figures').select().eq('client_id', target.id)).data).toHaveLength(1);
  await admin.from('clients').delete().eq('id', target.id).throwOnError();
  for (const table of ['campaign_figures', 'import_batches']) {
    expect((await site.service.from(table).select().eq('client_id', target.id)).data).toEqual([]);
  }
});

test('An import creates the requested campaigns, and a dry run does not', async () => {
  const id = crypto.randomUUID();
  const campaigns = [{ id, name: ' Winter ', channel: 'linkedin' }];
  const lines = [
    { campaign: id, day: '2026-11-16', values: { sent: 10 } },
    { campaign: id, day: '2999-01-01', values: { sent: 10 } },
  ];
  const readAllCampaigns = async () =>
    (
      await team
        .from('campaigns')
        .select('name, channel, phase')
        .eq('client_id', target.id)
        .order('created_at')
        .throwOnError()
    ).data;
  const before = await readAllCampaigns();
  expect(await importLines(lines, { isTrial: true, campaigns })).toMatchObject({
    new: 1,
    refused: 1,
    examples: [{ state: 'new' }, { state: 'refused', reason: 'This day is in the future.' }],
  });
  expect(await readAllCampaigns()).toEqual(before);
  expect(await importLines(lines.slice(1), { campaigns })).toMatchObject({ new: 0, refused: 1 });
  expect(await readAllCampaigns()).toEqual(before);
  await importLines(lines, { campaigns });
  expect(await readAllCampaigns()).toEqual([...before, { name: 'Winter', channel: 'linkedin', phase: 'running' }]);
  expect(await readFigures()).toEqual(['2026-11-16 sent 10']);
});

test('A member and a team member without assignment cannot create campaigns by an import', async () => {
  const campaigns = [{ id: crypto.randomUUID(), name: 'Winter', channel: 'email' }];
  const _file = { name: 'a.csv', hash: 'a'.repeat(64), period: 'day', column_map: {}, refused: 0, campaigns };
  const input = { _client_id: target.id, _file, _rows: [], _is_dry_run: false };
  for (const { client } of [target.member, await site.signedIn('team')]) {
    expect((await client.rpc('import_figures', input)).error?.code).toBe('42501');
  }
  const surplus = Array.from({ length: 51 }, (_, index) => ({
    id: crypto.randomUUID(),
    name: `${index}`,
    channel: 'email',
  }));
  const { error } = await team.rpc('import_figures', {
    ...input,
    _file: { ..._file, campaigns: surplus },
  });
  expect(error?.message).toBe('An import can create at most 50 campaigns.');
});
