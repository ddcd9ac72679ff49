/** The client's portal home, the read receipts of its members, and the team's overview of clients. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailsTo, nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
});
afterAll(() => site.close());

function readHome(client: SupabaseClient, { id }: TestClient) {
  return client.rpc('client_home', { _client_id: id });
}

function listChanges(client: SupabaseClient, { id }: TestClient, from = '2026-01-01', until = '2999-12-31') {
  return client.rpc('client_changes', { _client_id: id, _from: from, _until: until });
}

function markRead(client: SupabaseClient, { id }: TestClient, approvals: string[] = []) {
  return client.rpc('record_client_read', { _client_id: id, _approval_ids: approvals });
}

async function newText(client: TestClient, title: string, due?: string): Promise<string> {
  const text = { _client_id: client.id, _title: title, _text: 'Hello.', ...(due && { _due_on: due }) };
  return (await client.worker.client.rpc('ask_for_approval', text).throwOnError()).data;
}

/** Sets the date of the only version of a text to eight days ago. */
async function backdateVersion(id: string): Promise<void> {
  await site.backend.database.query(
    `update public.approval_versions set created_at = now() - interval '8 days' where approval_id = $1`,
    [id],
  );
}

interface ClientStatus {
  name: string;
  waits_for_client: number;
  waits_for_us: number;
  due_on: string | null;
  unread: number;
  read_at: string | null;
}

async function readClientStatuses(client: SupabaseClient): Promise<ClientStatus[]> {
  return (await client.rpc('team_overview').throwOnError()).data;
}

async function readReceipts() {
  return (await site.service.from('client_reads').select('client_id, user_id, kind, item_id').throwOnError()).data;
}

describe.each(capitalizedRoles(OUTSIDERS))('%s without an assigned client', (_label, role) => {
  test('cannot read the portal home, the overview or read receipts, or create a receipt', async () => {
    const { client } = role === 'visitor' ? { client: site.visitor } : await site.signedIn(role);
    const text = await newText(fjell, `For a ${role}`);
    await markRead(fjell.member.client, fjell).throwOnError();
    const before = await readReceipts();
    expect((await readHome(client, fjell)).error?.code).toBe('42501');
    expect((await listChanges(client, fjell)).error?.code).toBe('42501');
    expect((await markRead(client, fjell, [text])).error?.code).toBe('42501');
    expect((await client.rpc('team_overview')).data ?? []).toEqual([]);
    expect((await client.from('client_reads').select()).data ?? []).toEqual([]);
    const row = { client_id: fjell.id, user_id: fjell.member.id, kind: 'approval', item_id: text };
    expect((await client.from('client_reads').insert(row)).error?.code).toBe('42501');
    expect(await readReceipts()).toEqual(before);
  });
});

test('The portal home lists the open tasks of its client by due date', async () => {
  const oslo = await newClient(site, admin, 'Oslo AS');
  await newText(oslo, 'Without a day');
  await newText(oslo, 'Later', '2099-02-02');
  const decidedId = await newText(oslo, 'Decided', '2099-01-01');
  const decision = { _client_id: oslo.id, _approval_id: decidedId, _number: 1, _verdict: 'yes' };
  await oslo.member.client.rpc('decide_approval', decision).throwOnError();
  const meeting = { _client_id: oslo.id, _starts_at: '2026-01-02T09:00:00Z', _met_with: 'Kari' };
  await oslo.worker.client.rpc('save_client_meeting', { ...meeting, _outcome: 'held' }).throwOnError();
  await oslo.worker.client
    .rpc('save_client_meeting', { ...meeting, _met_with: 'Booked', _outcome: 'booked' })
    .throwOnError();
  for (const { client } of [oslo.member, oslo.worker, { client: admin }]) {
    const { data } = await readHome(client, oslo).throwOnError();
    expect(data).toMatchObject({ waiting_count: 3, next_call: null });
    expect(data.waiting.map(({ kind, title }: { kind: string; title: string }) => [kind, title])).toEqual([
      ['meeting', 'Kari'],
      ['approval', 'Later'],
      ['approval', 'Without a day'],
    ]);
  }
  for (const { client } of [havn.member, havn.worker]) {
    expect((await readHome(client, oslo)).error?.code).toBe('42501');
  }
});

