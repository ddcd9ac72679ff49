/**
 * Leads of clients. Tests how events become leads, who can read and change leads, which emails are sent, and when leads
 * are deleted.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approveText } from '../support/campaign-texts.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { addSource, postEvents } from '../support/sources.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { findZoneAtNoon } from '../support/zone-at-noon.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const NOON = { time_zone: findZoneAtNoon() };

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
let viewer: Awaited<ReturnType<TestBackend['signedIn']>>;
/** ID of a new lead of Fjell AS. */
let leadId: string;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS', NOON);
  havn = await newClient(site, admin, 'Havn AS', NOON);
  viewer = await site.signedIn('client');
  const membership = { client_id: fjell.id, user_id: viewer.id, kind: 'viewer' };
  await site.service.from('client_members').insert(membership).throwOnError();
  leadId = await newLead(fjell);
});
afterAll(() => site.close());

const query = async <Row extends object = Record<string, unknown>>(sql: string, parameters: (string | number)[] = []) =>
  (await site.backend.database.query<Row>(sql, parameters)).rows;

function addLead(client: SupabaseClient, { id }: { id: string }, fields: Record<string, unknown> = {}) {
  return client.rpc('add_client_lead', { _client_id: id, _name: 'Kari Nordmann', _words: 'Call me.', ...fields });
}

async function newLead(client: TestClient, fields: Record<string, unknown> = {}): Promise<string> {
  return (await addLead(client.worker.client, client, fields).throwOnError()).data;
}

function changeLead(client: SupabaseClient, _id: string, _expected_status: string, _status: string, _reason = '') {
  return client.rpc('change_client_lead', { _client_id: fjell.id, _id, _expected_status, _status, _reason });
}

function listLeads(client: SupabaseClient, { id }: { id: string }, filter: Record<string, unknown> = {}) {
  return client.rpc('list_client_leads', { _client_id: id, ...filter });
}

async function readLead(client: SupabaseClient, _id: string, { id }: { id: string } = fjell) {
  return (await client.rpc('client_lead', { _client_id: id, _id }).throwOnError()).data;
}

const readRows = () => query('select * from public.client_leads order by created_at, id');

/** Expects that `client` cannot read, add, change or delete leads of Fjell AS. */
async function expectNoAccess(client: SupabaseClient) {
  const before = await readRows();
  for (const table of ['client_leads', 'client_lead_changes']) {
    expect((await client.from(table).select().eq('client_id', fjell.id)).data ?? []).toEqual([]);
  }
  expect((await listLeads(client, fjell)).error?.code).toBe('42501');
  expect((await client.rpc('client_lead', { _client_id: fjell.id, _id: leadId })).error?.code).toBe('42501');
  expect((await client.rpc('client_archive', { _client_id: fjell.id, _part: 'leads' })).error?.code).toBe('42501');
  expect((await addLead(client, fjell)).error?.code).toBe('42501');
  expect((await changeLead(client, leadId, 'new', 'taken')).error?.code).toBe('42501');
  await client.from('client_leads').delete().eq('client_id', fjell.id);
  expect(await readRows()).toEqual(before);
}

test.each(capitalizedRoles(OUTSIDERS))('%s without a client cannot read or change leads', async (_label, role) => {
  await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
});

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot read or change leads',
  async (_label, role) => {
    const { client } = havn[role];
    await expectNoAccess(client);
    // The caller's own client ID gives no access either.
    expect(await readLead(client, leadId, havn)).toBeNull();
    const change = { _client_id: havn.id, _id: leadId, _expected_status: 'new', _status: 'taken' };
    expect((await client.rpc('change_client_lead', change)).error).not.toBeNull();
    const foreign = await addLead(havn.worker.client, havn, { _campaign_id: fjell.campaign });
    expect(foreign.error?.code).toBe('23503');
  },
);

test('Viewers, approvers, the team and admins can read leads, and no one can write rows without the functions', async () => {
  for (const client of [viewer.client, fjell.member.client, fjell.worker.client, admin]) {
    expect((await listLeads(client, fjell).throwOnError()).data.items).toMatchObject([{ id: leadId, status: 'new' }]);
    expect(await readLead(client, leadId)).toMatchObject({ name: 'Kari Nordmann', words: 'Call me.', changes: [] });
    expect((await client.from('client_leads').select('id').eq('client_id', fjell.id)).data).toEqual([{ id: leadId }]);
    expect((await client.from('client_leads').update({ status: 'won' }).eq('id', leadId)).error?.code).toBe('42501');
    const row = { client_id: fjell.id, name: 'Ola', received_at: new Date().toISOString(), origin: 'person' };
    expect((await client.from('client_leads').insert(row)).error?.code).toBe('42501');
  }
});

