/** Campaign events in the formats of the providers, and the figures that they produce. */
import { createHmac } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { addSource, postEvents } from '../support/sources.ts';
import { keepMailsQueued, startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
let testClient: TestClient;
let teamMember: SupabaseClient;
let clientNumber = 0;

beforeAll(async () => {
  site = await startTestBackend();
  await keepMailsQueued(site);
  admin = (await site.signedIn('admin')).client;
});
afterAll(() => site.close());
beforeEach(async () => {
  clientNumber += 1;
  testClient = await newClient(site, admin, `Client ${clientNumber}`, NOON);
  teamMember = testClient.worker.client;
});

/** A time zone in which it is noon now, so that the last hours belong to today whenever the tests run. */
const utcOffset = 12 - new Date().getUTCHours();
const NOON = { time_zone: `Etc/GMT${utcOffset > 0 ? '-' : '+'}${Math.abs(utcOffset)}` };
const offset = `${utcOffset < 0 ? '-' : '+'}${String(Math.abs(utcOffset)).padStart(2, '0')}:00`;
const today = new Date().toLocaleDateString('en-CA', { timeZone: NOON.time_zone });
const now = new Date(Date.now() - 60_000).toISOString();

/** Posts events to a source. Returns the number of accepted events. */
async function post(token: string, body: unknown, headers?: Record<string, string>): Promise<number> {
  const response = await postEvents(site, token, body, headers);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()).taken;
}

/** Returns today's figures, such as { sent: 10 }. */
async function readFigures(client = testClient): Promise<Record<string, number>> {
  const { data } = await client.member.client
    .from('campaign_figures')
    .select('metric, value, first_day')
    .eq('client_id', client.id)
    .throwOnError();
  const sums: Record<string, number> = {};
  for (const { metric, value } of data) sums[metric] = (sums[metric] ?? 0) + value;
  return sums;
}

async function readSources(): Promise<{ id: string; not_counted: { kind: string; state: string; count: number }[] }[]> {
  return (await teamMember.rpc('list_campaign_sources', { _client_id: testClient.id }).throwOnError()).data;
}

describe('Documented event formats', () => {
  test('Smartlead events are counted with flat and with newer field names', async () => {
    const token = await addSource(teamMember, testClient, { provider: 'smartlead' });
    const lead = { campaign_id: 123, to_email: 'a@kunde.example', sequence_number: 1 };
    await post(token, {
      ...lead,
      event_type: 'EMAIL_SENT',
      event_timestamp: now,
      sent_message: { message_id: '<1@mail>', html: '<div>Hello</div>', text: 'Hello', time: now },
    });
    // A webhook that also subscribes to the first step gets a second event for the same message.
    await post(token, { ...lead, event_type: 'FIRST_EMAIL_SENT', time_sent: now, message_id: '<1@mail>' });
    const nested = { campaign_id: 123, timestamp: now, lead: { email: 'b@kunde.example' }, sequence_number: 1 };
    await post(token, { ...nested, event: 'EMAIL_SENT' });
    await post(token, { ...nested, event: 'EMAIL_REPLIED', reply: { body: 'Yes' } });
    await post(token, { ...nested, event: 'EMAIL_OPENED' });
    await post(token, {
      ...lead,
      event_type: 'EMAIL_BOUNCE',
      event_timestamp: now,
      bounce_message: { message_id: '2' },
    });
    for (const new_name of ['Interested', 'Interested', 'Not Interested', 'Meeting Booked']) {
      const categoryUpdate = { event_type: 'LEAD_CATEGORY_UPDATED', event_timestamp: new Date().toISOString() };
      await post(token, { ...lead, ...categoryUpdate, lead_category: { new_name } });
    }
    expect(await readFigures()).toEqual({
      sent: 2,
      delivered: 1,
      bounced: 1,
      replies: 1,
      positive_replies: 1,
      meetings: 1,
    });
    expect((await readSources())[0]?.not_counted).toEqual([]);
  });

  test('Instantly events are counted although they have no id', async () => {
    const token = await addSource(teamMember, testClient, { provider: 'instantly' });
    const base = {
      timestamp: now,
      workspace: crypto.randomUUID(),
      campaign_id: crypto.randomUUID(),
      step: 1,
      variant: 1,
    };
    const sentEvent = {
      ...base,
      event_type: 'email_sent',
      lead_email: 'a@kunde.example',
      email_id: 'm1',
      email_text: 'Hello',
    };
    await post(token, [sentEvent, { ...sentEvent, lead_email: 'b@kunde.example', email_id: 'm2' }]);
    const reply = {
      ...base,
      event_type: 'reply_received',
      lead_email: 'a@kunde.example',
      email_id: 'm1',
      reply_text: 'Yes',
    };
    await post(token, [
      reply,
      { ...reply, timestamp: new Date().toISOString() },
      { ...reply, event_type: 'lead_interested' },
    ]);
    await post(token, { ...base, event_type: 'auto_reply_received', lead_email: 'b@kunde.example' });
    expect(await readFigures()).toEqual({ sent: 2, delivered: 2, replies: 2, positive_replies: 1 });
  });

  test('lemlist events are counted for email and LinkedIn', async () => {
    const token = await addSource(teamMember, testClient, { provider: 'lemlist' });
    const base = { leadEmail: 'a@kunde.example', campaignId: 'cam_1', createdAt: now, isFirst: true };
    for (const [index, type] of [
      'emailsSent',
      'linkedinSent',
      'emailsReplied',
      'emailsInterested',
      'interested',
    ].entries()) {
      await post(token, { ...base, _id: `act_${index}`, type });
    }
    await post(token, { ...base, _id: 'act_9', type: 'emailsOpened' });
    expect(await readFigures()).toEqual({ sent: 2, delivered: 2, replies: 1, positive_replies: 1 });
    expect((await readSources())[0]?.not_counted).toEqual([]);
  });

  test('Events in our own format report deliveries', async () => {
    const token = await addSource(teamMember, testClient);
    const kinds = ['sent', 'sent', 'delivered', 'bounced', 'reply', 'positive_reply', 'meeting'];
    await post(token, {
      events: kinds.map((kind, index) => ({ id: `e${index}`, kind, at: now, to: 'a@kunde.example' })),
    });
    expect(await readFigures()).toEqual({
      sent: 2,
      delivered: 1,
      bounced: 1,
      replies: 1,
      positive_replies: 1,
      meetings: 1,
    });
  });
});

