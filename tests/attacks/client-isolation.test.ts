/**
 * Members and team members of two clients try to access the other client's data in every table, function and bucket
 * with a client ID. New tables are included automatically, but need rows in scripts/attack/sample-rows.sql.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDeclared } from '../../scripts/attack/access.ts';
import { probeBucket } from '../../scripts/attack/buckets.ts';
import { fillWithSamples, type Instance, serveInstance } from '../../scripts/attack/fresh-instance.ts';
import { callPath, probeFunction } from '../../scripts/attack/functions.ts';
import { discover, type Exposed, type Send, sender } from '../../scripts/attack/instance.ts';
import { type Caller, createPeople, OTHER_CLIENT, SAMPLE_CLIENT } from '../../scripts/attack/people.ts';
import { findClientColumn, probeTable } from '../../scripts/attack/tables.ts';
import { openTestDatabase } from '../support/test-database.ts';

let instance: Instance;
let send: Send;
let exposed: Exposed;
/** All callers, the client's own users, the client's ID and the other client's ID, for each of the two clients. */
let groups: { callers: Caller[]; users: Caller[]; ownClient: string; otherClient: string }[];

const newGroup = async (ownClient: string, otherClient: string) => {
  const callers = await createPeople(send, instance.secretKey, ownClient);
  return { callers, users: callers.filter(({ client }) => client === ownClient), ownClient, otherClient };
};

beforeAll(async () => {
  const database = await openTestDatabase();
  await fillWithSamples(database);
  instance = await serveInstance(database);
  send = sender(instance.inProcess);
  exposed = await discover(send, instance.secretKey);
  groups = [await newGroup(SAMPLE_CLIENT, OTHER_CLIENT), await newGroup(OTHER_CLIENT, SAMPLE_CLIENT)];
});
afterAll(() => instance.close());

const tablesOfClients = () =>
  Object.entries(exposed.tables).flatMap(([table, columns]) => {
    const column = findClientColumn(table, columns);
    return column ? [{ table, columns, column }] : [];
  });

test('Each table with a client id has sample rows of both clients in scripts/attack/sample-rows.sql', async () => {
  // Add missing rows above the end of that file, which copies the rows of the first client to the second.
  const missing = tablesOfClients().map(async ({ table, column }) => {
    const [ownClient, otherClient] = [SAMPLE_CLIENT, OTHER_CLIENT].map((client) =>
      send(instance.secretKey, 'GET', `/rest/v1/${table}?select=${column}&${column}=eq.${client}&limit=1`),
    );
    return (await ownClient)?.text === '[]' || (await otherClient)?.text === '[]' ? [table] : [];
  });
  expect(tablesOfClients().length).toBeGreaterThan(10);
  expect((await Promise.all(missing)).flat()).toEqual([]);
});

test('Rows of the other client cannot be read, inserted, updated or deleted in any table', async () => {
  const declaredAccess = await readDeclared();
  const accessibleRows: string[] = [];
  const leaks: string[] = [];
  for (const { callers, users } of groups) {
    for (const { table, columns, column } of tablesOfClients()) {
      const visitor = callers.filter(({ role }) => role === 'visitor');
      const { rows } = await probeTable({
        ...{ send, secretKey: instance.secretKey, callers: [...visitor, ...users], table, columns },
        declared: declaredAccess.tables[table],
      });
      for (const [role, verbs] of Object.entries(rows)) {
        for (const [verb, reach] of Object.entries(verbs ?? {})) {
          const isOwn = reach.split('&').some((part) => [`${column}=eq.{client}`, 'user_id=eq.{me}'].includes(part));
          (isOwn ? accessibleRows : leaks).push(`${role} ${verb} ${table}: ${reach}`);
        }
      }
    }
  }
  expect(leaks).toEqual([]);
  expect(accessibleRows).toContain('member select campaigns: client_id=eq.{client}');
  expect(accessibleRows).toContain('worker update campaigns: client_id=eq.{client}');
});

test('No row can be moved to another client', async () => {
  const { tables } = await readDeclared();
  const movable = tablesOfClients().filter(({ table, column }) =>
    Object.values(tables[table]?.columns ?? {}).some(({ update = '' }) =>
      ['*', column].some((name) => update.split(', ').includes(name)),
    ),
  );
  expect(movable).toEqual([]);
});

test("Every function rejects the other client's id, and accepts the id of the caller's client", async () => {
  const leaks: string[] = [];
  const denied: string[] = [];
  for (const { callers, users, ownClient, otherClient } of groups) {
    for (const [name, types] of Object.entries(exposed.functions)) {
      if (!('_client_id' in types || '_client_ids' in types)) continue;
      const outsiders = callers.filter(({ role }) => role === 'client');
      const outcomes = await probeFunction(send, [...outsiders, ...users], name, types, otherClient);
      for (const [role, outcome = ''] of Object.entries(outcomes)) {
        if (!['denied', 'refused', 'nothing'].includes(outcome)) leaks.push(`${role} ${name}: ${outcome}`);
      }
      const ownOutcomes = await probeFunction(send, callers, name, types, ownClient);
      if (Object.values(ownOutcomes).every((outcome) => outcome === 'denied' || outcome === 'refused'))
        denied.push(name);
    }
  }
  expect(leaks).toEqual([]);
  // Functions that only the server calls are denied to every role.
  const { functions } = await readDeclared();
  expect(denied.filter((name) => Object.values(functions[name] ?? {}).some((outcome) => outcome !== 'denied'))).toEqual(
    [],
  );
});

test("No response contains the other client's id or name", async () => {
  const leaks: string[] = [];
  for (const { callers, users, ownClient, otherClient } of groups) {
    const pattern = new RegExp(`${otherClient}|${ownClient === SAMPLE_CLIENT ? 'Another client' : '"A client"'}`);
    for (const [name, types] of Object.entries(exposed.functions)) {
      for (const { role, token } of users) {
        const { text } = await send(token, 'GET', callPath(name, types, callers));
        if (pattern.test(text)) leaks.push(`${role} ${name}: ${text.slice(0, 200)}`);
      }
    }
  }
  expect(leaks).toEqual([]);
});

test("In the other client's folder of a bucket, callers have the same access as users without a client", async () => {
  for (const { callers, users, otherClient } of groups) {
    for (const bucket of exposed.buckets) {
      const access = await probeBucket(send, instance.secretKey, callers, bucket, `${otherClient}/`);
      for (const { role } of users) {
        expect([bucket, role, access[role]]).toEqual([bucket, role, access[role === 'member' ? 'client' : 'team']]);
      }
    }
  }
});
