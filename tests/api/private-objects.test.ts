/** Backend objects in the schema `private`. The site creates them for hosted projects, the package for other applications. */
import { expect, test } from 'vitest';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { createMissingObjects } from '../../packages/backend/src/database/own-objects.ts';
import { openTestDatabase as openBootstrapped } from '../../packages/backend/tests/support/test-database.ts';
import { openTestDatabase } from '../support/test-database.ts';

/**
 * Returns the columns, constraints and indexes of a table, and function signatures. Triggers belong to the application.
 */
async function describeObjects(database: Database) {
  const { rows: tables } = await database.query<{ line: string }>(`
    select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
      from information_schema.columns where table_schema = 'private' and table_name in ('mail_queue', 'verified_addresses')
    union all select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
      where conrelid in ('private.mail_queue'::regclass, 'private.verified_addresses'::regclass)
    union all select indexdef from pg_indexes where schemaname = 'private' and tablename in ('mail_queue', 'verified_addresses')
    order by 1`);
  const { rows: functions } = await database.query<{ line: string }>(`
    select format('%s(%s) %s %s', proname, pg_get_function_arguments(oid), prosecdef, pg_get_function_result(oid)) as line
      from pg_proc where pronamespace = 'private'::regnamespace
      and proname in ('delete_credentials', 'end_sessions_of', 'count_for_subject', 'notify_mail_queued') order by 1`);
  return [...tables, ...functions].map(({ line }) => line);
}

test('The site and the package create these objects with the same columns and signatures', async () => {
  const [site, packageDatabase] = await Promise.all([openTestDatabase(), openBootstrapped()]);
  const expected = await describeObjects(packageDatabase);
  expect(expected.length).toBeGreaterThan(20);
  expect(await describeObjects(site)).toEqual(expected);
  const body = `select prosrc from pg_proc where oid = 'private.delete_credentials(uuid, text, uuid)'::regprocedure`;
  expect((await site.query(body)).rows).toEqual((await packageDatabase.query(body)).rows);

  // The site's database already has all objects, so none are created.
  await createMissingObjects(site);
  expect(await describeObjects(site)).toEqual(expected);
  expect((await site.query(`select to_regclass('private.subject_counts') as made`)).rows).toEqual([{ made: null }]);
  await Promise.all([site.close(), packageDatabase.close()]);
});
