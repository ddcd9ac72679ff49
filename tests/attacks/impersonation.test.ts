/**
 * Team members of a client view its portal as a member, with the header x-as-member. With the header, no role can read
 * more than the member can, or change anything.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { fillWithSamples, type Instance, serveInstance } from '../../scripts/attack/fresh-instance.ts';
import { callPath } from '../../scripts/attack/functions.ts';
import { discover, type Exposed, type Send, sender } from '../../scripts/attack/instance.ts';
import { type Caller, createPeople, OTHER_CLIENT, type Role, SAMPLE_CLIENT } from '../../scripts/attack/people.ts';
import { findClientColumn } from '../../scripts/attack/tables.ts';
import { openTestDatabase } from '../support/test-database.ts';

const NOTE = 'A note that only we read.';
const MESSAGE = 'You are viewing the site as another person. Changes are not allowed.';

let database: Database;
let instance: Instance;
let send: Send;
let exposed: Exposed;
/** Users with access to the first client. */
let users: Caller[];
/** Users with access to the other client. */
let otherUsers: Caller[];

beforeAll(async () => {
  database = await openTestDatabase();
  await fillWithSamples(database);
  await database.query('insert into public.client_notes (client_id, text) values ($1, $2)', [SAMPLE_CLIENT, NOTE]);
  instance = await serveInstance(database);
  send = sender(instance.inProcess);
  exposed = await discover(send, instance.secretKey);
  users = await createPeople(send, instance.secretKey, SAMPLE_CLIENT);
  otherUsers = await createPeople(send, instance.secretKey, OTHER_CLIENT);
});
afterAll(() => instance.close());

function findByRole(callers: Caller[], role: Role): Caller {
  const user = callers.find((caller) => caller.role === role);
  if (!user) throw new Error(`There is no ${role}`);
  return user;
}

/** Sends a request while viewing the client as that member. */
function viewAs(caller: Caller, asMember: string, method: string, path: string, body?: unknown) {
  const options = { headers: { 'x-as-member': asMember }, ...(body !== undefined && { body }) };
  return send(caller.token, method, path, options);
}

/** Returns the URLs of all readable client data. They cover each table and each read-only function. */
function listReads(client: string): string[] {
  const tables = Object.entries(exposed.tables).flatMap(([table, columns]) => {
    const column = findClientColumn(table, columns);
    return column ? [`/rest/v1/${table}`, `/rest/v1/${table}?select=${column}`] : [];
  });
  const functions = Object.entries(exposed.functions).flatMap(([name, types]) =>
    '_client_id' in types ? [callPath(name, types, users, client)] : [],
  );
  return [...tables, ...functions];
}

/** Returns a digest of all rows, which changes with any row. */
async function digestRows(): Promise<string> {
  const digests = Object.keys(exposed.tables).map(
    (table) =>
      `select '${table}' as name, md5(string_agg(item::text, ',' order by item::text)) from public.${table} as item`,
  );
  const { rows } = await database.query(`${digests.join(' union all ')} order by 1`);
  return JSON.stringify(rows);
}

