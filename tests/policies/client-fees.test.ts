/** Fees of clients. Tests who can read and set them, and which amount is due for a range of days. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;
let viewer: Awaited<ReturnType<TestBackend['signedIn']>>;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
  viewer = await site.signedIn('client');
  const membership = { client_id: fjell.id, user_id: viewer.id, kind: 'viewer' };
  await site.service.from('client_members').insert(membership).throwOnError();
  await setFee(fjell.worker.client, fjell, { amount: 30_000 }).throwOnError();
});
afterAll(() => site.close());

interface FeeInput {
  month?: string;
  amount?: number;
  former?: number;
}

function setFee(
  client: SupabaseClient,
  { id }: TestClient,
  { month = '2026-01-01', amount = 0, former = 0 }: FeeInput,
) {
  const fee = { _first_month: month, _amount: amount, _expected_number: former };
  return client.rpc('set_client_fee', { _client_id: id, ...fee });
}

const listFees = (client: SupabaseClient) => client.rpc('list_client_fees', { _client_id: fjell.id });
const readRows = async () => (await site.service.from('client_fees').select().order('number').throwOnError()).data;
const readArchive = (client: SupabaseClient) => client.rpc('client_archive', { _client_id: fjell.id, _part: 'fees' });

/** Returns the fee of Fjell AS for a range of days, and its first day. */
async function readFee(from: string, until: string) {
  const { rows: fees } = await site.backend.database.query<{ fee: string | null; since: string | null }>(
    'select fee, since::text from private.fee_of_period($1, $2, $3)',
    [fjell.id, from, until],
  );
  return fees[0];
}

/** Expects that `client` cannot read or set fees of Fjell AS. */
async function expectNoAccess(client: SupabaseClient) {
  const before = await readRows();
  expect((await client.from('client_fees').select().eq('client_id', fjell.id)).data ?? []).toEqual([]);
  expect((await listFees(client)).error?.code).toBe('42501');
  expect((await setFee(client, fjell, { amount: 1, former: before.length })).error?.code).toBe('42501');
  const row = { client_id: fjell.id, number: 9, first_month: '2026-01-01', amount: 1 };
  expect((await client.from('client_fees').insert(row)).error?.code).toBe('42501');
  expect((await client.from('client_fees').update({ amount: 1 }).eq('client_id', fjell.id)).error?.code).toBe('42501');
  expect((await client.from('client_fees').delete().eq('client_id', fjell.id)).error?.code).toBe('42501');
  expect(await readRows()).toEqual(before);
}

test.each(capitalizedRoles(OUTSIDERS))('%s without a client cannot read or set fees', async (_label, role) => {
  await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
});

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot read or set fees',
  async (_label, role) => expectNoAccess(havn[role].client),
);

test('A viewer cannot read or set fees, and their archive has no fees', async () => {
  await expectNoAccess(viewer.client);
  expect((await readArchive(viewer.client).throwOnError()).data).toEqual([]);
});

test('An approver can read the fee but cannot set it', async () => {
  const { client } = fjell.member;
  expect((await listFees(client).throwOnError()).data).toMatchObject([{ amount: 30_000, set_by: '' }]);
  expect((await client.from('client_fees').select('amount').throwOnError()).data).toEqual([{ amount: 30_000 }]);
  expect((await readArchive(client).throwOnError()).data).toMatchObject([{ from: '2026-01-01', amount: 30_000 }]);
  expect((await setFee(client, fjell, { amount: 1, former: 1 })).error?.code).toBe('42501');
});

test('A removed approver and an approver whose role was withdrawn cannot read the fee', async () => {
  const user = await site.signedIn('client');
  const membership = { client_id: fjell.id, user_id: user.id };
  await site.service.from('client_members').insert(membership).throwOnError();
  expect((await listFees(user.client)).error).toBeNull();
  await site.service.from('user_roles').update({ approved: false }).eq('user_id', user.id).throwOnError();
  await expectNoAccess(user.client);
  await site.service.from('user_roles').update({ approved: true }).eq('user_id', user.id).throwOnError();
  await admin.from('client_members').delete().match(membership).throwOnError();
  await expectNoAccess(user.client);
});

test('An admin who impersonates a member sees the fee only for an approver, and cannot set it', async () => {
  const as = (userId: string) => ({ name: 'x-as-member', value: `${fjell.id}/${userId}` });
  for (const person of [fjell.member, viewer]) {
    const { name, value } = as(person.id);
    const fees = await admin.from('client_fees').select('amount').eq('client_id', fjell.id).setHeader(name, value);
    expect(fees.data).toEqual(person === viewer ? [] : [{ amount: 30_000 }]);
    expect((await listFees(admin).setHeader(name, value)).error?.code).toBe(person === viewer ? '42501' : undefined);
    expect((await setFee(admin, fjell, { amount: 1, former: 1 }).setHeader(name, value)).error?.code).toBe('42501');
  }
});

test('Only the first of two concurrent changes is stored', async () => {
  const changes = await Promise.all([1, 2].map((amount) => setFee(havn.worker.client, havn, { amount })));
  const messages = changes.flatMap(({ error }) => (error ? [error.message] : []));
  expect(messages).toEqual(['Someone else has changed the fee. Reload the page to read it.']);
});

test.each([
  ['in the middle of a month', { month: '2026-01-02' }],
  ['below zero', { amount: -1 }],
  ['above the limit', { amount: 1e12 + 1 }],
])('A fee %s is rejected', async (_label, input) => {
  const { count } = await site.service.from('client_fees').select('*', { count: 'exact' }).eq('client_id', havn.id);
  expect((await setFee(admin, havn, { amount: 5, former: count ?? 0, ...input })).error).not.toBeNull();
});

test('All changes are stored, the latest change in a month applies, and the fee is proportional to the days in the month', async () => {
  expect(await readFee('2026-01-01', '2026-03-31')).toEqual({ fee: '90000.00', since: '2026-01-01' });
  await setFee(admin, fjell, { month: '2026-03-01', amount: 62_000, former: 1 }).throwOnError();
  await setFee(fjell.worker.client, fjell, { month: '2026-02-01', amount: 28_000, former: 2 }).throwOnError();
  expect(await readFee('2026-01-01', '2026-03-31')).toEqual({ fee: '120000.00', since: '2026-01-01' });
  // One of 31 days of January, the whole of February, and three of 31 days of March.
  expect(await readFee('2026-01-31', '2026-03-03')).toEqual({ fee: '34967.74', since: '2026-01-31' });
  await setFee(admin, fjell, { month: '2026-05-01', amount: 0, former: 3 }).throwOnError();
  expect(await readFee('2026-04-30', '2026-05-31')).toEqual({ fee: '2066.67', since: '2026-04-30' });
  expect(await readFee('2026-05-01', '2026-05-31')).toEqual({ fee: null, since: null });
  expect(await readFee('2025-12-01', '2025-12-31')).toEqual({ fee: null, since: null });
  expect(await readFee('2025-12-01', '2026-01-31')).toEqual({ fee: '30000.00', since: '2026-01-01' });
  expect((await listFees(admin).throwOnError()).data).toMatchObject([
    { number: 4, first_month: '2026-05-01', amount: 0 },
    { number: 3, first_month: '2026-02-01', amount: 28_000 },
    { number: 2, first_month: '2026-03-01', amount: 62_000 },
    { number: 1, first_month: '2026-01-01', amount: 30_000 },
  ]);
});
