/** Criteria for meetings. Tests who can request their approval, read them and decide on them. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const CRITERIA = {
  roles: ['Founder', 'CEO'],
  minimum_size: 50,
  maximum_size: 500,
  countries: ['SE', 'NO'],
  excludes_customers: true,
  minimum_minutes: 20,
};

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

const query = async <Row extends object = Record<string, unknown>>(sql: string, parameters: (string | number)[] = []) =>
  (await site.backend.database.query<Row>(sql, parameters)).rows;

function requestApproval(client: SupabaseClient, { id }: TestClient, criteria: object = CRITERIA, approvalId?: string) {
  const parameters = { _client_id: id, _title: 'Criteria for meetings', _criteria: criteria, _approval_id: approvalId };
  return client.rpc('ask_for_criteria_approval', parameters);
}

function decide(client: SupabaseClient, { id }: TestClient, approvalId: string, number: number, verdict: string) {
  const version = { _client_id: id, _approval_id: approvalId, _number: number };
  return client.rpc('decide_approval', { ...version, _verdict: verdict, _comment: 'Well.' });
}

test.each(capitalizedRoles(OUTSIDERS))(
  '%s without a client cannot request approval of criteria',
  async (_label, role) => {
    const client = role === 'visitor' ? site.visitor : (await site.signedIn(role)).client;
    expect((await requestApproval(client, fjell)).error?.code).toBe('42501');
  },
);

test('Only the team of the client can request approval of criteria', async () => {
  for (const { client } of [havn.member, havn.worker, fjell.member]) {
    expect((await requestApproval(client, fjell)).error?.code).toBe('42501');
  }
  for (const client of [fjell.worker.client, admin]) expect((await requestApproval(client, fjell)).error).toBeNull();
});

test('Criteria are stored in a canonical form, mailed to the approvers, and decided on like a text', async () => {
  const vik = await newClient(site, admin, 'Vik AS');
  const { data: id } = await requestApproval(vik.worker.client, vik).throwOnError();
  const [version] = await query<{ text: string }>('select text from public.approval_versions where approval_id = $1', [
    id,
  ]);
  expect(JSON.parse(version?.text ?? '')).toEqual({
    ...CRITERIA,
    roles: ['CEO', 'Founder'],
    countries: ['NO', 'SE'],
  });
  const mail = await nextMail(site.dataFolder, vik.member.email);
  expect(mail.text).toContain('We wrote criteria for meetings');
  // The same criteria in another order do not create a new version.
  const reordered = { ...CRITERIA, roles: ['CEO', ' Founder ', 'CEO'] };
  expect((await requestApproval(vik.worker.client, vik, reordered, id)).error?.message).toBe(
    'The criteria are the same as before.',
  );
  expect((await decide(vik.worker.client, vik, id, 1, 'yes')).error?.code).toBe('42501');
  expect((await decide(vik.member.client, vik, id, 1, 'changes')).error).toBeNull();
  expect((await requestApproval(vik.worker.client, vik, { ...CRITERIA, minimum_minutes: 15 }, id)).error).toBeNull();
  const wording = { _client_id: vik.id, _approval_id: id, _number: 2, _verdict: 'changes', _edited_text: '{}' };
  expect((await vik.member.client.rpc('decide_approval', wording)).error?.message).toContain(
    'Only texts can be edited',
  );
  expect((await decide(vik.member.client, vik, id, 2, 'yes')).error).toBeNull();
});

test('Criteria cannot become the next version of a text', async () => {
  const text = { _client_id: fjell.id, _title: 'First mail', _text: 'Hello.' };
  const { data: id } = await fjell.worker.client.rpc('ask_for_approval', text).throwOnError();
  expect((await requestApproval(fjell.worker.client, fjell, CRITERIA, id)).error?.message).toContain(
    'same type as the first',
  );
});

test.each([
  [{ ...CRITERIA, countries: ['Norway'] }, 'A country must be a code of two capital letters.'],
  [{ ...CRITERIA, minimum_size: 0 }, 'A company size must be between 1 and 10,000,000.'],
  [{ ...CRITERIA, minimum_size: 501 }, 'The minimum company size must not exceed the maximum.'],
  [{ ...CRITERIA, minimum_minutes: 1441 }, 'A duration must be between 1 and 1,440 minutes.'],
  [
    { ...CRITERIA, roles: Array.from({ length: 51 }, (_, index) => `Role ${index}`) },
    'Criteria can name at most 50 roles.',
  ],
  [{ roles: [' '], countries: [] }, 'Set at least one criterion.'],
  [{}, 'Set at least one criterion.'],
])('Criteria %j are rejected with “%s”', async (criteria, message) => {
  expect((await requestApproval(fjell.worker.client, fjell, criteria)).error?.message).toBe(message);
});
