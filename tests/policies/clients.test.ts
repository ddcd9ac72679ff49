/** Access to clients, their people and their campaigns, tested with two clients and all roles. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const TABLES = ['clients', 'client_members', 'client_invitations', 'client_assignments', 'campaigns'] as const;

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
  for (const { id } of [fjell, havn]) {
    await admin.rpc('add_client_member', { _client_id: id, _email: 'invited@example.com' }).throwOnError();
  }
});
afterAll(() => site.close());

async function readRows(client: SupabaseClient): Promise<Record<string, object[]>> {
  const entries = TABLES.map(async (table) => [
    table,
    (await client.from(table).select().order('created_at')).data ?? [],
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns, by table, the IDs of the clients whose rows `client` can read. */
async function readClientIds(client: SupabaseClient): Promise<Record<string, string[]>> {
  const entries = Object.entries(await readRows(client)).map(([table, rows]) => {
    const ids = rows.map((row) => ('client_id' in row ? row.client_id : 'id' in row ? row.id : ''));
    return [table, [...new Set(ids.map(String))]];
  });
  return Object.fromEntries(entries);
}

/** Expects that `client` cannot change a client, its people, its assignments or its campaigns. */
async function expectNoChanges(client: SupabaseClient, { id, campaign, member, worker }: TestClient, userId: string) {
  const before = await readRows(site.service);
  await client.from('clients').insert({ name: 'Evil' });
  await client.from('clients').update({ name: 'Evil' }).eq('id', id);
  await client.from('clients').delete().eq('id', id);
  await client.from('client_members').insert({ client_id: id, user_id: userId });
  await client.from('client_members').update({ kind: 'viewer' }).eq('client_id', id);
  await client.from('client_members').delete().eq('user_id', member.id);
  const invitation = { client_id: id, user_id: userId, address: 'evil@example.com', kind: 'approver' };
  expect((await client.from('client_invitations').insert(invitation)).error?.code).toBe('42501');
  await client.from('client_invitations').update({ kind: 'viewer' }).eq('client_id', id);
  await client.from('client_invitations').delete().eq('client_id', id);
  // The error is the same whether or not the user can be assigned, so it does not reveal the role of the user.
  for (const user_id of [userId, worker.id]) {
    const response = await client.from('client_assignments').insert({ client_id: id, user_id });
    expect(response.error?.code).toBe('42501');
  }
  await client.from('client_assignments').delete().eq('user_id', worker.id);
  await client.from('campaigns').insert({ client_id: id, name: 'Evil', channel: 'email' });
  await client.from('campaigns').update({ next_step: 'Evil' }).eq('id', campaign);
  await client.from('campaigns').delete().eq('id', campaign);
  await client.rpc('delete_campaign', { _client_id: id, _campaign_id: campaign });
  expect((await client.rpc('add_client_member', { _client_id: id, _email: 'a@example.com' })).error?.code).toBe(
    '42501',
  );
  expect((await client.rpc('client_people', { _client_id: id })).error?.code).toBe('42501');
  expect(await readRows(site.service)).toEqual(before);
}

describe.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team']))(
  '%s without an assigned client',
  (_label, role) => {
    test('cannot read or change anything', async () => {
      const caller = role === 'visitor' ? { id: fjell.member.id, client: site.visitor } : await site.signedIn(role);
      expect(Object.values(await readRows(caller.client)).flat()).toEqual([]);
      await expectNoChanges(caller.client, fjell, caller.id);
    });
  },
);

describe('A member', () => {
  test('can read their client and its campaigns, but no other members', async () => {
    expect(await readClientIds(fjell.member.client)).toEqual({
      clients: [fjell.id],
      client_members: [fjell.id],
      client_invitations: [],
      client_assignments: [],
      campaigns: [fjell.id],
    });
    const { data } = await fjell.member.client.from('clients').select('name, campaigns(name)').throwOnError();
    expect(data).toEqual([{ name: 'Fjell AS', campaigns: [{ name: 'Campaign of Fjell AS' }] }]);
    expect((await fjell.member.client.from('clients').select().eq('id', havn.id)).data).toEqual([]);
  });

  test.each(['their own', 'another'])('cannot change anything of %s client', async (target) => {
    await expectNoChanges(fjell.member.client, target === 'another' ? havn : fjell, fjell.member.id);
  });

  test('of two clients can read both, and after removal from one can read only the other', async () => {
    const member = await site.signedIn('client');
    for (const { id } of [fjell, havn]) {
      await admin.rpc('add_client_member', { _client_id: id, _email: member.email.toUpperCase() }).throwOnError();
    }
    expect((await readClientIds(member.client))['campaigns']?.sort()).toEqual([fjell.id, havn.id].sort());
    await admin.from('client_members').delete().match({ client_id: fjell.id, user_id: member.id }).throwOnError();
    expect((await readClientIds(member.client))['campaigns']).toEqual([havn.id]);
  });

  test('loses the membership with the role, and does not regain it when the role is restored', async () => {
    const user = await site.signedIn('client');
    await admin.rpc('add_client_member', { _client_id: fjell.id, _email: user.email }).throwOnError();
    expect((await readClientIds(user.client))['clients']).toEqual([fjell.id]);
    await site.service.from('user_roles').delete().eq('user_id', user.id).throwOnError();
    await site.service.from('user_roles').insert({ user_id: user.id, role: 'client', approved: true }).throwOnError();
    expect((await readClientIds(user.client))['clients']).toEqual([]);
  });
});