test('Only the team can add and delete leads, and only approvers and the team can change them', async () => {
  for (const { client } of [viewer, fjell.member]) {
    expect((await addLead(client, fjell)).error?.code).toBe('42501');
    await client.from('client_leads').delete().eq('id', leadId);
  }
  expect((await changeLead(viewer.client, leadId, 'new', 'taken')).error).toMatchObject({
    code: '42501',
    message: 'You can read this, but only approvers can change leads.',
  });
  expect(await readLead(viewer.client, leadId)).toMatchObject({ status: 'new' });
  for (const client of [fjell.member.client, fjell.worker.client, admin]) {
    const id = await newLead(fjell);
    expect((await changeLead(client, id, 'new', 'taken')).error).toBeNull();
    await fjell.worker.client.from('client_leads').delete().eq('id', id).throwOnError();
    expect(await readLead(admin, id)).toBeNull();
  }
});

test('Removed and banned people cannot read leads', async () => {
  const [removed, banned] = [await site.signedIn('client'), await site.signedIn('client')];
  for (const { id } of [removed, banned]) {
    await site.service.from('client_members').insert({ client_id: fjell.id, user_id: id }).throwOnError();
  }
  expect((await listLeads(removed.client, fjell)).error).toBeNull();
  await admin.from('client_members').delete().match({ client_id: fjell.id, user_id: removed.id }).throwOnError();
  await expectNoAccess(removed.client);
  expect((await listLeads(banned.client, fjell)).error).toBeNull();
  await site.service.auth.admin.updateUserById(banned.id, { ban_duration: '1h' });
  expect((await listLeads(banned.client, fjell)).error).not.toBeNull();
  const id = await newLead(fjell, { _name: 'For no banned person' });
  const mails = await query(
    `select recipient from private.mail_queue where variables::text like $1
     union all select 'sent' where false`,
    [`%lead-${id}"%`],
  );
  expect(mails).not.toContainEqual({ recipient: banned.email });
  await admin.from('client_leads').delete().eq('id', id).throwOnError();
});

