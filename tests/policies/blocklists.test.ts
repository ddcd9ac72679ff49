/** Blocklists. Tests who can read, add and remove entries, and how entries are parsed. */
import { createHash, createHmac } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  for (const { id, worker } of [fjell, havn]) await addEntries(worker.client, id, ['by-team.example']).throwOnError();
});
afterAll(() => site.close());

function addEntries(client: SupabaseClient, id: string, texts: string[], isTrial = false) {
  const _lines = texts.map((text, index) => ({ line: index + 1, text }));
  return client.rpc('add_do_not_contact', { _client_id: id, _lines, _is_dry_run: isTrial });
}

function listEntries(client: SupabaseClient, id: string) {
  return client.rpc('list_do_not_contact', { _client_id: id });
}

async function listHints(client: SupabaseClient, id: string): Promise<string[]> {
  const { data } = await client.from('do_not_contact').select('hint').eq('client_id', id).order('hint');
  return (data ?? []).map(({ hint }) => hint);
}

async function findEntries(client: SupabaseClient, id: string, text: string): Promise<string[]> {
  const { data } = await client.rpc('find_do_not_contact', { _client_id: id, _text: text });
  return (data ?? []).map(({ hint }: { hint: string }) => hint);
}

/** Expects that `client` cannot read or change the blocklist of a client. */
async function expectNoAccess(client: SupabaseClient, { id }: TestClient) {
  const before = (await site.service.from('do_not_contact').select()).data;
  expect(await listHints(client, id)).toEqual([]);
  expect(await findEntries(client, id, 'a@by-team.example')).toEqual([]);
  expect((await listEntries(client, id)).error?.code).toBe('42501');
  for (const isTrial of [true, false]) {
    expect((await addEntries(client, id, ['example.com'], isTrial)).error?.code).toBe('42501');
  }
  await client.from('do_not_contact').delete().eq('client_id', id);
  expect((await site.service.from('do_not_contact').select()).data).toEqual(before);
}

test.each(capitalizedRoles(OUTSIDERS))(
  '%s without an assigned client cannot read, add or remove entries',
  async (_label, role) => {
    const client = role === 'visitor' ? site.visitor : (await site.signedIn(role)).client;
    await expectNoAccess(client, fjell);
  },
);

test.each(capitalizedRoles(['member', 'worker']))(
  '%s of another client cannot read, add or remove entries',
  async (_label, role) => {
    await expectNoAccess(havn[role].client, fjell);
  },
);

test('Entries cannot be inserted without the function, and cannot be changed', async () => {
  const row = { client_id: fjell.id, kind: 'domain', value: 'past.example', hint: 'past.example' };
  for (const client of [fjell.member.client, fjell.worker.client, admin]) {
    expect((await client.from('do_not_contact').insert(row)).error?.code).toBe('42501');
    expect((await client.from('do_not_contact').update(row).eq('client_id', fjell.id)).error?.code).toBe('42501');
  }
  // The foreign key rejects an unknown client.
  const response = await site.service.from('do_not_contact').insert({ ...row, client_id: crypto.randomUUID() });
  expect(response.error?.code).toBe('23503');
});

test('A member can read the list, add entries and remove only their own entries', async () => {
  const { client } = fjell.member;
  expect(await listHints(client, fjell.id)).toContain('by-team.example');
  expect((await addEntries(client, fjell.id, ['by-member.example'])).data).toMatchObject({
    new: 1,
    known: 0,
    refused: 0,
  });
  await client.from('do_not_contact').delete().eq('client_id', fjell.id).throwOnError();
  expect(await listHints(client, fjell.id)).toEqual(['by-team.example']);
});

test.each(['worker', 'admin'] as const)('The role %s can remove entries of others', async (role) => {
  const client = role === 'admin' ? admin : fjell.worker.client;
  await addEntries(fjell.member.client, fjell.id, ['off.example']).throwOnError();
  await client.from('do_not_contact').delete().match({ client_id: fjell.id, hint: 'off.example' }).throwOnError();
  expect(await listHints(client, fjell.id)).toEqual(['by-team.example']);
});

test('The list shows the author of an entry only to the team', async () => {
  const { data: memberList } = await listEntries(fjell.member.client, fjell.id).throwOnError();
  expect(memberList).toMatchObject([{ kind: 'domain', hint: 'by-team.example', may_remove: false, total: 1 }]);
  expect(JSON.stringify(memberList)).not.toContain(fjell.worker.email);
  const { data: workerList } = await listEntries(fjell.worker.client, fjell.id).throwOnError();
  expect(workerList).toMatchObject([{ added_by: fjell.worker.email, may_remove: true }]);
  expect((await listEntries(admin, fjell.id)).data).toHaveLength(1);
});