describe('An assigned team member', () => {
  test('can read their client with its people, but no other client', async () => {
    const ownIds = [fjell.id];
    expect(await readClientIds(fjell.worker.client)).toEqual({
      clients: ownIds,
      client_members: ownIds,
      client_invitations: ownIds,
      client_assignments: ownIds,
      campaigns: ownIds,
    });
    const { data } = await fjell.worker.client.rpc('client_people', { _client_id: fjell.id }).throwOnError();
    expect(data.map(({ email }: { email: string }) => email)).toContain(fjell.member.email);
  });

  test('can add, change and delete campaigns of their client', async () => {
    const table = fjell.worker.client.from('campaigns');
    const row = { client_id: fjell.id, name: 'Spring', channel: 'linkedin' };
    const { data } = await table.insert(row).select('id').single().throwOnError();
    await table.update({ phase: 'running', next_step: 'Look at the replies', due_on: '2026-12-01' }).eq('id', data.id);
    expect((await table.select('phase').eq('id', data.id)).data).toEqual([{ phase: 'running' }]);
    const key = { _client_id: fjell.id, _campaign_id: data.id };
    await fjell.worker.client.rpc('delete_campaign', key).throwOnError();
    expect((await table.select().eq('id', data.id).is('deleted_at', null)).data).toEqual([]);
  });

  test('cannot change another client or move a campaign to it', async () => {
    await expectNoChanges(fjell.worker.client, havn, fjell.worker.id);
    const move = await fjell.worker.client.from('campaigns').update({ client_id: havn.id }).eq('id', fjell.campaign);
    expect(move.error?.code).toBe('42501');
  });

  test('cannot change the client itself, its members or its assignments', async () => {
    const { client, id } = fjell.worker;
    const before = await readRows(site.service);
    await client.from('clients').update({ name: 'Evil' }).eq('id', fjell.id);
    await client.from('client_members').delete().eq('client_id', fjell.id);
    expect((await client.from('client_assignments').insert({ client_id: fjell.id, user_id: id })).error).not.toBeNull();
    expect(await readRows(site.service)).toEqual(before);
  });
});

describe('An admin', () => {
  test('can read and change all clients', async () => {
    expect((await readClientIds(admin))['campaigns']?.sort()).toEqual([fjell.id, havn.id].sort());
    await admin.from('clients').update({ domain: 'fjell.example' }).eq('id', fjell.id).throwOnError();
    expect((await admin.from('clients').select('domain').eq('id', fjell.id)).data).toEqual([
      { domain: 'fjell.example' },
    ]);
    const { data } = await admin.from('clients').insert({ name: 'Short' }).select('id').single().throwOnError();
    await admin.from('clients').delete().eq('id', data.id).throwOnError();
  });

  test('can add only people with the right role', async () => {
    const add = (email: string) => admin.rpc('add_client_member', { _client_id: fjell.id, _email: email });
    expect((await add((await site.signedIn('team')).email)).error?.code).toBe('23514');
    expect((await add((await site.signedIn('stranger')).email)).error?.code).toBe('23514');
    const client = await site.signedIn('client');
    const response = await admin.from('client_assignments').insert({ client_id: fjell.id, user_id: client.id });
    expect(response.error?.code).toBe('23514');
    expect((await add(fjell.member.email)).error).toBeNull();
    const colleague = await site.signedIn('admin');
    await admin.from('client_assignments').insert({ client_id: fjell.id, user_id: colleague.id }).throwOnError();
  });
});

test('The flag has_client of an account is set while the user is a member of a client', async () => {
  const user = await site.signedIn('client');
  const readFlag = async () => {
    const { data } = await site.service.auth.admin.getUserById(user.id);
    return data.user?.app_metadata['has_client'];
  };
  expect(await readFlag()).toBeUndefined();
  await admin.rpc('add_client_member', { _client_id: fjell.id, _email: user.email }).throwOnError();
  expect(await readFlag()).toBe(true);
  await admin.from('client_members').delete().eq('user_id', user.id).throwOnError();
  expect(await readFlag()).toBeUndefined();
});