describe('The status of a lead', () => {
  test('records who took the lead and when, and each change in the history', async () => {
    const id = await newLead(fjell);
    await changeLead(fjell.member.client, id, 'new', 'taken').throwOnError();
    const lead = await site.service.from('client_leads').select().eq('id', id).single();
    expect(lead.data).toMatchObject({ status: 'taken', taken_by: fjell.member.id });
    expect((await changeLead(fjell.worker.client, id, 'new', 'taken')).error?.message).toBe(
      'Someone else has already taken this lead.',
    );
    expect((await changeLead(fjell.worker.client, id, 'new', 'won')).error?.message).toContain('has changed');
    await changeLead(fjell.worker.client, id, 'taken', 'meeting').throwOnError();
    expect((await changeLead(fjell.member.client, id, 'meeting', 'not_fit', ' ')).error?.message).toBe(
      'Please say why this lead does not fit.',
    );
    await changeLead(fjell.member.client, id, 'meeting', 'not_fit', 'Too small.').throwOnError();
    expect((await changeLead(fjell.member.client, id, 'not_fit', 'everything')).error?.code).toBe('23514');
    const after = await readLead(fjell.member.client, id);
    expect(after).toMatchObject({ status: 'not_fit', reason: 'Too small.', taken_at: lead.data?.taken_at });
    expect(after.changes.map(({ number, status }: { number: number; status: string }) => [number, status])).toEqual([
      [3, 'not_fit'],
      [2, 'meeting'],
      [1, 'taken'],
    ]);
    await changeLead(fjell.member.client, id, 'not_fit', 'new').throwOnError();
    expect(await readLead(fjell.member.client, id)).toMatchObject({ status: 'new', taken_by: '', taken_at: null });
    await admin.from('client_leads').delete().eq('id', id).throwOnError();
  });

  test('can be searched together with a part of the name, and new leads are counted', async () => {
    const vik = await newClient(site, admin, 'Vik AS');
    const ids = [];
    for (const name of ['Ann 100%', 'Bo', 'Cato']) ids.push(await newLead(vik, { _name: name, _company: 'Vik_A' }));
    const change = { _client_id: vik.id, _id: ids[2], _expected_status: 'new', _status: 'taken' };
    await vik.member.client.rpc('change_client_lead', change).throwOnError();
    const search = async (filter: Record<string, unknown>) => {
      const { data } = await listLeads(vik.member.client, vik, filter).throwOnError();
      return [data.count, data.new_count, data.all_count, data.items.map(({ name }: { name: string }) => name).sort()];
    };
    expect(await search({})).toEqual([3, 2, 3, ['Ann 100%', 'Bo', 'Cato']]);
    expect(await search({ _status: 'taken' })).toEqual([1, 2, 3, ['Cato']]);
    expect(await search({ _search: '0%' })).toEqual([1, 2, 3, ['Ann 100%']]);
    expect(await search({ _search: 'VIK_', _status: 'new', _limit: 1 })).toEqual([2, 2, 3, ['Bo']]);
    const { data: home } = await vik.member.client.rpc('client_home', { _client_id: vik.id }).throwOnError();
    expect(home.waiting).toMatchObject([{ kind: 'lead' }, { kind: 'lead' }]);
    expect(home.waiting_count).toBe(2);
    const readArchive = (_part: string) => vik.member.client.rpc('client_archive', { _client_id: vik.id, _part });
    expect((await readArchive('leads').throwOnError()).data).toHaveLength(3);
    expect((await readArchive('lead_changes').throwOnError()).data).toMatchObject([{ lead: ids[2], status: 'taken' }]);
    // The client's leads are deleted with it.
    await admin.from('clients').delete().eq('id', vik.id).throwOnError();
    expect(await query('select from public.client_leads where client_id = $1', [vik.id])).toEqual([]);
  });
});