describe('A team member of the client', () => {
  test('reads exactly the same responses as the member', async () => {
    const member = findByRole(users, 'member');
    const differences: string[] = [];
    let readCount = 0;
    for (const path of listReads(SAMPLE_CLIENT)) {
      const expected = await send(member.token, 'GET', path);
      if (expected.status !== 200) continue;
      if (expected.text !== '[]') readCount += 1;
      for (const caller of [findByRole(users, 'worker'), findByRole(users, 'admin')]) {
        const response = await viewAs(caller, `${SAMPLE_CLIENT}/${member.id}`, 'GET', path);
        if (response.text !== expected.text)
          differences.push(`${caller.role} ${path}: ${response.text} instead of ${expected.text}`);
      }
    }
    expect(differences).toEqual([]);
    expect(readCount).toBeGreaterThan(20);
  });

  test('can view a client that has no members, with a header that names only the client', async () => {
    const { text } = await viewAs(findByRole(users, 'admin'), SAMPLE_CLIENT, 'GET', '/rest/v1/clients?select=id');
    expect(text).toBe(JSON.stringify([{ id: SAMPLE_CLIENT }]));
    expect((await viewAs(findByRole(users, 'admin'), SAMPLE_CLIENT, 'GET', '/rest/v1/client_members')).text).toBe('[]');
  });

  test('has no admin or team access, so notes, alarms and people are hidden', async () => {
    const asMember = `${SAMPLE_CLIENT}/${findByRole(users, 'member').id}`;
    for (const caller of [findByRole(users, 'worker'), findByRole(users, 'admin')]) {
      for (const path of [
        'client_notes',
        'client_alarms',
        'client_assignments',
        'inbound_events?select=kind',
        'user_roles',
      ]) {
        expect([path, (await viewAs(caller, asMember, 'GET', `/rest/v1/${path}`)).text]).toEqual([path, '[]']);
        expect([path, (await send(caller.token, 'GET', `/rest/v1/${path}`)).text]).not.toEqual([path, '[]']);
      }
      for (const path of listReads(SAMPLE_CLIENT)) {
        expect((await viewAs(caller, asMember, 'GET', path)).text).not.toContain(NOTE);
      }
      expect((await send(caller.token, 'GET', '/rest/v1/client_notes')).text).toContain(NOTE);
    }
  });

  test('cannot change anything, and gets an error message for changes that the member could make', async () => {
    const asMember = `${SAMPLE_CLIENT}/${findByRole(users, 'member').id}`;
    const before = await digestRows();
    for (const caller of [findByRole(users, 'worker'), findByRole(users, 'admin')]) {
      for (const [name, types] of Object.entries(exposed.functions)) {
        if (!('_client_id' in types)) continue;
        const response = await viewAs(caller, asMember, 'GET', callPath(name, types, users, SAMPLE_CLIENT));
        if (response.status === 200) continue;
        const parameters = Object.fromEntries(
          new URLSearchParams(callPath(name, types, users, SAMPLE_CLIENT).split('?')[1]),
        );
        const { status } = await viewAs(caller, asMember, 'POST', `/rest/v1/rpc/${name}`, parameters);
        expect([name, status >= 400]).toEqual([name, true]);
      }
      for (const table of Object.keys(exposed.tables)) {
        const column = findClientColumn(table, exposed.tables[table] ?? []);
        if (!column) continue;
        await viewAs(caller, asMember, 'POST', `/rest/v1/${table}`, { [column]: SAMPLE_CLIENT });
        await viewAs(caller, asMember, 'PATCH', `/rest/v1/${table}?${column}=eq.${SAMPLE_CLIENT}`, {
          [column]: SAMPLE_CLIENT,
        });
        await viewAs(caller, asMember, 'DELETE', `/rest/v1/${table}?${column}=eq.${SAMPLE_CLIENT}`);
      }
      for (const [name, parameters] of Object.entries(MEMBER_WRITES)) {
        const body = { _client_id: SAMPLE_CLIENT, ...parameters };
        expect([name, (await viewAs(caller, asMember, 'POST', `/rest/v1/rpc/${name}`, body)).text]).toEqual([
          name,
          expect.stringContaining(MESSAGE),
        ]);
      }
    }
    expect(await digestRows()).toBe(before);
    for (const [name, parameters] of Object.entries(MEMBER_WRITES)) {
      const body = { _client_id: SAMPLE_CLIENT, ...parameters };
      const { status } = await send(findByRole(users, 'member').token, 'POST', `/rest/v1/rpc/${name}`, { body });
      expect([name, status]).toEqual([name, expect.toBeOneOf([200, 204])]);
    }
    expect(await digestRows()).not.toBe(before);
  });
});

/** Writes that members can make, with their arguments. */
const MEMBER_WRITES = {
  comment_on_version: { _approval_id: 'a77ac000-0000-4000-8000-000000000011', _number: 1, _text: 'Looked.' },
  add_do_not_contact: { _lines: [{ line: 1, text: 'looked.example' }], _is_dry_run: false },
  record_client_read: { _approval_ids: [] },
  set_my_client_mails: { _notifications: ['report'] },
};

describe('Any other user', () => {
  test('reads no rows or responses with the header, not even their own', async () => {
    const asMember = `${SAMPLE_CLIENT}/${findByRole(users, 'member').id}`;
    const outsiders = users.filter(({ role }) => !['worker', 'admin'].includes(role));
    const otherClientUsers = otherUsers.filter(({ role }) => ['member', 'worker'].includes(role));
    const accessibleReads: string[] = [];
    for (const caller of [...outsiders, ...otherClientUsers]) {
      for (const path of listReads(SAMPLE_CLIENT)) {
        const { status, text } = await viewAs(caller, asMember, 'GET', path);
        if (status === 200 && !['[]', 'null', ''].includes(text))
          accessibleReads.push(`${caller.role} ${path}: ${text}`);
      }
    }
    expect(accessibleReads).toEqual([]);
  });

  test('cannot view as a member of another client, and invalid headers are ignored', async () => {
    const { id } = findByRole(users, 'member');
    const invalidHeaders = [
      ...[
        `${SAMPLE_CLIENT}/${findByRole(otherUsers, 'member').id}`,
        `${SAMPLE_CLIENT}/${findByRole(users, 'client').id}`,
      ],
      ...[`${SAMPLE_CLIENT}/${findByRole(users, 'admin').id}`, `${OTHER_CLIENT}/${id}`],
      ...[id, '', ' ', '/', `${SAMPLE_CLIENT}/`, `${SAMPLE_CLIENT},${OTHER_CLIENT}`, 'null', "' or true --"],
    ];
    for (const asMember of invalidHeaders) {
      for (const caller of [findByRole(users, 'worker'), findByRole(users, 'admin')]) {
        const { text } = await viewAs(caller, asMember, 'GET', '/rest/v1/clients?select=id');
        expect([asMember, caller.role, text]).toEqual([asMember, caller.role, '[]']);
      }
    }
  });

  test('sees no data in the next view after being removed from the client', async () => {
    const teamMember = findByRole(otherUsers, 'worker');
    const path = '/rest/v1/clients?select=id';
    expect((await viewAs(teamMember, OTHER_CLIENT, 'GET', path)).text).toBe(JSON.stringify([{ id: OTHER_CLIENT }]));
    await database.query('delete from public.client_assignments where user_id = $1', [teamMember.id]);
    expect((await viewAs(teamMember, OTHER_CLIENT, 'GET', path)).text).toBe('[]');
  });
});
