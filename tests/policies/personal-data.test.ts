/** The registry of personal data. Tests that every column with personal data is registered, exported and deleted. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, Queryable } from '../../packages/backend/src/database/database.ts';
import { openTestDatabase } from '../support/test-database.ts';

const USER_ID = 'c0000000-0000-4000-8000-000000000001';

interface Outcome {
  exported: unknown;
  remaining: Record<string, unknown>;
}

/**
 * Columns of the project's own tables that may identify a person. They are references to accounts, IDs without a
 * foreign key, JSON columns, and columns whose name suggests an address.
 */
const MAY_IDENTIFY_A_PERSON = `
  select format('%s.%s', nspname, relname) as table, attname as column
  from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
  where nspname in ('public', 'private') and relkind in ('r', 'p') and attnum > 0 and not attisdropped and (
    exists (
      select from pg_constraint where contype = 'f' and conrelid = attrelid and attnum = any (conkey)
        and confrelid = 'auth.users'::regclass
    )
    or atttypid in ('json'::regtype, 'jsonb'::regtype)
    or (atttypid in ('text'::regtype, 'varchar'::regtype, 'text[]'::regtype) and attname ~ 'mail|address|recipient|^person$|met_with|fingerprint')
    or (atttypid in ('uuid'::regtype, 'uuid[]'::regtype) and not exists (
      select from pg_constraint where contype in ('f', 'p') and conrelid = attrelid and attnum = any (conkey)
    ))
  )
  order by 1, 2`;

/** Matching columns without personal data. */
const NO_PERSONAL_DATA = new Map(
  Object.entries({
    // The account is stored next to the hash.
    'private.mailed_links': ['address_hash'],
    'public.booking_calendars': ['address'],
    'public.campaign_versions': ['campaign'],
    'public.client_reports': ['figures', 'decisions'],
    'public.content_versions': ['data'],
    'public.deleted_content': ['data'],
    // Another column identifies the person of the event. All three are emptied together.
    'public.inbound_events': ['raw', 'reply'],
    'public.import_batches': ['column_map'],
    'public.projects': ['gallery_images'],
    'public.release_changes': ['data', 'base', 'before', 'after'],
    'public.figure_quotes': ['project_id'],
    'public.slug_aliases': ['item_id'],
    'public.team_members': ['social_links'],
    'private.media_files': ['object_id'],
    'private.personal_data': ['addresses', 'export_fields'],
  }),
);

/** Returns the missing step for each unregistered column. */
async function findUnregisteredColumns(database: Queryable): Promise<string[]> {
  const { rows: lines } = await database.query<{ table: string; columns: string[] }>(
    `select format('%s.%s', schema_name, table_name) as table,
       ids::text[] || hashes::text[] || array(select split_part(address, '.', 1) from unnest(addresses) as address) as columns
     from private.personal_data`,
  );
  const { rows: columns } = await database.query<{ table: string; column: string }>(MAY_IDENTIFY_A_PERSON);
  return columns
    .filter(({ table, column }) => !NO_PERSONAL_DATA.get(table)?.includes(column))
    .filter(({ table, column }) => !lines.some((line) => line.table === table && line.columns.includes(column)))
    .map(
      ({ table, column }) =>
        `${table}.${column} may identify a person: insert a row for it into private.personal_data, in the migration that adds the column (docs/extending.md).`,
    );
}

