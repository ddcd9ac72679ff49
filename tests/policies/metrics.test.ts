/** Compares the metrics of the database with those of the app and the functions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { EVENT_METRICS, GOAL_FIELDS, METRIC_NAMES } from '../../supabase/functions/metrics.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('Columns that hold metrics accept those of supabase/functions/metrics.ts and no others', async () => {
  const { rows } = await database.query<{ table: string; words: string }>(
    `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as words from pg_constraint
     where contype = 'c' and pg_get_constraintdef(oid) like '%positive_replies%'`,
  );
  const accepted = rows.map(({ table, words }) => [table, new Set(words.match(/[a-z_]+/g)?.filter(isNamed))]);
  expect(Object.fromEntries(accepted)).toEqual({
    campaign_figures: new Set(METRIC_NAMES),
    figure_quotes: new Set(METRIC_NAMES),
    campaign_sources: new Set(EVENT_METRICS),
    inbound_events: new Set(EVENT_METRICS),
  });
});

/** Leaves out the words of SQL around the names of metrics. */
function isNamed(word: string): boolean {
  return !/^(metrics?|text|_text)$/.test(word);
}

test('Clients have a column for the goal of each metric that can have one', async () => {
  const { rows } = await database.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'public.clients'::regclass and attname like '%\\_goal'`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...GOAL_FIELDS].sort());
});