test('A removed member cannot read the list, including their own entries', async () => {
  const user = await site.signedIn('client');
  await admin.rpc('add_client_member', { _client_id: havn.id, _email: user.email }).throwOnError();
  await addEntries(user.client, havn.id, ['mine.example']).throwOnError();
  await admin.from('client_members').delete().eq('user_id', user.id).throwOnError();
  await expectNoAccess(user.client, havn);
  expect(await listHints(havn.member.client, havn.id)).toEqual(['by-team.example', 'mine.example']);
});

describe('An added entry', () => {
  test('for an address is stored as a hash and a hint, without the address', async () => {
    const { client } = fjell.member;
    await addEntries(client, fjell.id, [' Ola.Nordmann@Kunde.example ']).throwOnError();
    const { data } = await client.from('do_not_contact').select('value, hint').eq('kind', 'address').single();
    expect(data).toEqual({ value: expect.stringMatching(/^[0-9a-f]{64}$/), hint: 'o***@kunde.example' });
    expect(await findEntries(client, fjell.id, 'ola.nordmann@kunde.example')).toEqual(['o***@kunde.example']);
    const { data: exported } = await fjell.member.client.rpc('my_data').throwOnError();
    expect(exported.do_not_contact).toMatchObject([{ client: fjell.id, entry: 'o***@kunde.example' }]);
    expect(JSON.stringify(exported)).not.toContain('nordmann');
    await client.from('do_not_contact').delete().eq('kind', 'address').throwOnError();
  });

  test('is hashed with a key that only the database can read', async () => {
    const { client } = fjell.member;
    await addEntries(client, fjell.id, ['kari@guess.example']).throwOnError();
    const { data } = await client.from('do_not_contact').select('value').eq('kind', 'address').single();
    const { rows } = await site.backend.database.query<{ key: Buffer }>(
      `select substr(value, 1, 64) as key from private.secrets where name = 'address_hashes'`,
    );
    const digest = (...parts: (Uint8Array | string)[]) => {
      const hash = createHash('sha256');
      for (const part of parts) hash.update(part);
      return hash;
    };
    const unsalted = digest('kari@guess.example').digest('hex');
    expect(data?.value).not.toBe(unsalted);
    const key = Buffer.from(rows[0]?.key ?? []).map((byte) => byte ^ 0x36);
    expect(data?.value).toBe(createHmac('sha256', key).update(unsalted).digest('hex'));
    for (const caller of [client, fjell.worker.client, admin, site.service]) {
      expect((await caller.schema('private').from('secrets').select()).error).not.toBeNull();
    }
    await client.from('do_not_contact').delete().eq('kind', 'address').throwOnError();
  });

  test.each([
    ['*@acme-test.no', 'acme-test.no'],
    ['@beta-test.no', 'beta-test.no'],
    ['*.gamma-test.no', 'gamma-test.no'],
    ['https://delta-test.no:443/x', 'delta-test.no'],
    ['eps-test.no.', 'eps-test.no'],
    ['"omi-test.no"', 'omi-test.no'],
    ['@*.zeta-test.no', 'zeta-test.no'],
    ['https://user@www.eta-test.no/@me?q#x', 'eta-test.no'],
    ['theta-test.no/about', 'theta-test.no'],
    ['www.no', 'www.no'],
    ["'iota-test.no';", 'iota-test.no'],
  ])('with the text %s is stored as the domain %s', async (text, domain) => {
    const { client } = fjell.member;
    expect((await addEntries(client, fjell.id, [text])).data).toMatchObject({ new: 1, refused: 0 });
    expect(await listHints(client, fjell.id)).toContain(domain);
    expect(await findEntries(client, fjell.id, `anyone@below.${domain}`)).toEqual([domain]);
    expect(await findEntries(client, fjell.id, text)).toEqual([domain]);
    expect(await findEntries(client, fjell.id, `anyone@not-${domain}`)).toEqual([]);
    await client.from('do_not_contact').delete().eq('hint', domain).throwOnError();
  });

  test.each(['Kari <Kari@Rival.example>', '"kari@rival.example"', 'mailto:kari@rival.example?subject=x'])(
    'the text %s is stored as an address',
    async (text) => {
      const { client } = fjell.member;
      expect((await addEntries(client, fjell.id, [text])).data).toMatchObject({ new: 1, refused: 0 });
      expect(await findEntries(client, fjell.id, 'kari@rival.example')).toEqual(['k***@rival.example']);
      expect(await findEntries(client, fjell.id, text)).toEqual(['k***@rival.example']);
      await client.from('do_not_contact').delete().eq('kind', 'address').throwOnError();
    },
  );

  test.each([
    ['info*@acme.example', 'Wildcards (*) are not supported. Enter the full address or domain.'],
    ['acme*.example', 'Wildcards (*) are not supported. Enter the full address or domain.'],
    ['*@gmail.com', 'This is a shared email provider. Enter single addresses instead.'],
    ['*', 'Wildcards (*) are not supported. Enter the full address or domain.'],
  ])('with the text %s is rejected with a reason', async (text, reason) => {
    const { data } = await addEntries(fjell.member.client, fjell.id, [text]);
    expect(data).toMatchObject({ new: 0, refused: 1, examples: [{ reason }] });
  });

  test('is reported as new, known or rejected, and is not stored by a trial', async () => {
    const texts = [
      'new.example',
      'by-team.example',
      'new.example',
      '=cmd()',
      '-a@b.example',
      'a@b',
      'a b',
      '',
      'a@b@c.example',
    ];
    const report = {
      new: 1,
      known: 2,
      refused: 6,
      examples: [
        { line: 1, state: 'new', text: 'new.example', reason: null },
        { line: 2, state: 'known', reason: 'Already on the list.' },
        { line: 3, state: 'known', reason: 'Same as line 1.' },
        { line: 4, state: 'refused', text: '=cmd()', reason: 'Starts with =, +, - or @ like a formula.' },
        { line: 5, state: 'refused', reason: 'Starts with =, +, - or @ like a formula.' },
        { line: 6, state: 'refused', reason: 'Not a valid email address.' },
        { line: 7, state: 'refused', reason: 'Not a valid email address or domain. Use a domain such as example.com.' },
        { line: 8, state: 'refused' },
        { line: 9, state: 'refused', reason: 'Not a valid email address.' },
      ],
    };
    expect((await addEntries(havn.member.client, fjell.id, texts, true)).error?.code).toBe('42501');
    expect((await addEntries(fjell.member.client, fjell.id, texts, true)).data).toMatchObject(report);
    expect(await listHints(admin, fjell.id)).toEqual(['by-team.example']);
    expect((await addEntries(fjell.member.client, fjell.id, texts)).data).toMatchObject(report);
    expect((await addEntries(fjell.member.client, fjell.id, texts)).data).toMatchObject({ new: 0, known: 3 });
    expect(await listHints(admin, fjell.id)).toEqual(['by-team.example', 'new.example']);
  });

  test('is limited to 5,000 for each request and 20,000 for each client', async () => {
    const { id } = await newClient(site, admin, 'Stor AS');
    const texts = (from: number, count: number) => Array.from({ length: count }, (_, n) => `d${from + n}.example`);
    expect((await addEntries(admin, id, texts(0, 5001))).error?.message).toBe(
      'You can add at most 5,000 lines at a time.',
    );
    for (const from of [0, 5000, 10_000, 15_000]) await addEntries(admin, id, texts(from, 5000)).throwOnError();
    expect((await addEntries(admin, id, ['one-more.example'])).error?.message).toContain('at most 20,000 entries');
    expect((await addEntries(admin, id, ['d1.example'])).data).toMatchObject({ new: 0, known: 1 });
  });
});

test('An address is blocked only by its own entry, by its domain, or by a parent domain', async () => {
  const { client } = havn.worker;
  await addEntries(client, havn.id, ['kari@fri.example', 'konsern.example']).throwOnError();
  expect(await findEntries(client, havn.id, ' KARI@fri.example')).toEqual(['k***@fri.example']);
  expect(await findEntries(client, havn.id, 'ola@fri.example')).toEqual([]);
  expect(await findEntries(client, havn.id, 'x@salg.konsern.example')).toEqual(['konsern.example']);
  expect(await findEntries(client, havn.id, 'konsern.example')).toEqual(['konsern.example']);
  expect(await findEntries(client, havn.id, 'x@ikkekonsern.example')).toEqual([]);
  expect(await findEntries(client, havn.id, '')).toEqual([]);
  expect(await findEntries(havn.member.client, havn.id, 'kari@fri.example')).toEqual(['k***@fri.example']);
  expect(await findEntries(fjell.worker.client, havn.id, 'kari@fri.example')).toEqual([]);
});