describe('Events', () => {
  const LEAD_COLUMNS = 'campaign_id, email, name, company, title, words, step, received_at, status';

  async function readLeads({ id }: TestClient) {
    const { data } = await site.service
      .from('client_leads')
      .select(LEAD_COLUMNS)
      .eq('client_id', id)
      .order('email')
      .throwOnError();
    return data;
  }

  test('become leads even if they contain characters that Postgres rejects', async () => {
    const vaag = await newClient(site, admin, 'Våg AS', NOON);
    const token = await addSource(vaag.worker.client, vaag);
    const reply = { kind: 'positive_reply', at: new Date(Date.now() - 60_000).toISOString() };
    const events = [
      { ...reply, id: '1', to: 'a@kunde.example\tb@kunde.example', text: 'Hello' },
      { ...reply, id: '2', to: 'c@kunde.example', text: `<p>&#55296; yes${'&#1;'.repeat(4000)}</p>` },
      { ...reply, id: '3', to: 'd@kunde.example', name: `A${' '.repeat(998)}😀`, text: 'Hello' },
    ];
    expect((await postEvents(site, token, events)).status).toBe(200);
    expect(await readLeads(vaag)).toMatchObject([
      { email: 'a@kunde.example b@kunde.example', words: 'Hello' },
      { email: 'c@kunde.example', words: '\uFFFD yes' },
      { email: 'd@kunde.example', name: 'A', words: 'Hello' },
    ]);
    const { data: stored } = await site.service.from('inbound_events').select('kind').eq('client_id', vaag.id);
    expect(stored).toEqual(events.map(({ kind }) => ({ kind })));
  });

  test('add the approved text that the person received before the reply', async () => {
    const eid = await newClient(site, admin, 'Eid AS', NOON);
    await approveText(eid, { title: 'Short', text: 'Hello {{first_name}}.', step: 1 });
    await approveText(eid, { title: 'Long', text: 'Good morning {{first_name}}.', step: 1 });
    const token = await addSource(eid.worker.client, eid);
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const to = 'ola@kunde.example';
    const events = [
      { id: '3', kind: 'positive_reply', at: at(3), to, text: 'Yes' },
      { id: '1', kind: 'sent', at: at(5), to, step: 1, text: 'Good morning Ola.' },
      { id: '2', kind: 'sent', at: at(1), to, step: 1, text: 'Hello Ola.' },
    ];
    for (const event of events) expect((await postEvents(site, token, event)).status).toBe(200);
    const { data } = await listLeads(eid.member.client, eid).throwOnError();
    expect(await readLead(eid.member.client, data.items[0].id, eid)).toMatchObject({ text: 'Long', words: 'Yes' });
  });

  test('of an interested person become one lead with the text of the reply, in any order', async () => {
    const sund = await newClient(site, admin, 'Sund AS', NOON);
    const token = await addSource(sund.worker.client, sund, { provider: 'smartlead' });
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const person = { to_email: 'Ola@kunde.example', lead_data: { first_name: 'Ola', last_name: 'Nordmann' } };
    const category = { lead_category: { new_name: 'Interested' }, event_timestamp: at(5) };
    const interest = { event_type: 'LEAD_CATEGORY_UPDATED', ...person, ...category };
    expect((await postEvents(site, token, interest)).status).toBe(200);
    expect(await readLeads(sund)).toMatchObject([
      { email: 'ola@kunde.example', name: 'Ola Nordmann', words: '', step: null },
    ]);
    const html = '<p>Yes, call me.</p><p>Ola</p><div class="gmail_quote">On Friday we wrote</div>';
    const message = {
      event_type: 'EMAIL_REPLY',
      ...person,
      reply_message: { message_id: 'r1', html },
      event_timestamp: at(6),
    };
    const sentEvent = {
      event_type: 'EMAIL_SENT',
      ...person,
      message_id: 's2',
      sequence_number: 2,
      event_timestamp: at(60),
    };
    expect((await postEvents(site, token, [message, sentEvent, interest])).status).toBe(200);
    expect(await readLeads(sund)).toMatchObject([
      { words: 'Yes, call me.\n\nOla', step: 2, campaign_id: sund.campaign },
    ]);
    // The client's archive contains the reply.
    const { data: archive } = await sund.member.client.rpc('client_archive', { _client_id: sund.id, _part: 'leads' });
    expect(archive).toMatchObject([{ email: 'ola@kunde.example', words: 'Yes, call me.\n\nOla' }]);
    // The next reply does not restore a deleted lead.
    await sund.worker.client.from('client_leads').delete().eq('client_id', sund.id).throwOnError();
    const laterReply = { ...message, reply_message: { message_id: 'r2', text: 'Hello?' }, event_timestamp: at(1) };
    expect((await postEvents(site, token, laterReply)).status).toBe(200);
    expect(await readLeads(sund)).toEqual([]);
  });

  test('complete a lead that the team added, and keep the values that the team entered', async () => {
    const nes = await newClient(site, admin, 'Nes AS', NOON);
    const person = { _name: 'Per', _email: 'PER@kunde.example', _words: '', _campaign_id: nes.campaign };
    await newLead(nes, person);
    expect((await addLead(nes.worker.client, nes, person)).error?.message).toBe(
      'This person is already a lead of this campaign.',
    );
    const token = await addSource(nes.worker.client, nes);
    const event = {
      id: '1',
      kind: 'positive_reply',
      to: 'per@kunde.example',
      name: 'Peter',
      company: 'Kunde',
      text: 'Yes',
    };
    expect((await postEvents(site, token, event)).status).toBe(200);
    expect(await readLeads(nes)).toMatchObject([{ name: 'Per', company: 'Kunde', words: 'Yes' }]);
  });

  test('produce the same leads if they are duplicated and shuffled (10,000)', async () => {
    const [first, second] = [
      await newClient(site, admin, 'In order', NOON),
      await newClient(site, admin, 'Mixed', NOON),
    ];
    const kinds = ['sent', 'sent', 'sent', 'reply', 'positive_reply', 'bounced', 'reply', 'sent'];
    const start = Date.now() - 3600_000;
    const events = Array.from({ length: 5000 }, (_, index) => ({
      id: `e${index}`,
      kind: kinds[index % kinds.length],
      to: `person-${(index * 7919) % 1499}@kunde.example`,
      at: new Date(start - index * 100).toISOString(),
      step: (index % 3) + 1,
      ...(index % 5 !== 0 && { text: `Reply ${index}`, name: `Person ${index % 7}` }),
    }));
    const sendAll = async (client: TestClient, all: unknown[]) => {
      const token = await addSource(client.worker.client, client);
      for (let start = 0; start < all.length; start += 500) {
        expect((await postEvents(site, token, all.slice(start, start + 500))).status).toBe(200);
      }
    };
    await sendAll(first, events);
    const shuffled = [...events, ...events]
      .map((event, index) => ({ event, rank: (index * 7_368_787) % 10_007 }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ event }) => event);
    await sendAll(second, shuffled);
    const withoutCampaign = async (client: TestClient) =>
      (await readLeads(client)).map(({ campaign_id: _campaign, ...lead }) => lead);
    const leads = await withoutCampaign(first);
    expect(leads.length).toBeGreaterThan(300);
    expect(new Set(leads.map(({ email }) => email)).size).toBe(leads.length);
    expect(await withoutCampaign(second)).toEqual(leads);
  });
});