test('10,000 events give the same figures when duplicated and shuffled, and each figure lists its events', async () => {
  const otherClient = await newClient(site, admin, 'Shuffled', NOON);
  const kinds = [
    'EMAIL_SENT',
    'EMAIL_SENT',
    'EMAIL_SENT',
    'EMAIL_SENT',
    'EMAIL_REPLY',
    'EMAIL_BOUNCE',
    'EMAIL_OPEN',
    'LATER_THING',
  ];
  const events = Array.from({ length: 10_000 }, (_, index) => ({
    event_type: kinds[index % kinds.length],
    // People get several messages, and some bounces are reported before the message was sent.
    to_email: `person-${(index * 7919) % 2999}@kunde.example`,
    event_timestamp: new Date(Date.now() - 3600_000 - index * 1000).toISOString(),
    sequence_number: (index % 3) + 1,
    ...(index % 2 === 0 && { message_id: `m${index}` }),
  }));
  await sendAll(await addSource(teamMember, testClient, { provider: 'smartlead' }), events);
  const shuffled = [...events, ...events]
    .map((event, index) => ({ event, rank: (index * 7_368_787) % 20_011 }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ event }) => event);
  await sendAll(await addSource(otherClient.worker.client, otherClient, { provider: 'smartlead' }), shuffled);
  const inOrder = await readFigures();
  expect(await readFigures(otherClient)).toEqual(inOrder);
  expect(inOrder['sent']).toBeGreaterThan(4000);
  expect(inOrder['delivered']).toBeLessThan(inOrder['sent'] ?? 0);

  const period = { _client_id: testClient.id, _from: '2000-01-01', _until: today };
  for (const metric of ['sent', 'delivered', 'bounced', 'replies']) {
    const { data: details } = await testClient.member.client
      .rpc('figure_details', { ...period, _metric: metric })
      .throwOnError();
    expect(details.imports).toMatchObject([{ file_name: 'Events of Smartlead', is_source: true }]);
    for (const { first_day, value, batch } of details.campaigns[0].rows) {
      const row = { _client_id: testClient.id, _batch_id: batch, _metric: metric, _day: first_day };
      const { data: listed } = await testClient.member.client.rpc('figure_events', row).throwOnError();
      expect(listed).toHaveLength(Math.min(50, value));
      expect(listed[0]).toMatchObject({ total: value, hint: 'p***@kunde.example' });
      expect(JSON.stringify(listed)).not.toContain('person-');
    }
  }
});

/** Sends the events in batches of 500. */
async function sendAll(token: string, events: readonly unknown[]): Promise<void> {
  for (let first = 0; first < events.length; first += 500) await post(token, events.slice(first, first + 500));
}

test('A batch reads only the events of its own recipients, even for a new source', async () => {
  const events = Array.from({ length: 2000 }, (_, index) => ({
    event_type: index % 20 === 0 ? 'email_bounced' : 'email_sent',
    lead_email: `person-${index}@kunde.example`,
    timestamp: now,
  }));
  await sendAll(await addSource(teamMember, testClient, { provider: 'instantly' }), events);
  const rowsRead = await site.backend.database.transaction(async (tx) => {
    const sum = `select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::integer as rows
      from pg_stat_xact_user_tables where relname = 'inbound_events'`;
    const batch = `select array_agg((event_key, metric, state, day, happened_at, step, person_hash, recipient)::private.received_event)
      from (select * from public.inbound_events where client_id = source.client_id limit 400) as event`;
    await tx.query(
      `create temporary table batch on commit drop as
      select source, (${batch}) as events from public.campaign_sources as source where client_id = $1`,
      [testClient.id],
    );
    const before = (await tx.query<{ rows: number }>(sum)).rows[0]?.rows ?? 0;
    await tx.query('select private.count_events(source, events) from batch');
    return ((await tx.query<{ rows: number }>(sum)).rows[0]?.rows ?? 0) - before;
  });
  // Each sent event looks up its bounce, and each bounce looks up its sent event.
  expect(rowsRead).toBeLessThan(1000);
});

test('A message counts as delivered until it bounces, regardless of the order of the events', async () => {
  const token = await addSource(teamMember, testClient, { provider: 'instantly' });
  const event = (event_type: string, lead_email: string, step = 1) => ({
    event_type,
    lead_email,
    step,
    timestamp: now,
  });
  await post(token, event('email_bounced', 'a@kunde.example'));
  await post(token, [event('email_sent', 'a@kunde.example'), event('email_sent', 'b@kunde.example')]);
  expect(await readFigures()).toEqual({ sent: 2, delivered: 1, bounced: 1 });
  await post(token, [event('email_sent', 'b@kunde.example', 2), event('email_bounced', 'b@kunde.example', 2)]);
  await post(token, event('email_bounced', 'b@kunde.example', 3));
  expect(await readFigures()).toEqual({ sent: 3, delivered: 0, bounced: 3 });
});

describe('Unexpected events', () => {
  test('are listed by kind and not counted if they are unknown', async () => {
    const token = await addSource(teamMember, testClient, { externalId: 'c1' });
    const future = new Date(Date.now() + 3600_000).toISOString();
    await post(token, [
      { id: '1', kind: 'sent', at: now, campaign: 'c2' },
      { id: '2', kind: 'sent', at: future },
      { id: '3', kind: 'teleported', at: now },
      { id: '4', kind: 'teleported', at: now },
      { id: '5', kind: 'sent', at: now, campaign: 'c1' },
      ...['a text', 5, null, [], {}],
    ]);
    expect(await readFigures()).toEqual({ sent: 1 });
    const [source] = await readSources();
    expect(new Set(source?.not_counted.map(({ kind, state, count }) => `${kind} ${state} ${count}`))).toEqual(
      new Set(['sent other_campaign 1', 'sent in_future 1', 'teleported unknown 2', 'without a name unknown 1']),
    );
  });

  test('are kept without the secret and the token, for team members of the client', async () => {
    const token = await addSource(teamMember, testClient, { provider: 'smartlead', secret: 'hemmelig' });
    await post(token, {
      event_type: 'NEW_THING',
      secret_key: 'hemmelig',
      webhook_url: `https://x/${token}`,
      more: { a: 1 },
    });
    const { data } = await teamMember
      .from('inbound_events')
      .select('raw, state')
      .eq('client_id', testClient.id)
      .throwOnError();
    expect(data).toEqual([{ raw: { event_type: 'NEW_THING', more: { a: 1 } }, state: 'unknown' }]);
    expect((await testClient.member.client.from('inbound_events').select('raw')).data).toEqual([]);
    const { rows } = await site.backend.database.query<{ emptied: number }>(
      `with old as (update public.inbound_events set received_at = now() - interval '31 days' where client_id = $1)
       select 1 as emptied`,
      [testClient.id],
    );
    expect(rows).toHaveLength(1);
    await site.backend.database.query('select private.clear_old_events(200)');
    const { data: emptied } = await teamMember
      .from('inbound_events')
      .select('raw, recipient, kind')
      .eq('client_id', testClient.id);
    expect(emptied).toEqual([{ raw: null, recipient: null, kind: 'NEW_THING' }]);
  });

  test('are counted even if their payload cannot be stored', async () => {
    const token = await addSource(teamMember, testClient);
    let nested: unknown = 1;
    for (let level = 0; level < 3000; level += 1) nested = [nested];
    const body = `[{"id":"1","kind":"sent","at":"${now}","to":"a\\u0000b\\ud800@kunde.example","x\\u0000":1},
      {"id":"2","kind":"sent","at":"not a time","deep":${JSON.stringify(nested)}},
      {"id":"3","kind":"sent","at":"${now}","text":"${'x'.repeat(300_000)}"},
      {"id":"4","kind":"sent","at":1e999,"step":1e400}]`;
    expect(await post(token, body)).toBe(4);
    expect(await readFigures()).toEqual({ sent: 4 });
  });
});

