/**
 * Meetings with leads. Tests who can link them, what the lead and the meeting show, and which of them remain after a
 * deletion.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

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

async function newLead({ id, worker }: TestClient): Promise<string> {
  return (await worker.client.rpc('add_client_lead', { _client_id: id, _name: 'Kari Moe' }).throwOnError()).data;
}

function saveMeeting(client: SupabaseClient, { id }: TestClient, leadId: string, fields: object = {}) {
  const meeting = { _client_id: id, _starts_at: '2026-05-04T10:00:00Z', _met_with: 'Kari Moe', _outcome: 'booked' };
  return client.rpc('save_client_meeting', { ...meeting, _lead_id: leadId, ...fields });
}

async function readLead(client: SupabaseClient, { id }: TestClient, leadId: string) {
  return (await client.rpc('client_lead', { _client_id: id, _id: leadId }).throwOnError()).data;
}

async function readMeetings(client: SupabaseClient, { id }: TestClient) {
  return (await client.rpc('list_client_meetings', { _client_id: id }).throwOnError()).data;
}

test('A meeting with a lead is listed with the lead, and the status of the lead becomes “meeting”', async () => {
  const leadId = await newLead(fjell);
  const { data: meetingId } = await saveMeeting(fjell.worker.client, fjell, leadId).throwOnError();
  for (const client of [fjell.member.client, fjell.worker.client, admin]) {
    const lead = await readLead(client, fjell, leadId);
    expect(lead).toMatchObject({ status: 'meeting', meetings: [{ id: meetingId, outcome: 'booked' }] });
    expect(lead.changes).toMatchObject([{ number: 1, status: 'meeting' }]);
    const meeting = (await readMeetings(client, fjell)).find(({ id }: { id: string }) => id === meetingId);
    expect(meeting.details.lead).toEqual({ id: leadId, name: 'Kari Moe' });
  }
});

test('Editing a meeting keeps its lead, and a second meeting does not change the status again', async () => {
  const leadId = await newLead(fjell);
  const { data: meetingId } = await saveMeeting(fjell.worker.client, fjell, leadId).throwOnError();
  const changed = { _id: meetingId, _outcome: 'held', _lead_id: null };
  await saveMeeting(fjell.worker.client, fjell, leadId, changed).throwOnError();
  await saveMeeting(fjell.worker.client, fjell, leadId, { _starts_at: '2026-06-04T10:00:00Z' }).throwOnError();
  const lead = await readLead(fjell.member.client, fjell, leadId);
  expect(lead.meetings).toMatchObject([{ outcome: 'booked' }, { id: meetingId, outcome: 'held' }]);
  expect(lead.changes).toHaveLength(1);
});

test('A lead with status “won” keeps that status when another meeting is added', async () => {
  const leadId = await newLead(fjell);
  const won = { _client_id: fjell.id, _id: leadId, _expected_status: 'new', _status: 'won' };
  await fjell.member.client.rpc('change_client_lead', won).throwOnError();
  await saveMeeting(fjell.worker.client, fjell, leadId).throwOnError();
  expect(await readLead(fjell.member.client, fjell, leadId)).toMatchObject({ status: 'won' });
});

test('Only the client’s team can add meetings with its leads', async () => {
  const leadId = await newLead(fjell);
  for (const client of [site.visitor, fjell.member.client, havn.member.client, havn.worker.client]) {
    expect((await saveMeeting(client, fjell, leadId)).error?.code).toBe('42501');
  }
  expect(await readLead(admin, fjell, leadId)).toMatchObject({ status: 'new', meetings: [] });
  for (const client of [fjell.worker.client, admin]) {
    expect((await saveMeeting(client, fjell, leadId)).error).toBeNull();
  }
});

test('A meeting with a deleted lead or a lead of another client is rejected', async () => {
  const leadId = await newLead(fjell);
  const before = await readMeetings(havn.worker.client, havn);
  for (const unknown of [leadId, crypto.randomUUID()]) {
    const { error } = await saveMeeting(havn.worker.client, havn, unknown);
    expect(error?.message).toBe('This lead no longer exists.');
  }
  expect(await readMeetings(havn.worker.client, havn)).toEqual(before);
  expect(await readLead(admin, fjell, leadId)).toMatchObject({ status: 'new', meetings: [] });
});

test('A meeting is kept when its lead is deleted', async () => {
  const leadId = await newLead(havn);
  const { data: meetingId } = await saveMeeting(havn.worker.client, havn, leadId).throwOnError();
  await havn.worker.client.from('client_leads').delete().eq('id', leadId).throwOnError();
  const [meeting] = await readMeetings(havn.member.client, havn);
  expect(meeting).toMatchObject({ id: meetingId, met_with: 'Kari Moe', details: { lead: null } });
});
