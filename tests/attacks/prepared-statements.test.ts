/**
 * Roles take turns on one connection with the same statements. No prepared statement may run with the privileges of
 * another role.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database, Statement } from '../../packages/backend/src/database/database.ts';
import { assumeRole, type RequestIdentity } from '../../packages/backend/src/database/request-role.ts';
import { openTestDatabase } from '../support/test-database.ts';

const ANNA = '00000000-0000-4000-8000-00000000000a';
const BEN = '00000000-0000-4000-8000-00000000000b';
/** Postgres caches a generic plan from the sixth execution on. */
const ROUNDS = 8;

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.script(`
    create table public.notes (owner uuid, title text, is_public boolean);
    insert into public.notes values ('${ANNA}', 'of Anna', false), ('${BEN}', 'of Ben', false), (null, 'public', true);
    alter table public.notes enable row level security;
    create policy "Everybody reads public notes" on public.notes for select to anon, authenticated using (is_public);
    create policy "Owners read their notes" on public.notes for select to authenticated using (owner = auth.uid());
    grant select on public.notes to anon, authenticated, service_role;
    create table public.salaries (amount int);
    insert into public.salaries values (100);
    grant select on public.salaries to service_role;
    create function public.for_members(n int) returns int language sql immutable as 'select n * 2';
    revoke execute on function public.for_members from public, anon;
    grant execute on function public.for_members to authenticated;
  `);
});
afterAll(() => database.close());

const identity = (role: RequestIdentity['role'], sub?: string): RequestIdentity => ({
  role,
  claims: sub ? { role, sub } : { role },
  headers: {},
  method: 'GET',
  path: '/notes',
});
const VISITOR = identity('anon');
const SERVICE = identity('service_role');

/** Runs a statement as that user. @returns its first column, and the id of the backend process */
async function run(assumption: Statement, text: string, values: string[] = []) {
  const [, { rows }, [pid]] = await database
    .batch<[unknown, { value: unknown }, { pid: number }]>([
      assumption,
      { text, values },
      { text: 'select pg_backend_pid() as pid' },
    ])
    .then(([first, second, third]) => [first, second, third.rows] as const);
  return { values: rows.map(({ value }) => value), pid: pid?.pid };
}

const TITLES = 'select title as value from public.notes where title like $1 order by title';

/**
 * Statements that run as a role. The first kind assumes the role through the driver, so each role has its own prepared
 * statement. The second kind sets the role in SQL, so all roles share one prepared statement.
 */
const STATEMENTS: [string, (identity: RequestIdentity) => Statement][] = [
  ['a prepared statement for each role', assumeRole],
  [
    'one prepared statement for all roles',
    (user) => {
      const { role: _, ...statement } = assumeRole(user);
      return statement;
    },
  ],
];

test.each(STATEMENTS)('Each user reads only their own rows with %s', async (_, assume) => {
  const pids = new Set<unknown>();
  for (let round = 0; round < ROUNDS; round++) {
    const results = [];
    for (const user of [SERVICE, VISITOR, identity('authenticated', ANNA), identity('authenticated', BEN), VISITOR]) {
      const { values, pid } = await run(assume(user), TITLES, ['%']);
      results.push(values);
      pids.add(pid);
    }
    expect(results).toEqual([
      ['of Anna', 'of Ben', 'public'],
      ['public'],
      ['of Anna', 'public'],
      ['of Ben', 'public'],
      ['public'],
    ]);
  }
  expect(pids.size).toBe(1);
});

test('A role cannot read a table just because another role has read it with the same statement', async () => {
  const salaries = 'select amount as value from public.salaries';
  for (let round = 0; round < ROUNDS; round++) {
    expect((await run(assumeRole(SERVICE), salaries)).values).toEqual([100]);
    for (const deniedIdentity of [VISITOR, identity('authenticated', ANNA)]) {
      await expect(run(assumeRole(deniedIdentity), salaries)).rejects.toMatchObject({ code: '42501' });
    }
  }
});

test('A role without access cannot call a function that is inlined in a cached plan of another role', async () => {
  const member = 'select public.for_members($1::int) as value';
  const anna = assumeRole(identity('authenticated', ANNA));
  for (let round = 0; round < ROUNDS; round++) expect((await run(anna, member, ['4'])).values).toEqual([8]);
  await expect(run(assumeRole(VISITOR), member, ['4'])).rejects.toMatchObject({ code: '42501' });
  expect((await run(anna, member, ['4'])).values).toEqual([8]);
});

test('Revoking a privilege takes effect immediately', async () => {
  const member = 'select public.for_members($1::int) as value';
  const readTitles = () => run(assumeRole(VISITOR), TITLES, ['%']);
  const anna = assumeRole(identity('authenticated', ANNA));
  for (let round = 0; round < ROUNDS; round++) {
    expect((await run(anna, member, ['4'])).values).toEqual([8]);
    expect((await readTitles()).values).toEqual(['public']);
  }
  await database.script(`
    revoke execute on function public.for_members from authenticated;
    drop policy "Everybody reads public notes" on public.notes;
  `);
  await expect(run(anna, member, ['4'])).rejects.toMatchObject({ code: '42501' });
  expect((await readTitles()).values).toEqual([]);
  expect((await run(anna, TITLES, ['%'])).values).toEqual(['of Anna']);
});