describe('The source URL', () => {
  test('is returned once, stored as a hash, and invalid after rotation or disconnection', async () => {
    const token = await addSource(teamMember, testClient);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const { data: rows } = await site.service
      .from('campaign_sources')
      .select()
      .eq('client_id', testClient.id)
      .throwOnError();
    expect(JSON.stringify(rows)).not.toContain(token);
    const event = (id: string) => ({ id, kind: 'sent', at: now });
    await post(token, event('1'));
    for (const guess of ['0'.repeat(64), token.toUpperCase(), token.slice(1), '', 'x'.repeat(5000)]) {
      expect((await postEvents(site, guess, event('2'))).status).toBe(404);
    }
    const [source] = await readSources();
    const sourceKey = { _client_id: testClient.id, _id: source?.id };
    const { data: newToken } = await teamMember.rpc('rotate_campaign_source', sourceKey).throwOnError();
    expect((await postEvents(site, token, event('3'))).status).toBe(404);
    await post(newToken, event('4'));
    await teamMember.rpc('end_campaign_source', sourceKey).throwOnError();
    expect((await postEvents(site, newToken, event('5'))).status).toBe(404);
    expect((await teamMember.rpc('rotate_campaign_source', sourceKey)).error?.message).toBe(
      'This source has been disconnected.',
    );
    expect(await readFigures()).toEqual({ sent: 2 });
  });

  test('rejects events with a reason while its campaign is deleted', async () => {
    const token = await addSource(teamMember, testClient);
    const key = { _client_id: testClient.id, _campaign_id: testClient.campaign };
    await post(token, { id: '1', kind: 'sent', at: now });
    await teamMember.rpc('delete_campaign', key).throwOnError();
    const response = await postEvents(site, token, { id: '2', kind: 'sent', at: now });
    expect(response.status).toBe(410);
    expect(await response.json()).toEqual({ error: 'The campaign of this source was deleted.' });
    expect(await readFigures()).toMatchObject({ sent: 1 });
    await teamMember.rpc('restore_campaign', key).throwOnError();
    await post(token, { id: '3', kind: 'sent', at: now });
    expect(await readFigures()).toMatchObject({ sent: 2 });
  });

  test('requires the agreed secret, in a header or in the event', async () => {
    const token = await addSource(teamMember, testClient, { provider: 'smartlead', secret: ' s3cret ' });
    const event = (message_id: string) => ({ event_type: 'EMAIL_SENT', message_id, event_timestamp: now });
    await post(token, { ...event('1'), secret_key: 's3cret' });
    await post(token, event('2'), { authorization: 'Bearer s3cret' });
    await post(token, event('3'), { 'x-webhook-secret': 's3cret' });
    for (const authorization of ['', 'Bearer s3cres']) {
      expect((await postEvents(site, token, event('4'), { authorization })).status).toBe(401);
    }
    expect(await readFigures()).toMatchObject({ sent: 3 });
  });

  test('accepts a Smartlead signature only over the exact body and with the right secret', async () => {
    const token = await addSource(teamMember, testClient, { provider: 'smartlead', secret: ' s3cret ' });
    const createBody = (message_id: string) =>
      JSON.stringify({ event_type: 'EMAIL_SENT', message_id, event_timestamp: now, subject: 'Å' });
    const sign = (body: string, secret = 's3cret') => createHmac('sha256', secret).update(body).digest('hex');
    const send = (body: string, signature: string, to = token) =>
      postEvents(site, to, body, { 'x-smartlead-signature': signature });
    expect((await send(createBody('1'), `sha256=${sign(createBody('1'))}`)).status).toBe(200);
    expect((await send(createBody('2'), sign(createBody('2')))).status).toBe(200);
    for (const invalidSignature of [
      sign(createBody('2')),
      sign(createBody('3'), 'other'),
      '',
      'sha256=',
      's3cret',
      'f'.repeat(64),
    ]) {
      expect((await send(createBody('3'), invalidSignature)).status, invalidSignature).toBe(401);
    }
    // The signature is not valid for another source, or for a source of another provider.
    const otherClient = await newClient(site, admin, 'Signed');
    const lemlist = await addSource(otherClient.worker.client, otherClient, { provider: 'lemlist', secret: 's3cret' });
    expect((await send(createBody('4'), sign(createBody('4')), lemlist)).status).toBe(401);
    expect(await readFigures()).toMatchObject({ sent: 2 });
    // No signed-in user can read the secret.
    for (const user of [admin, teamMember, testClient.member.client]) {
      expect((await user.from('campaign_sources').select('signing_secret')).error?.code).toBe('42501');
      expect((await user.rpc('signing_secret_of_source', { _token_hash: '0' })).error?.code).toBe('42501');
    }
  });

  test('accepts only JSON and only POST', async () => {
    const token = await addSource(teamMember, testClient);
    const url = `${site.url}/functions/v1/campaign-events/${token}`;
    expect((await fetch(url)).status).toBe(405);
    expect((await postEvents(site, token, 'a=b')).status).toBe(400);
    expect((await postEvents(site, token, { events: Array(501).fill({}) })).status).toBe(413);
    expect(await post(token, [])).toBe(0);
  });
});