test("The portal home shows the time of the member's next call only if their address is verified", async () => {
  const book = (email: string, hours: number, state = 'booked') =>
    site.backend.database.query(
      `insert into public.bookings (slot, name, email, time_zone, token_hash, state, cancelled_by) values (
         tstzrange(now() + $2 * interval '1 hour', now() + ($2 + 1) * interval '1 hour'), 'Kari', $1, 'Europe/Oslo',
         encode(sha256(convert_to($1 || $2::text, 'UTF8')), 'hex'), $3, case $3 when 'cancelled' then 'visitor' end
       )`,
      [email, hours, state],
    );
  const { email, id, client } = fjell.member;
  await book(email, 1, 'cancelled');
  await book(email.toUpperCase(), 5);
  await book(email, 9);
  await book(havn.member.email, 3);
  const readNextCall = async (caller: SupabaseClient) => (await readHome(caller, fjell).throwOnError()).data.next_call;
  const { rows } = await site.backend.database.query<{ starts_at: Date }>(
    `select starts_at from public.bookings where email = $1`,
    [email.toUpperCase()],
  );
  expect(Date.parse(await readNextCall(client))).toBe(rows[0]?.starts_at.getTime());
  expect(await readNextCall(fjell.worker.client)).toBeNull();
  await site.backend.database.query('delete from private.verified_addresses where user_id = $1', [id]);
  expect(await readNextCall(client)).toBeNull();
  await site.backend.database.query('insert into private.verified_addresses (user_id, address) values ($1, $2)', [
    id,
    email,
  ]);
});

describe('A read receipt', () => {
  test("is stored once for each item of the member's client, and only its team can read it", async () => {
    const tind = await newClient(site, admin, 'Tind AS');
    const [textId, otherTextId] = [await newText(tind, 'Own'), await newText(havn, 'Of another')];
    for (const _attempt of [1, 2]) await markRead(tind.member.client, tind, [textId, otherTextId]).throwOnError();
    const receipts = (await readReceipts()).filter(({ client_id }) => client_id === tind.id);
    expect(receipts.map(({ kind, item_id }) => [kind, item_id]).sort()).toEqual([
      ['approval', textId],
      ['portal', tind.id],
    ]);
    expect((await markRead(tind.member.client, havn)).error?.code).toBe('42501');
    for (const client of [tind.worker.client, admin]) {
      expect((await markRead(client, tind, [textId])).error?.code).toBe('42501');
      expect((await client.from('client_reads').select('kind').eq('client_id', tind.id)).data).toHaveLength(2);
    }
    for (const { client } of [tind.member, havn.member, havn.worker]) {
      expect((await client.from('client_reads').select().eq('client_id', tind.id)).data).toEqual([]);
    }
    const people = await tind.worker.client.rpc('client_people', { _client_id: tind.id }).throwOnError();
    expect(people.data.map(({ read_at }: { read_at: string | null }) => read_at !== null)).toEqual([true, false]);
    await admin.from('client_members').delete().eq('user_id', tind.member.id).throwOnError();
    expect((await readReceipts()).filter(({ client_id }) => client_id === tind.id)).toEqual([]);
  });
});

test('Only a member of the client can mark its report as read, and only after it was sent', async () => {
  const vik = await newClient(site, admin, 'Vik AS');
  const { data: id } = await vik.worker.client
    .rpc('start_client_report', { _client_id: vik.id, _span: 'week', _first_day: '2026-01-05' })
    .throwOnError();
  const markRead = (client: SupabaseClient, target: TestClient) =>
    client.rpc('record_client_read', { _client_id: target.id, _report_ids: [id] });
  const readReportReceipts = async () => (await readReceipts()).filter(({ kind }) => kind === 'report');
  await markRead(vik.member.client, vik).throwOnError();
  expect(await readReportReceipts()).toEqual([]);
  const { data: draft } = await vik.worker.client.rpc('client_report', { _id: id }).throwOnError();
  const approval = { _client_id: vik.id, _id: id, _content_hash: draft.content_hash };
  await vik.worker.client.rpc('approve_client_report', approval).throwOnError();
  await markRead(havn.member.client, havn).throwOnError();
  expect((await markRead(havn.member.client, vik)).error?.code).toBe('42501');
  expect((await markRead(vik.worker.client, vik)).error?.code).toBe('42501');
  expect(await readReportReceipts()).toEqual([]);
  await markRead(vik.member.client, vik).throwOnError();
  expect(await readReportReceipts()).toEqual([
    { client_id: vik.id, user_id: vik.member.id, kind: 'report', item_id: id },
  ]);
});

describe('The overview of clients', () => {
  test('shows team members their own clients and admins all clients, and is empty for members', async () => {
    const nes = await newClient(site, admin, 'Nes AS');
    const declinedId = await newText(nes, 'Declined');
    const decision = { _client_id: nes.id, _approval_id: declinedId, _number: 1, _verdict: 'no', _comment: 'Reword.' };
    await nes.member.client.rpc('decide_approval', decision).throwOnError();
    await newText(nes, 'Waits', '2099-03-03');
    await backdateVersion(await newText(nes, 'Old'));
    const status = { name: 'Nes AS', waits_for_client: 2, waits_for_us: 1, due_on: '2099-03-03', unread: 1 };
    expect(await readClientStatuses(nes.worker.client)).toMatchObject([{ ...status, read_at: null }]);
    await markRead(nes.member.client, nes).throwOnError();
    const [adminStatus] = (await readClientStatuses(admin)).filter(({ name }) => name === 'Nes AS');
    expect(adminStatus).toMatchObject(status);
    expect(adminStatus?.read_at).not.toBeNull();
    expect((await readClientStatuses(admin)).length).toBeGreaterThan(2);
    expect(await readClientStatuses(nes.member.client)).toEqual([]);
  });
});

