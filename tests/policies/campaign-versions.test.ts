/** Trash and history of campaigns. Deleted campaigns keep their figures, and only the team can read versions. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
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

const toKey = ({ id, campaign }: TestClient) => ({ _client_id: id, _campaign_id: campaign });

const readState = async (campaign: string) =>
  (await site.service.from('campaigns').select('phase, deleted_at').eq('id', campaign).single().throwOnError()).data;

async function addFigure({ id, campaign }: TestClient, value: number): Promise<void> {
  const counts = { new_count: 1, changed_count: 0, same_count: 0, refused_count: 0 };
  const batch = { client_id: id, file_name: 'a.csv', file_hash: '0'.repeat(64), column_map: {}, ...counts };
  const { data } = await site.service.from('import_batches').insert(batch).select('id').single().throwOnError();
  const day = { first_day: '2026-01-05', last_day: '2026-01-05' };
  const figure = { client_id: id, batch_id: data.id, campaign_id: campaign, metric: 'sent', value, ...day };
  await site.service.from('campaign_figures').insert(figure).throwOnError();
}

const readFigureSums = async (client: SupabaseClient, id: string) =>
  (await client.rpc('figure_sums', { _client_id: id, _from: '2026-01-01', _until: '2026-01-31' }).throwOnError()).data;

describe.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team']))(
  '%s without an assigned client',
  (_label, role) => {
    test('cannot delete, restore or read campaigns', async () => {
      const { client } = role === 'visitor' ? { client: site.visitor } : await site.signedIn(role);
      for (const call of ['delete_campaign', 'restore_campaign', 'list_campaign_versions']) {
        expect((await client.rpc(call, toKey(fjell))).error?.code).toBe('42501');
      }
      expect((await client.from('campaign_versions').select()).data ?? []).toEqual([]);
      expect(await readState(fjell.campaign)).toEqual({ phase: 'planned', deleted_at: null });
    });
  },
);

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot delete, restore or read campaigns',
  async (_label, role) => {
    const { client } = havn[role];
    for (const call of ['delete_campaign', 'restore_campaign', 'list_campaign_versions']) {
      expect((await client.rpc(call, toKey(fjell))).error?.code).toBe('42501');
    }
    expect(await readState(fjell.campaign)).toEqual({ phase: 'planned', deleted_at: null });
  },
);

test('A member cannot read versions, delete campaigns or see deleted campaigns', async () => {
  const { client } = fjell.member;
  for (const call of ['delete_campaign', 'restore_campaign', 'list_campaign_versions']) {
    expect((await client.rpc(call, toKey(fjell))).error?.code).toBe('42501');
  }
  expect((await client.from('campaign_versions').select()).data).toEqual([]);
  expect((await client.from('campaigns').select('id')).data).toEqual([{ id: fjell.campaign }]);
  await fjell.worker.client.rpc('delete_campaign', toKey(fjell)).throwOnError();
  expect((await client.from('campaigns').select('id')).data).toEqual([]);
  await fjell.worker.client.rpc('restore_campaign', toKey(fjell)).throwOnError();
  expect((await client.from('campaigns').select('id')).data).toEqual([{ id: fjell.campaign }]);
});

test('A deleted campaign keeps its figures, cannot be changed and is restored in its earlier phase', async () => {
  const { client } = havn.worker;
  await client.from('campaigns').update({ phase: 'running' }).eq('id', havn.campaign).throwOnError();
  await addFigure(havn, 7);
  const before = await readFigureSums(havn.member.client, havn.id);
  expect(before).toMatchObject([{ metric: 'sent', value: 7 }]);
  await client.rpc('delete_campaign', toKey(havn)).throwOnError();
  expect(await readFigureSums(havn.member.client, havn.id)).toEqual(before);
  expect(await readState(havn.campaign)).toMatchObject({ phase: 'done' });
  await client.from('campaigns').update({ next_step: 'Evil' }).eq('id', havn.campaign);
  await client.rpc('restore_campaign', toKey(havn)).throwOnError();
  expect(await readState(havn.campaign)).toEqual({ phase: 'running', deleted_at: null });
  const { data } = await client.rpc('list_campaign_versions', toKey(havn)).throwOnError();
  expect(data.map(({ action }: { action: string }) => action)).toEqual(['restored', 'deleted', 'changed', 'created']);
  expect(data[0]).toMatchObject({ number: 4, campaign: { phase: 'running', next_step: '' } });
  expect(data[0].changed_by).not.toBe('');
});

test('An admin cannot delete a campaign or its versions without the functions', async () => {
  expect((await admin.from('campaigns').delete().eq('id', fjell.campaign)).error?.code).toBe('42501');
  expect((await admin.from('campaign_versions').delete().eq('campaign_id', fjell.campaign)).error?.code).toBe('42501');
});

test('A campaign is deleted after 30 days in the trash only if it has no figures', async () => {
  const { client } = fjell.worker;
  const row = { client_id: fjell.id, name: 'Unused', channel: 'email' };
  const { data: unused } = await client.from('campaigns').insert(row).select('id').single().throwOnError();
  await addFigure(fjell, 3);
  const keys = [toKey(fjell), { _client_id: fjell.id, _campaign_id: unused.id }];
  for (const key of keys) await client.rpc('delete_campaign', key).throwOnError();
  const deleteOld = async () =>
    (await site.backend.database.query('select private.delete_old_campaigns(200) as deleted')).rows[0];
  expect(await deleteOld()).toEqual({ deleted: 0 });
  const monthAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000).toISOString();
  await site.service.from('campaigns').update({ deleted_at: monthAgo }).eq('client_id', fjell.id).throwOnError();
  expect(await deleteOld()).toEqual({ deleted: 1 });
  expect((await site.service.from('campaigns').select('id').eq('client_id', fjell.id)).data).toEqual([
    { id: fjell.campaign },
  ]);
  expect(await readFigureSums(fjell.member.client, fjell.id)).toMatchObject([{ metric: 'sent', value: 3 }]);
  expect((await client.rpc('restore_campaign', toKey(fjell))).error?.message).toBe(
    'This campaign is no longer in the trash.',
  );
});

test('Only the last 50 versions of a campaign are stored', async () => {
  for (let step = 1; step <= 55; step += 1) {
    await admin
      .from('campaigns')
      .update({ next_step: `Step ${step}` })
      .eq('id', havn.campaign)
      .throwOnError();
  }
  const { data } = await admin.rpc('list_campaign_versions', toKey(havn)).throwOnError();
  expect(data).toHaveLength(50);
  expect(data[0].campaign.next_step).toBe('Step 55');
});

test('A client row stores the user who last changed it, and null after a change by the service role', async () => {
  const user = await site.signedIn('admin');
  await user.client.from('clients').update({ domain: 'fjell.example' }).eq('id', fjell.id).throwOnError();
  const readChangedBy = async () =>
    (await admin.from('clients').select('changed_by').eq('id', fjell.id).single().throwOnError()).data.changed_by;
  expect(await readChangedBy()).toBe(user.id);
  await site.service.from('clients').update({ domain: '' }).eq('id', fjell.id).throwOnError();
  expect(await readChangedBy()).toBeNull();
});