describe('Imports and events', () => {
  async function importFigures(
    lines: { day: string; values: Record<string, number> }[],
    period: 'day' | 'week' = 'day',
  ) {
    const rows = lines.map((line, index) => ({ campaign: testClient.campaign, ...line, line: index + 2 }));
    const file = { name: 'totals.csv', hash: 'a'.repeat(64), period, column_map: {}, refused: 0 };
    const parameters = { _client_id: testClient.id, _file: file, _rows: rows, _is_dry_run: false };
    return (await teamMember.rpc('import_figures', parameters).throwOnError()).data;
  }

  async function readAlarms(): Promise<string[]> {
    const { data } = await teamMember
      .from('client_alarms')
      .select('text')
      .eq('client_id', testClient.id)
      .is('resolved_at', null);
    return (data ?? []).map(({ text }) => text);
  }

  test('cannot both count a day, because a source starts after the last figure and blocks later imports', async () => {
    await importFigures([{ day: today, values: { sent: 5, pipeline: 900 } }]);
    const token = await addSource(teamMember, testClient);
    await post(token, { id: '1', kind: 'sent', at: now });
    expect(await readFigures()).toEqual({ sent: 5, pipeline: 900 });
    const tomorrow = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
    expect(await readSources()).toMatchObject([{ counts_from: tomorrow }]);
  });

  test('are compared every night, and differences are reported until they agree', async () => {
    const token = await addSource(teamMember, testClient, { metrics: ['sent'] });
    const day = new Date(Date.parse(today) - 5 * 86_400_000).toISOString().slice(0, 10);
    await site.backend.database.query('update public.campaign_sources set counts_from = $2 where client_id = $1', [
      testClient.id,
      day,
    ]);
    await post(token, [
      { id: '1', kind: 'sent', at: `${day}T10:00:00${offset}` },
      { id: '2', kind: 'sent', at: `${day}T11:00:00${offset}` },
      { id: '3', kind: 'reply', at: `${day}T11:00:00${offset}` },
    ]);
    const reason = 'Events count this. Your figure is kept and compared with theirs.';
    expect(await importFigures([{ day, values: { sent: 3, replies: 1 } }])).toMatchObject({
      new: 1,
      refused: 1,
      examples: [{ metric: 'replies' }, { metric: 'sent', reason }],
    });
    expect(await readFigures()).toEqual({ sent: 2, replies: 1 });
    await site.backend.database.query('select private.compare_source_totals()');
    expect(await readAlarms()).toMatchObject([
      expect.stringMatching(/events count 2 as sent for .*, but totals\.csv has 3\.$/),
    ]);
    await post(token, { id: '4', kind: 'sent', at: `${day}T12:00:00${offset}` });
    await site.backend.database.query('select private.compare_source_totals()');
    expect(await readAlarms()).toEqual([]);
  });

  test('cannot be undone if the figures come from events', async () => {
    await post(await addSource(teamMember, testClient), { id: '1', kind: 'sent', at: now });
    expect((await teamMember.rpc('client_imports', { _client_id: testClient.id })).data).toEqual([]);
    const { data } = await teamMember
      .from('import_batches')
      .select('id')
      .eq('client_id', testClient.id)
      .single()
      .throwOnError();
    const response = await teamMember.rpc('undo_import', { _client_id: testClient.id, _batch_id: data.id });
    expect(response.error?.message).toBe('Figures from events cannot be undone. Disconnect the source instead.');
    expect(await readFigures()).toEqual({ sent: 1 });
  });
});

describe('The blocklist of a client', () => {
  test('raises one alarm and sends one email for each contacted entry', async () => {
    const lines = ['kunde.example', 'ola@partner.example'].map((text, index) => ({ line: index + 1, text }));
    await testClient.member.client
      .rpc('add_do_not_contact', { _client_id: testClient.id, _lines: lines, _is_dry_run: false })
      .throwOnError();
    const at = () => new Date().toISOString();
    const token = await addSource(teamMember, testClient);
    await post(token, [
      { id: '1', kind: 'sent', at: at(), to: 'Kari@Avdeling.Kunde.example' },
      { id: '2', kind: 'sent', at: at(), to: 'per@kunde.example' },
      { id: '3', kind: 'sent', at: at(), to: 'OLA@partner.example' },
      { id: '4', kind: 'sent', at: at(), to: 'kari@partner.example' },
      { id: '5', kind: 'reply', at: at(), to: 'per@kunde.example' },
      // Sent before the client added them to the list.
      { id: '6', kind: 'sent', at: now, to: 'per@kunde.example' },
    ]);
    const { data } = await teamMember
      .from('client_alarms')
      .select('kind, text, times')
      .eq('client_id', testClient.id)
      .order('times');
    expect(data).toMatchObject([
      { kind: 'do_not_contact', times: 1, text: expect.stringContaining('wrote to o***@partner.example') },
      { kind: 'do_not_contact', times: 2, text: expect.stringContaining('wrote to kunde.example') },
    ]);
    const { rows } = await site.backend.database.query(
      `select recipient, variables ->> 'Message' as message from private.mail_queue where template = 'client_alarm' and recipient = $1`,
      [testClient.worker.email],
    );
    expect(rows).toHaveLength(2);
    expect((await testClient.member.client.from('client_alarms').select('text')).data).toEqual([]);
  });

  test.each(['Kari <kari@rival.example>', '"Kari Holm" <Kari@Rival.example>', 'mailto:kari@rival.example'])(
    'matches a message to %s by its address',
    async (to) => {
      const lines = ['kari@rival.example', 'below.example'].map((text, index) => ({ line: index + 1, text }));
      const parameters = { _client_id: testClient.id, _lines: lines, _is_dry_run: false };
      await testClient.member.client.rpc('add_do_not_contact', parameters).throwOnError();
      const token = await addSource(teamMember, testClient);
      const at = new Date().toISOString();
      await post(token, [
        { id: '1', kind: 'sent', at, to },
        { id: '2', kind: 'sent', at, to: to.replace(/rival/i, 'a.below') },
        { id: '3', kind: 'sent', at, to: to.replace(/rival/i, 'allowed') },
      ]);
      const { data } = await teamMember
        .from('client_alarms')
        .select('text')
        .eq('client_id', testClient.id)
        .order('text');
      expect(data).toMatchObject([
        { text: expect.stringContaining('wrote to below.example') },
        { text: expect.stringContaining('wrote to k***@rival.example') },
      ]);
    },
  );

  test.each([
    ['smartlead', { event_type: 'LEAD_UNSUBSCRIBED', to_email: 'Kari@rival.example' }],
    ['smartlead', { event: 'EMAIL_UNSUBSCRIBED', lead: { email: 'kari@rival.example' } }],
    ['instantly', { event_type: 'lead_unsubscribed', lead_email: 'kari@rival.example' }],
    ['lemlist', { type: 'emailsUnsubscribed', leadEmail: 'kari@rival.example' }],
    ['json', { kind: 'unsubscribed', to: 'Kari <kari@rival.example>' }],
  ] as const)('adds a person who unsubscribes with %s: %j', async (provider, event) => {
    const token = await addSource(teamMember, testClient, { provider });
    expect(await post(token, event)).toBe(1);
    const find = (text: string) => teamMember.rpc('find_do_not_contact', { _client_id: testClient.id, _text: text });
    expect((await find('kari@rival.example')).data).toMatchObject([{ kind: 'address', hint: 'k***@rival.example' }]);
    expect((await find('ola@rival.example')).data).toEqual([]);
    expect(
      (await testClient.member.client.rpc('list_do_not_contact', { _client_id: testClient.id })).data,
    ).toHaveLength(1);
    expect((await readSources())[0]?.not_counted).toEqual([]);
  });

  test('ignores events of other campaigns and events that are not unsubscriptions', async () => {
    const token = await addSource(teamMember, testClient, { provider: 'smartlead', externalId: '123' });
    await post(token, { event_type: 'LEAD_UNSUBSCRIBED', campaign_id: '9', to_email: 'kari@rival.example' });
    await post(token, { event_type: 'EMAIL_OPENED', campaign_id: '123', to_email: 'kari@rival.example' });
    expect((await teamMember.from('do_not_contact').select('hint').eq('client_id', testClient.id)).data).toEqual([]);
  });

  test('does not reveal the hash of a source URL in its imports', async () => {
    await addSource(teamMember, testClient);
    for (const client of [teamMember, testClient.member.client, admin]) {
      const { data } = await client.from('import_batches').select('file_hash').eq('client_id', testClient.id);
      expect(data).toEqual([{ file_hash: null }]);
    }
  });
});