describe('Emails', () => {
  const readQueuedMails = (template: string, id: string) =>
    query(`select recipient, variables from private.mail_queue where template = $1 and variables ->> 'Path' like $2`, [
      template,
      `%lead-${id}`,
    ]);

  test('about a new lead quote the reply, and are sent only to subscribers, at most 20 a day', async () => {
    const { id, member, worker } = await newClient(site, admin, 'Bre AS', NOON);
    const quiet = await site.signedIn('client');
    const row = { client_id: id, user_id: quiet.id, notifications: ['report'] };
    await site.service.from('client_members').insert(row).throwOnError();
    // Mails are delivered and deleted while the test runs, so they are recorded.
    await query(`create table private.queued_leads (recipient text, variables jsonb)`);
    await query(`create table private.queued_summaries (recipient text, variables jsonb)`);
    await query(`create function private.note_lead_mail() returns trigger language plpgsql as $$
      begin
        if new.template = 'client_lead' then insert into private.queued_leads values (new.recipient, new.variables);
        else insert into private.queued_summaries values (new.recipient, new.variables);
        end if;
        return null;
      end $$`);
    await query(`create trigger note_lead_mail after insert on private.mail_queue for each row
      when (new.template in ('client_lead', 'more_leads')) execute function private.note_lead_mail()`);
    const { data: lead } = await addLead(worker.client, { id }, { _company: 'Kunde AS', _email: 'kari@kunde.example' });
    const mails = await query('select recipient, variables from private.queued_leads');
    expect(mails).toMatchObject([
      {
        recipient: member.email,
        variables: {
          Title: 'Kari Nordmann, Kunde AS',
          Message: '“Call me.”',
          Action: 'I will take it',
          Path: expect.stringMatching(/^\/lead\/[0-9a-f]{64}$/),
          Items: [
            { text: 'Not a fit', path: expect.stringMatching(/^\/lead\/[0-9a-f]{64}\?answer=not_fit$/) },
            { path: `/client-dashboard?client=${id}#lead-${lead}` },
          ],
        },
      },
    ]);
    for (let count = 0; count < 22; count += 1) await addLead(worker.client, { id }).throwOnError();
    expect(await query('select from private.queued_leads')).toHaveLength(20);
    // One more mail links to the other leads of the day.
    expect(await query('select recipient, variables from private.queued_summaries')).toEqual([
      {
        recipient: member.email,
        variables: {
          Email: member.email,
          ClientId: id,
          Client: 'Bre AS',
          Path: `/client-dashboard?client=${id}&tab=leads`,
          Count: '21 leads',
        },
      },
    ]);
    await query('drop trigger note_lead_mail on private.mail_queue');
  });

  test('about a lead that no one took are sent to the team once, after a working day of the client', async () => {
    const endOfWorkingDay = async (from: string, zone = 'Europe/Oslo') =>
      (
        await query(
          `select to_char(private.add_working_day($1::timestamptz, $2) at time zone $2, 'Dy HH24:MI') as at`,
          [from, zone],
        )
      )[0]?.['at'];
    // 2026-11-26 is a Thursday.
    expect(await endOfWorkingDay('2026-11-26T09:30+01')).toBe('Fri 09:30');
    expect(await endOfWorkingDay('2026-11-27T09:30+01')).toBe('Mon 09:30');
    expect(await endOfWorkingDay('2026-11-28T09:30+01')).toBe('Tue 00:00');
    expect(await endOfWorkingDay('2026-11-29T23:30+01')).toBe('Tue 00:00');
    // Friday evening in Oslo is Saturday in Tokyo.
    expect(await endOfWorkingDay('2026-11-27T20:00+01', 'Asia/Tokyo')).toBe('Tue 00:00');

    await query(`update public.client_leads set reminded_at = now()`);
    const [waitingLead, takenLead] = [await newLead(fjell), await newLead(fjell)];
    await changeLead(fjell.member.client, takenLead, 'new', 'taken').throwOnError();
    const mailNextLead = async (days: number) =>
      (await query(`select private.mail_next_waiting_lead(now() + make_interval(days => $1)) as was_due`, [days]))[0]?.[
        'was_due'
      ];
    await query(`create table private.reminders (recipient text, variables jsonb)`);
    await query(`create function private.note_reminder() returns trigger language plpgsql as $$
      begin insert into private.reminders values (new.recipient, new.variables); return null; end $$`);
    await query(`create trigger note_reminder after insert on private.mail_queue for each row
      when (new.template = 'lead_waiting') execute function private.note_reminder()`);
    expect(await mailNextLead(0)).toBe(false);
    expect(await mailNextLead(4)).toBe(true);
    expect(await mailNextLead(4)).toBe(false);
    expect(await query('select recipient, variables from private.reminders')).toMatchObject([
      {
        recipient: fjell.worker.email,
        variables: { Title: 'Kari Nordmann', Path: `/team-dashboard/clients/${fjell.id}#lead-${waitingLead}` },
      },
    ]);
    expect(await readQueuedMails('lead_waiting', takenLead)).toEqual([]);
    await query('drop trigger note_reminder on private.mail_queue');
    await admin.from('client_leads').delete().in('id', [waitingLead, takenLead]).throwOnError();
  });
});

