import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { openTestDatabase } from '../../tests/support/test-database.ts';

// The database runs without a server, which would run the steps on its own schedule.
let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  await query(`update private.jobs set next_run_at = now() + interval '1 day'`);
});
afterAll(() => database.close());

const query = <Row extends object>(sql: string, parameters: string[] = []) =>
  database.query<Row>(sql, parameters).then(({ rows }) => rows);

const runStep = async () => (await query<{ name: string | null }>('select name from private.run_due_job()'))[0]?.name;

const job = async (name: string) =>
  (
    await query<{ is_tomorrow: boolean; last_error: string | null }>(
      `select next_run_at > now() + interval '23 hours' as is_tomorrow, last_error from private.jobs where name = $1`,
      [name],
    )
  )[0];

/** Runs all steps of one daily function. @returns the number of steps */
async function runDaily(name: string): Promise<number> {
  await query('update private.jobs set next_run_at = now() where name = $1', [name]);
  let steps = 0;
  while ((await runStep()) === name) steps += 1;
  return steps;
}

test('Expired rows are deleted in steps, and newer rows are kept', async () => {
  await query(`insert into public.conversations (created_at, last_message_at, message_count)
    select now() - n * interval '1 day', now() - n * interval '1 day' + interval '1 hour', 1 from generate_series(1, 865) as n`);
  await query(`insert into public.leads (source, email, created_at, updated_at)
    select 'contact', 'p' || n || '@example.com', now(), now() - n * interval '1 day' + interval '1 hour' from generate_series(1, 415) as n`);
  // Three steps delete 200, 200 and 100 conversations. The first step also deletes 50 leads. The last step finds no rows.
  expect(await runDaily('delete expired conversations')).toBe(4);
  expect(await query('select count(*)::integer as kept from public.conversations')).toEqual([{ kept: 365 }]);
  expect(await query('select count(*)::integer as kept from public.leads')).toEqual([{ kept: 365 }]);
  expect(await job('delete expired conversations')).toMatchObject({ is_tomorrow: true, last_error: null });
});

test('A failed daily function is retried later and does not block the others', async () => {
  await query(`alter function private.delete_old_visit_counts(integer) rename to renamed`);
  await runDaily('delete old visit counts');
  await runDaily('delete old trash');
  expect(await job('delete old visit counts')).toMatchObject({
    is_tomorrow: false,
    last_error: 'function private.delete_old_visit_counts(integer) does not exist',
  });
  expect(await job('delete old trash')).toMatchObject({ is_tomorrow: true, last_error: null });
  await query(`alter function private.renamed(integer) rename to delete_old_visit_counts`);
  await runDaily('delete old visit counts');
  expect(await job('delete old visit counts')).toMatchObject({ is_tomorrow: true, last_error: null });
});

test('Two processes do not run the same step', async () => {
  await query(`insert into public.visit_counts (day, kind, name, count)
    select '2020-01-01', 'page', '/news/' || n, 1 from generate_series(1, 300) as n`);
  await query(`update private.jobs set next_run_at = now() where name = 'delete old visit counts'`);
  await database.transaction(async (tx) => {
    const { rows } = await tx.query('select name from private.run_due_job()');
    expect(rows).toEqual([{ name: 'delete old visit counts' }]);
    expect(await runStep()).toBeNull();
  });
  expect(await runStep()).toBe('delete old visit counts');
});