describe('Only people on approved lists may be contacted', () => {
  interface ListRow {
    line: number;
    domain?: string;
    person?: string;
    address?: string;
  }

  const newRows = (count: number): ListRow[] =>
    Array.from({ length: count }, (_, index) => ({ line: index + 2, address: `person-${index}@kunde.example` }));

  /** Requests approval of a list, removes lines as the client, approves it and adds it to the campaign. */
  async function approveList(rows: ListRow[], removed: number[] = [], client = testClient, options: object = {}) {
    const key = { _client_id: client.id, _title: 'Bakers', _text: 'Bakers in Oslo.', ...options };
    const request = { ...key, _rows: rows, _is_dry_run: false };
    const { data } = await client.worker.client.rpc('ask_for_list_approval', request).throwOnError();
    const list = { _client_id: client.id, _approval_id: data.id };
    await client.member.client.rpc('veto_rows', { ...list, _number: 1, _lines: removed }).throwOnError();
    await client.member.client.rpc('decide_approval', { ...list, _number: 1, _verdict: 'yes' }).throwOnError();
    const campaignList = { ...list, _campaign_id: client.campaign, _is_used: true };
    await client.worker.client.rpc('set_campaign_list', campaignList).throwOnError();
    return data.id;
  }

  async function readAlarms(client = testClient): Promise<{ subject: string; text: string; times: number }[]> {
    const query = site.service.from('client_alarms').select('subject, text, times').eq('client_id', client.id);
    return (await query.eq('kind', 'not_listed').order('text').throwOnError()).data ?? [];
  }

  const sentEvent = (to: string, id = to) => ({ id, kind: 'sent', at: new Date().toISOString(), to });

  test('40 messages to unlisted people raise alarms, and 1,000 messages to listed people do not, in any order', async () => {
    const domains: ListRow[] = Array.from({ length: 10 }, (_, index) => ({
      ...{ line: 2000 + index, domain: `company-${index}.example`, person: 'Head of sales' },
    }));
    const rows = [...newRows(960), ...domains];
    const removed = Array.from({ length: 10 }, (_, index) => index + 2);
    const allowed = [
      ...rows.slice(10, 960).map(({ address = '' }) => sentEvent(address)),
      ...Array.from({ length: 50 }, (_, index) => sentEvent(`Person-${index}@Office.Company-${index % 10}.example`)),
    ];
    const unlisted = [
      ...rows.slice(0, 10).map(({ address = '' }) => sentEvent(address)),
      ...Array.from({ length: 20 }, (_, index) => sentEvent(`other-${index}@kunde.example`)),
      ...Array.from({ length: 10 }, (_, index) => sentEvent(`person-${index}@notcompany-${index}.example`)),
    ];
    expect([allowed.length, unlisted.length]).toEqual([1000, 40]);
    const events = [...allowed, ...unlisted]
      .map((event, index) => ({ event, rank: (index * 7919) % 1040 }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ event }) => event);
    await approveList(rows, removed);
    await sendAll(await addSource(teamMember, testClient), events);
    const foundAlarms = await readAlarms();
    expect(foundAlarms).toHaveLength(40);
    expect(foundAlarms.map(({ times }) => times)).toEqual(Array(40).fill(1));
    const list = `version 1 of “Bakers”, approved by ${testClient.member.email} on `;
    const removals = foundAlarms.filter(({ text }) => /removed this person \(line \d+\) from/.test(text));
    expect(removals).toHaveLength(10);
    expect(foundAlarms.filter(({ text }) => text.includes('is not on its approved lists: '))).toHaveLength(30);
    expect(foundAlarms.filter(({ text }) => text.includes(list))).toHaveLength(40);

    const otherClient = await newClient(site, admin, 'Shuffled list', NOON);
    await approveList(rows, removed, otherClient);
    await sendAll(await addSource(otherClient.worker.client, otherClient), [...events.toReversed(), ...events]);
    const findPerson = ({ subject }: { subject: string }) => subject.split(' ')[1];
    expect((await readAlarms(otherClient)).map(findPerson).toSorted()).toEqual(foundAlarms.map(findPerson).toSorted());
    expect(new Set((await readAlarms(otherClient)).map(({ times }) => times))).toEqual(new Set([1]));
  });

  /** Moves everything that happened so far, except the client's alarms, to an earlier time. */
  async function moveBack(hours: number, client = testClient): Promise<void> {
    const interval = `interval '${hours} hours'`;
    for (const [table, column] of [
      ['approval_decisions', 'created_at'],
      ['campaign_lists', 'created_at'],
      ['campaign_lists', 'replaced_at'],
      ['approval_vetoes', 'created_at'],
    ]) {
      await site.backend.database.query(
        `update public.${table} set ${column} = ${column} - ${interval} where client_id = $1`,
        [client.id],
      );
    }
  }

  /**
   * Gives a campaign a list from 40 hours ago, with a second version from 30 hours ago, and replaces it with another
   * list 20 hours ago. The client removed the person on line 2 of its first version.
   */
  async function replaceLists(client: TestClient) {
    const rows = (group: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ line: index + 2, address: `${group}-${index}@kunde.example` }));
    const list = { _client_id: client.id, _title: 'Bakers', _text: 'Bakers in Oslo.', _is_dry_run: false };
    const id = await approveList(rows('first', 400), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11], client);
    await moveBack(10, client);
    const nextVersion = { ...list, _rows: rows('second', 400), _approval_id: id };
    await client.worker.client.rpc('ask_for_list_approval', nextVersion).throwOnError();
    const decision = { _client_id: client.id, _approval_id: id, _number: 2, _verdict: 'yes' };
    await client.member.client.rpc('decide_approval', decision).throwOnError();
    await moveBack(10, client);
    const removedList = { _client_id: client.id, _campaign_id: client.campaign, _approval_id: id, _is_used: false };
    await client.worker.client.rpc('set_campaign_list', removedList).throwOnError();
    await approveList(rows('third', 240), [], client, { _title: 'Cafés' });
    await moveBack(20, client);
  }

  test('40 late messages to people who were not listed at that time raise alarms, and 1,000 others do not, in any order', async () => {
    const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
    const createSentEvents = (hoursAgo: number, group: string, from: number, count: number) =>
      Array.from({ length: count }, (_, index) => {
        const to = `${group}-${from + index}@kunde.example`;
        return { id: `${to} ${hoursAgo}`, kind: 'sent', at: at(hoursAgo), to };
      });
    const allowed = [
      ...createSentEvents(35, 'first', 10, 390),
      ...createSentEvents(25, 'second', 0, 390),
      ...createSentEvents(10, 'third', 0, 210),
      // These were sent before the campaign had a list.
      ...createSentEvents(50, 'anyone', 0, 10),
    ];
    const unlisted = [
      // The groups were removed by the client, replaced with the second version, not approved yet, and on a list that
      // was no longer used.
      ...createSentEvents(35, 'first', 0, 10),
      ...createSentEvents(25, 'first', 10, 10),
      ...createSentEvents(35, 'second', 390, 10),
      ...createSentEvents(10, 'second', 0, 10),
    ];
    expect([allowed.length, unlisted.length]).toEqual([1000, 40]);
    const events = [...allowed, ...unlisted]
      .map((event, index) => ({ event, rank: (index * 7919) % 1040 }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ event }) => event);
    await replaceLists(testClient);
    await sendAll(await addSource(teamMember, testClient), events);
    const foundAlarms = await readAlarms();
    expect(foundAlarms.map(({ times }) => times)).toEqual(Array(40).fill(1));
    const countAlarms = (words: RegExp) => foundAlarms.filter(({ text }) => words.test(text)).length;
    expect(countAlarms(/removed this person \(line \d+\) from version 1 of “Bakers”/)).toBe(10);
    expect(countAlarms(/wrote to f.* who is not on its approved lists: version 2 of “Bakers”/)).toBe(10);
    expect(countAlarms(/wrote to s.* who is not on its approved lists: version 1 of “Bakers”/)).toBe(10);
    expect(countAlarms(/wrote to s.* who is not on its approved lists: version 1 of “Cafés”/)).toBe(10);

    const otherClient = await newClient(site, admin, 'Late events', NOON);
    await replaceLists(otherClient);
    await sendAll(await addSource(otherClient.worker.client, otherClient), [...events.toReversed(), ...events]);
    const removeCampaign = ({ subject, text, times }: { subject: string; text: string; times: number }) => [
      ...[subject.split(' ')[1], times],
      text.replace(/^The campaign “.*?”/, '').replace(/approved by .* on /, ''),
    ];
    expect((await readAlarms(otherClient)).map(removeCampaign).toSorted()).toEqual(
      foundAlarms.map(removeCampaign).toSorted(),
    );
  });

  test('A list that is not approved yet allows no one, and a later approval does not change that', async () => {
    const id = await approveList([{ line: 2, address: 'ola@kunde.example' }]);
    await moveBack(2);
    // Added to the campaign three hours ago, approved two hours ago.
    await site.backend.database.query(
      `update public.campaign_lists set created_at = created_at - interval '1 hour' where approval_id = $1`,
      [id],
    );
    const token = await addSource(teamMember, testClient);
    const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
    const event = { kind: 'sent', to: 'ola@kunde.example' };
    await post(token, [
      { ...event, id: 'before', at: at(4) },
      { ...event, id: 'after', at: at(1) },
    ]);
    expect(await readAlarms()).toEqual([]);
    await post(token, { ...event, id: 'between', at: at(2.5) });
    expect(await readAlarms()).toMatchObject([
      { times: 1, text: expect.stringContaining('“Bakers”, not approved yet') },
    ]);
  });

  test('The last approved version counts, and a later approval of another list allows a removed person', async () => {
    const token = await addSource(teamMember, testClient);
    const rows = [
      { line: 2, address: 'ola@kunde.example' },
      { line: 3, address: 'per@kunde.example' },
    ];
    // Without a list, messages are not compared.
    await post(token, sentEvent('eva@kunde.example', 'before'));
    expect(await readAlarms()).toEqual([]);
    const id = await approveList(rows, [3]);
    await post(token, [
      sentEvent('ola@kunde.example', '1'),
      sentEvent('per@kunde.example', '2'),
      sentEvent('PER@kunde.example', '3'),
    ]);
    expect(await readAlarms()).toMatchObject([
      { times: 2, text: expect.stringContaining('(line 3) from version 1 of') },
    ]);
    const request = { _client_id: testClient.id, _approval_id: id, _title: 'Bakers', _text: 'More bakers.' };
    const next = { ...request, _rows: [{ line: 2, address: 'eva@kunde.example' }], _is_dry_run: false };
    await teamMember.rpc('ask_for_list_approval', next).throwOnError();
    // The new version is not approved yet.
    await post(token, [sentEvent('ola@kunde.example', '4'), sentEvent('eva@kunde.example', '5')]);
    expect((await readAlarms()).map(({ times }) => times).toSorted()).toEqual([1, 2]);
    const decision = { _client_id: testClient.id, _approval_id: id, _number: 2, _verdict: 'yes' };
    await testClient.member.client.rpc('decide_approval', decision).throwOnError();
    await post(token, [sentEvent('eva@kunde.example', '6'), sentEvent('ola@kunde.example', '7')]);
    const texts = (await readAlarms()).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('o***@kunde.example') && text.includes('version 2 of'))).toHaveLength(
      1,
    );
    await approveList([{ line: 2, address: 'per@kunde.example' }], [], testClient, {
      ...{ _title: 'Cafés', _restored_lines: [2] },
    });
    const before = await readAlarms();
    await post(token, sentEvent('per@kunde.example', '8'));
    expect(await readAlarms()).toEqual(before);
    const { rows: mails } = await site.backend.database.query(
      `select from private.mail_queue where template = 'client_alarm' and recipient = $1`,
      [testClient.worker.email],
    );
    expect(mails).toHaveLength(3);
  });

  test('A batch of 500 messages reads only the rows of its recipients from lists of 5,000 rows', async () => {
    await approveList(newRows(5000));
    const otherClient = await newClient(site, admin, 'Same people', NOON);
    await approveList(newRows(5000).slice(0, 100), [], otherClient);
    const token = await addSource(teamMember, testClient);
    const events = Array.from({ length: 500 }, (_, index) => sentEvent(`person-${index + 4600}@kunde.example`));
    await post(token, events);
    expect(await readAlarms()).toHaveLength(100);
    const read = await site.backend.database.transaction(async (tx) => {
      const sum = `select coalesce(sum(seq_tup_read), 0)::integer as scanned, coalesce(sum(idx_tup_fetch), 0)::integer as fetched
        from pg_stat_xact_user_tables where relname = 'approval_rows'`;
      const batch = `select array_agg((event_key, metric, state, day, happened_at, step, person_hash, recipient)::private.received_event)
        from public.inbound_events as event where event.client_id = source.client_id`;
      await tx.query(
        `create temporary table batch on commit drop as
        select source, (${batch}) as events from public.campaign_sources as source where client_id = $1`,
        [testClient.id],
      );
      const [before] = (await tx.query<{ scanned: number; fetched: number }>(sum)).rows;
      await tx.query('select private.unlisted_recipients(source, events) from batch');
      const [after] = (await tx.query<{ scanned: number; fetched: number }>(sum)).rows;
      return [(after?.scanned ?? 0) - (before?.scanned ?? 0), (after?.fetched ?? 0) - (before?.fetched ?? 0)];
    });
    expect(read[0]).toBe(0);
    expect(read[1]).toBeLessThan(1000);
  });
});

