import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../tests/support/test-database.ts';
import type { Database } from '../database/database.ts';
import { BATCH_SIZE } from '../database/delete-rows.ts';
import { cleanUp } from './clean-up.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('Expired rows are deleted in batches, and all other rows are kept', async () => {
  await database.script(`
    insert into auth.users (id, aud, role, is_anonymous, created_at)
      select gen_random_uuid(), 'authenticated', 'authenticated', true, now() - n * interval '1 day' from generate_series(1, 75) as n;
    insert into auth.audit_log_entries (id, payload, created_at)
      select gen_random_uuid(), '{}', now() - n * interval '12 hours' from generate_series(1, 1250) as n`);
  const batches: number[] = [];
  await cleanUp({
    query: async (text, values) => {
      const result = await database.query<never>(text, values);
      if (result.rowCount > 0) batches.push(result.rowCount);
      return result;
    },
  });
  // Accounts that are at least 30 days old, and log entries that are at least 400 days old.
  expect(batches).toEqual([20, 20, 6, BATCH_SIZE, BATCH_SIZE, 51]);
  const countRows = (table: string) => database.query(`select from auth.${table}`).then(({ rowCount }) => rowCount);
  expect([await countRows('users'), await countRows('audit_log_entries')]).toEqual([29, 799]);
});