/** Exports and deletes a user, returns the export and all remaining rows, and rolls back the deletion. */
async function exportAndDelete(database: Database, id: string, isVerified: boolean): Promise<Outcome> {
  const rollback = new Error('undo');
  let outcome: Outcome | undefined;
  await database
    .transaction(async (tx) => {
      const { rows } = await tx.query<{ exported: unknown }>('select private.personal_data_of($1, $2) as exported', [
        id,
        isVerified,
      ]);
      await tx.query('select private.delete_personal_data($1, $2)', [id, isVerified]);
      outcome = { exported: rows[0]?.exported, remaining: await readRows(tx) };
      throw rollback;
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
  if (outcome === undefined) throw new Error('The transaction did not run');
  return outcome;
}

async function readRows(database: Queryable): Promise<Record<string, unknown>> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'private', 'auth', 'storage') and tablename <> 'personal_data' order by 1`,
  );
  const rowsByTable: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await database.query(
      `select (to_jsonb(item) - 'updated_at')::text as row from ${name} as item order by 1`,
    );
    rowsByTable[name] = rows;
  }
  return rowsByTable;
}

describe('Every column with personal data', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  const query = <Row extends object>(sql: string) => database.query<Row>(sql).then(({ rows }) => rows);

  test('is in the registry', async () => {
    expect(await findUnregisteredColumns(database)).toEqual([]);
  });

  test('is cleared or deleted with the account in all tables that refer to accounts', async () => {
    const references = await query<{ column: string; isFollowing: boolean }>(
      `select format('%s.%s.%s', nspname, relname, attname) as column, bool_or(confdeltype in ('c', 'n')) as "isFollowing"
       from pg_constraint join pg_class on pg_class.oid = conrelid join pg_namespace on pg_namespace.oid = relnamespace
         join pg_attribute on attrelid = conrelid and attnum = any (conkey)
       where contype = 'f' and confrelid = 'auth.users'::regclass group by 1 order by 1`,
    );
    expect(references.filter(({ isFollowing }) => !isFollowing)).toEqual([]);
    const followingColumns = await query<{ column: string }>(
      `select format('%s.%s.%s', schema_name, table_name, id) as column from private.personal_data, unnest(ids) as id
       where on_deletion = 'cascade' and (schema_name, table_name) <> ('auth', 'users')`,
    );
    expect(references.map(({ column }) => column)).toEqual(
      expect.arrayContaining(followingColumns.map(({ column }) => column)),
    );
  });

  test('exists, as do the functions named in the registry', async () => {
    expect(
      await query(
        `select table_name, name from private.personal_data, unnest(
           ids::text[] || cleared_columns::text[] || export_order::text
           || array(select split_part(address, '.', 1) from unnest(addresses) as address)
           || array(select split_part(value, '.', 1) from jsonb_each_text(export_fields))
         ) as name
         where name is not null and not exists (
           select from pg_attribute where attname = name and not attisdropped
             and attrelid = to_regclass(format('%I.%I', schema_name, table_name))
         )`,
      ),
    ).toEqual([]);
    expect(
      await query(
        `select table_name, name from private.personal_data, unnest(array[ids_function, export_function]) as name
         where name is not null and to_regprocedure(format('private.%I(uuid)', name)) is null`,
      ),
    ).toEqual([]);
  });

  test('a column of a new table is reported until it is registered, and is then exported and deleted', async () => {
    await database.script(`create table public.briefs (
      id uuid primary key default gen_random_uuid(), client_id uuid references auth.users (id) on delete cascade,
      contact_address text, wish text, written_at timestamptz default now()
    )`);
    expect(await findUnregisteredColumns(database)).toEqual([
      expect.stringContaining(
        'public.briefs.client_id may identify a person: insert a row for it into private.personal_data',
      ),
      expect.stringContaining('public.briefs.contact_address may identify a person'),
    ]);
    await database.script(`
      insert into private.personal_data (table_name, ids, addresses, section, export_fields, export_order, on_deletion)
        values ('briefs', '{client_id}', '{contact_address}', 'briefs', '{"wish": "wish"}', 'written_at', 'delete');
      insert into auth.users (id, email) values ('${USER_ID}', 'kari@example.com');
      insert into public.briefs (client_id, contact_address, wish) values
        ('${USER_ID}', '', 'Mine'), (null, 'Kari@example.com', 'Mine too'), (null, 'ola@example.com', 'Not mine')`);
    expect(await findUnregisteredColumns(database)).toEqual([]);
    const { exported, remaining } = await exportAndDelete(database, USER_ID, true);
    expect(exported).toMatchObject({ briefs: [{ wish: 'Mine' }, { wish: 'Mine too' }] });
    expect(remaining['public.briefs']).toEqual([{ row: expect.stringContaining('Not mine') }]);
  });

  test('is in a registry that the roles of the API cannot access', async () => {
    expect(
      await query(
        `select role from unnest('{anon,authenticated,service_role}'::text[]) as role
         where has_table_privilege(role, 'private.personal_data', 'select, insert, update, delete')`,
      ),
    ).toEqual([]);
  });
});