describe('Only approved texts may be sent', () => {
  const now = () => new Date().toISOString();

  /** Requests an approval for a text, records the verdict, and assigns the text to a step of the campaign. */
  async function approve(text: string, step: number | null, verdict: 'yes' | 'no' | null = 'yes'): Promise<string> {
    const parameters = { _client_id: testClient.id, _title: `Text of step ${step}`, _text: text };
    const { data: id } = await teamMember.rpc('ask_for_approval', parameters).throwOnError();
    if (verdict) await decide(id, 1, verdict);
    const textKey = { _client_id: testClient.id, _campaign_id: testClient.campaign, _approval_id: id, _is_sent: true };
    await teamMember.rpc('set_campaign_text', { ...textKey, ...(step !== null && { _step: step }) }).throwOnError();
    return id;
  }

  async function decide(id: string, _number: number, _verdict: string): Promise<void> {
    const decision = { _client_id: testClient.id, _approval_id: id, _number, _verdict, _comment: 'Because.' };
    await testClient.member.client.rpc('decide_approval', decision).throwOnError();
  }

  async function readAlarms(): Promise<{ text: string; times: number }[]> {
    const query = teamMember
      .from('client_alarms')
      .select('text, times')
      .eq('client_id', testClient.id)
      .eq('kind', 'not_approved');
    return (await query.order('text').throwOnError()).data;
  }

  test('a message with a different text raises one alarm for all messages with that text', async () => {
    await approve('Hello {{first_name}},\n\nwe are in Oslo for a week.\n\nKari', 1);
    const token = await addSource(teamMember, testClient, { provider: 'instantly' });
    const sentEvent = (lead: string, text: string, step = 1) => ({
      event_type: 'email_sent',
      timestamp: now(),
      lead_email: `${lead}@kunde.example`,
      email_id: `${lead} ${step}`,
      step,
      email_html: `<p>Hello ${lead},</p><p>${text}</p><p>Kari</p>`,
    });
    await post(token, [sentEvent('ola', 'we are in Oslo for a week.'), sentEvent('per', 'we are in Oslo for a week.')]);
    expect(await readAlarms()).toEqual([]);
    const deviating = [sentEvent('anne', 'we are in Oslo for a day.'), sentEvent('berit', 'we are in Oslo for a day.')];
    await post(token, deviating);
    await post(token, [...deviating, sentEvent('ola', 'anything', 2)]);
    expect(await readAlarms()).toEqual([
      {
        times: 2,
        text: expect.stringMatching(
          /Step 1 was sent with words that were not approved: “we are in Oslo for a day\.” Version 1 of “Text of step 1” has: “we are in Oslo for a week\.”/,
        ),
      },
      { times: 1, text: expect.stringContaining('Step 2 was sent, but no text has been assigned to it.') },
    ]);
  });

  test('a message whose excerpt or payload was shortened still counts and raises an alarm', async () => {
    await approve('Hello.', 1);
    const token = await addSource(teamMember, testClient);
    const sentEvent = (id: string, text: string, more: object = {}) => ({
      ...{ id, kind: 'sent', at: now(), step: 1, to: `${id}@kunde.example`, text },
      ...more,
    });
    const body = [
      ...Array.from({ length: 4 }, (_, index) => sentEvent(`cut${index}`, `${'x'.repeat(156 + index)}😀😀😀`)),
      sentEvent('half', 'Pay\ud83d now'),
      sentEvent('nul', 'Pay\0 later'),
      sentEvent('long', `Pay ${'😀'.repeat(150_000)}`),
      sentEvent('numbers', 'Pay soon', { values: Array(8000).fill(1e300) }),
      sentEvent('name', 'Pay never', { '\ud83d\0': '\ude00' }),
    ];
    for (const event of body) expect(await post(token, [event])).toBe(1);
    expect(await readFigures()).toMatchObject({ sent: body.length });
    expect((await readAlarms()).reduce((sum, { times }) => sum + times, 0)).toBe(body.length);
    const { data } = await teamMember.from('inbound_events').select('kind, recipient').eq('client_id', testClient.id);
    expect(data?.map(({ kind, recipient }) => `${kind} ${recipient}`).toSorted()).toEqual(
      body.map(({ id }) => `sent ${id}@kunde.example`).toSorted(),
    );
  });

  test('an event that the database rejects is counted without its payload, with an alarm', async () => {
    await site.backend.database.query(
      `alter table public.inbound_events add constraint refused check (raw ->> 'refused' is null)`,
    );
    try {
      const token = await addSource(teamMember, testClient);
      const rejectedEvent = { id: '1', kind: 'sent', at: now(), to: 'ola@kunde.example', refused: true };
      expect(await post(token, [rejectedEvent, { id: '2', kind: 'sent', at: now(), to: 'per@kunde.example' }])).toBe(2);
      expect(await readFigures()).toMatchObject({ sent: 2 });
      const events = await teamMember
        .from('inbound_events')
        .select('recipient')
        .eq('client_id', testClient.id)
        .order('recipient');
      expect(events.data).toEqual([{ recipient: 'ola@kunde.example' }, { recipient: 'per@kunde.example' }]);
      const clientAlarms = await teamMember.from('client_alarms').select('kind, times').eq('client_id', testClient.id);
      expect(clientAlarms.data).toEqual([{ kind: 'incomplete', times: 1 }]);
    } finally {
      await site.backend.database.query('alter table public.inbound_events drop constraint refused');
    }
  });

  test('the last approved version counts, and a text without an approval raises an alarm', async () => {
    const id = await approve('The first words.', 1);
    await approve('Never approved.', 2, 'no');
    const token = await addSource(teamMember, testClient);
    const sentEvent = (name: string, step: number, text: string) => ({
      id: name,
      kind: 'sent',
      at: now(),
      step,
      text,
    });
    const nextVersion = {
      _client_id: testClient.id,
      _approval_id: id,
      _title: 'Text of step 1',
      _text: 'The second words.',
    };
    await teamMember.rpc('ask_for_approval', nextVersion).throwOnError();
    await post(token, sentEvent('1', 1, 'The first words.'));
    expect(await readAlarms()).toEqual([]);
    await decide(id, 2, 'yes');
    await post(token, [
      sentEvent('2', 1, 'The second words.'),
      sentEvent('3', 1, 'The first words.'),
      sentEvent('4', 2, 'Never approved.'),
    ]);
    expect(await readAlarms()).toMatchObject([
      { text: expect.stringContaining('Version 2 of “Text of step 1” has: “The second words.”') },
      { text: expect.stringContaining('Step 2 was sent before the client approved “Text of step 2”.') },
    ]);
  });

  test('A late message is compared with the texts that were approved and in use when it was sent', async () => {
    const moveBack = async (hours: number) => {
      for (const [table, column] of [
        ['approval_decisions', 'created_at'],
        ['campaign_texts', 'created_at'],
        ['campaign_texts', 'replaced_at'],
      ]) {
        await site.backend.database.query(
          `update public.${table} set ${column} = ${column} - interval '${hours} hours' where client_id = $1`,
          [testClient.id],
        );
      }
    };
    // Version 1 is assigned to step 1 50 hours ago and replaced with version 2 40 hours ago. 30 hours ago the text
    // moves to step 2, and another text is assigned to step 1. 20 hours ago the first text is removed.
    const id = await approve('The first words.', 1);
    await moveBack(10);
    const nextVersion = {
      _client_id: testClient.id,
      _approval_id: id,
      _title: 'Text of step 1',
      _text: 'The second words.',
    };
    await teamMember.rpc('ask_for_approval', nextVersion).throwOnError();
    await decide(id, 2, 'yes');
    await moveBack(10);
    await approve('The third words.', 1);
    const campaignText = { _client_id: testClient.id, _campaign_id: testClient.campaign, _approval_id: id };
    for (const _step of [2, 2]) {
      await teamMember.rpc('set_campaign_text', { ...campaignText, _is_sent: true, _step }).throwOnError();
    }
    await moveBack(10);
    await teamMember.rpc('set_campaign_text', { ...campaignText, _is_sent: false }).throwOnError();
    await moveBack(20);
    const texts = { 1: 'The first words.', 2: 'The second words.', 3: 'The third words.' };
    const allowed = [
      [45, 1, 1],
      [35, 1, 2],
      [25, 1, 3],
      [25, 2, 2],
      [15, 1, 3],
    ] as const;
    const unlisted = [
      [45, 1, 2],
      [35, 1, 1],
      [25, 2, 3],
      [25, 1, 2],
      [15, 1, 2],
      [15, 2, 2],
    ] as const;
    const events = [...allowed, ...unlisted].flatMap(([hoursAgo, step, text]) =>
      Array.from({ length: 9 }, (_, index) => ({
        ...{ kind: 'sent', step, text: texts[text], id: `${hoursAgo} ${step} ${text} ${index}` },
        at: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
      })),
    );
    // 40 is coprime to 99, so each event occurs once.
    const shuffled = events.map((_, index) => events[(index * 40) % events.length]);
    const token = await addSource(teamMember, testClient);
    await post(token, shuffled);
    expect((await readAlarms()).reduce((sum, { times }) => sum + times, 0)).toBe(unlisted.length * 9);
    const { data } = await teamMember
      .from('inbound_events')
      .select('version_number')
      .eq('client_id', testClient.id)
      .not('version_number', 'is', null);
    expect(data).toHaveLength(allowed.length * 9);
    const campaign = { _client_id: testClient.id, _campaign_id: testClient.campaign };
    const { data: listed } = await teamMember.rpc('list_campaign_texts', campaign).throwOnError();
    expect(listed.map(({ is_sent, step }: { is_sent: boolean; step: number | null }) => [is_sent, step])).toEqual([
      [true, 1],
      [false, null],
    ]);
  });

  test('a campaign without assigned texts, or a step with two texts, raises no alarm', async () => {
    const token = await addSource(teamMember, testClient);
    await post(token, { id: '1', kind: 'sent', at: now(), step: 1, text: 'Another text.' });
    await approve('One way.', null);
    await approve('Another way.', 1);
    const texts = ['One way.', 'Another way.', ''];
    await post(
      token,
      texts.map((text, index) => ({ id: `t${index}`, kind: 'sent', at: now(), step: 1, text })),
    );
    expect(await readAlarms()).toEqual([]);
  });
});