describe('A reminder about a text that was not opened for a week', () => {
  const sendReminders = async () => {
    const { rows } = await site.backend.database.query<{ sent: number }>(
      'select private.mail_unread_reminders() as sent',
    );
    return rows[0]?.sent;
  };

  test('is sent to its requester in one mail, and once for each version', async () => {
    await sendReminders();
    const myr = await newClient(site, admin, 'Myr AS');
    const [first, second, openedId] = [
      await newText(myr, 'First'),
      await newText(myr, 'Second'),
      await newText(myr, 'Read'),
    ];
    for (const id of [first, second, openedId]) await backdateVersion(id);
    await newText(myr, 'New');
    await markRead(myr.member.client, myr, [openedId]).throwOnError();
    expect(await sendReminders()).toBe(2);
    const mail = await nextMail(site.dataFolder, myr.worker.email);
    expect(mail.subject).toBe('Not opened for a week: Myr AS');
    const createLinkPattern = (id: string) => `/team-dashboard/clients/${myr.id}\\?from=mail#approval-${id}`;
    expect(mail.text).toMatch(
      new RegExp(`First:\\s+\\S+${createLinkPattern(first)}\\s+Second:\\s+\\S+${createLinkPattern(second)}`),
    );
    expect(mail.text).not.toMatch(/Read\b|New/);
    expect(await sendReminders()).toBe(0);
    expect(await mailsTo(site.dataFolder, myr.worker.email)).toHaveLength(1);
    const nextVersion = { _client_id: myr.id, _approval_id: first, _title: 'First', _text: 'Hello again.' };
    await myr.worker.client.rpc('ask_for_approval', nextVersion).throwOnError();
    await backdateVersion(first);
    expect(await sendReminders()).toBe(1);
  });

  test('is not sent if the client has no members', async () => {
    await sendReminders();
    const { data } = await admin.from('clients').insert({ name: 'Empty AS' }).select('id').single().throwOnError();
    const text = { _client_id: data.id, _title: 'Alone', _text: 'Hello.' };
    await backdateVersion((await admin.rpc('ask_for_approval', text).throwOnError()).data);
    expect(await sendReminders()).toBe(0);
    expect((await readClientStatuses(admin)).find(({ name }) => name === 'Empty AS')?.unread).toBe(0);
  });
});

test('The list of changes contains new phases of a campaign, but no other changes', async () => {
  const vik = await newClient(site, admin, 'Vik AS');
  const { client } = vik.worker;
  const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Europe/Oslo' });
  const creationDay = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  // Noon UTC is the same day in Oslo.
  const date = `${creationDay}T12:00:00Z`;
  await site.backend.database.query('update public.campaigns set created_at = $2 where id = $1', [vik.campaign, date]);
  await site.backend.database.query('update public.campaign_versions set created_at = $2 where campaign_id = $1', [
    vik.campaign,
    date,
  ]);
  const update = (values: object) => client.from('campaigns').update(values).eq('id', vik.campaign).throwOnError();
  await update({ due_on: '2027-01-01' });
  expect((await listChanges(vik.member.client, vik, today).throwOnError()).data).toEqual([]);
  await update({ phase: 'running' });
  await update({ next_step: 'Read the replies' });
  const expectedChange = { kind: 'phase', name: 'Campaign of Vik AS', detail: 'running', day: today };
  for (const caller of [vik.member.client, client, admin]) {
    expect((await listChanges(caller, vik, today).throwOnError()).data).toEqual([expectedChange]);
  }
  // The list omits phase changes on the day when the campaign was added.
  expect((await listChanges(client, vik, creationDay, creationDay).throwOnError()).data).toMatchObject([
    { kind: 'added', detail: 'planned' },
  ]);
  for (const role of ['member', 'worker'] as const) {
    expect((await listChanges(havn[role].client, vik)).error?.code).toBe('42501');
  }
  await update({ phase: 'planned' });
  expect((await listChanges(client, vik, today).throwOnError()).data).toEqual([]);
  await client.rpc('delete_campaign', { _client_id: vik.id, _campaign_id: vik.campaign }).throwOnError();
  expect((await listChanges(vik.member.client, vik, today).throwOnError()).data).toMatchObject([{ kind: 'ended' }]);
});