describe('A lead is deleted', () => {
  test('after the retention period of its client, counted from its last change', async () => {
    const eid = await newClient(site, admin, 'Eid AS');
    expect((await admin.from('clients').update({ lead_months: 61 }).eq('id', eid.id)).error?.code).toBe('23514');
    expect(
      (await eid.worker.client.from('clients').update({ lead_months: 1 }).eq('id', eid.id).select()).data ?? [],
    ).toEqual([]);
    const [old, kept] = [await newLead(eid), await newLead(eid)];
    await query(`update public.client_leads set changed_at = now() - interval '7 months' where id = $1`, [old]);
    await query('select private.delete_old_client_leads(200)');
    expect((await listLeads(admin, eid).throwOnError()).data.all_count).toBe(2);
    await admin.from('clients').update({ lead_months: 6 }).eq('id', eid.id).throwOnError();
    expect((await query('select private.delete_old_client_leads(200) as deleted'))[0]).toEqual({ deleted: 1 });
    expect((await listLeads(admin, eid).throwOnError()).data.items).toMatchObject([{ id: kept }]);
    expect(await query(`select from private.jobs where function_name = 'delete_old_client_leads'`)).toHaveLength(1);
  });

  test('with its campaign, and with the account of its person, after it was in the data export', async () => {
    const moen = await newClient(site, admin, 'Moen AS');
    await newLead(moen, { _campaign_id: moen.campaign });
    const person = await site.signedIn('client');
    const leadId = await newLead(moen, { _email: person.email });
    await query('delete from public.campaigns where id = $1', [moen.campaign]);
    expect((await listLeads(admin, moen).throwOnError()).data.items).toMatchObject([{ id: leadId }]);
    const readPersonalData = async (id: string) =>
      (await query<{ data: Record<string, unknown> }>('select private.personal_data_of($1, true) as data', [id]))[0]
        ?.data ?? {};
    expect((await readPersonalData(person.id))['leads_of_clients']).toMatchObject([
      { email: person.email, words: 'Call me.' },
    ]);
    const change = { _client_id: moen.id, _id: leadId, _expected_status: 'new', _status: 'taken' };
    await moen.member.client.rpc('change_client_lead', change).throwOnError();
    const member = await readPersonalData(moen.member.id);
    expect(member['client_lead_assignments']).toMatchObject([{ status: 'taken' }]);
    expect(member['changes_of_leads']).toMatchObject([{ lead: leadId }]);
    expect(member['leads_of_clients']).toEqual([]);
    await query('select private.delete_personal_data($1, true)', [person.id]);
    expect((await listLeads(admin, moen).throwOnError()).data.all_count).toBe(0);
  });
});
