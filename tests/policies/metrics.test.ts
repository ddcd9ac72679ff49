/** Compares the metrics in the database with the metrics in the code. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { GOAL_FIELDS, METRIC_NAMES, METRICS } from '../../supabase/functions/metrics.ts';
import { openTestDatabase } from '../support/test-database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('private.metrics matches supabase/functions/metrics.ts', async () => {
  const { rows } = await database.query(
    'select name, is_event as "isEvent", is_reported as "isReported" from private.metrics order by position',
  );
  expect(rows).toEqual(
    METRIC_NAMES.map((name) => ({
      name,
      isEvent: METRICS[name].events !== null,
      isReported: METRICS[name].isReported,
    })),
  );
});

test('Every column that holds a metric refers to private.metrics', async () => {
  const { rows } = await database.query<{ name: string }>(
    `select attrelid::regclass || '.' || attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
     where relkind = 'r' and relnamespace = 'public'::regnamespace and attname = 'metric'
       and attrelid <> 'public.projects'::regclass
       and not exists (
         select from pg_constraint where contype = 'f' and conrelid = attrelid and conkey = array[attnum]
           and confrelid = 'private.metrics'::regclass
       )`,
  );
  expect(rows).toEqual([]);
});

test('The clients table has a goal column for each metric that can have a goal', async () => {
  const { rows } = await database.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'public.clients'::regclass and attname like '%\\_goal'`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...GOAL_FIELDS].sort());
});
