/**
 * Databases of earlier versions. A database with all migrations of 0.2 is marked as being at the baseline and keeps its
 * rows. An older database is rejected. `node scripts/keep-database.ts` records the database of a new version.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { migrate } from '../../packages/backend/src/database/migrate.ts';
import { openArchive } from '../../packages/backend/src/export-import/archive.ts';
import { ownFiles } from '../../packages/backend/src/export-import/files.ts';
import { importArchive } from '../../packages/backend/src/export-import/import-archive.ts';
import { loadRows } from '../../packages/backend/src/export-import/load-rows.ts';
import { listTables, setOutputFormats, tableSql } from '../../packages/backend/src/export-import/tables.ts';
import { withoutTriggers } from '../../packages/backend/src/export-import/without-triggers.ts';
import { openLocalByteStore } from '../../packages/backend/src/storage/bytes/local-byte-store.ts';
import { listContentTables, programVersion } from '../../scripts/moving.ts';
import { readSchema } from '../support/read-schema.ts';
import { openEmptyDatabase, openTestDatabase } from '../support/test-database.ts';

const MIGRATIONS = join(import.meta.dirname, '../../supabase/migrations');
const recordedPath = (name: string) => join(import.meta.dirname, `../databases/${name}.zip`);
/** Recorded database with all migrations that the baseline replaces. */
const CURRENT = recordedPath('0.2.0');
/** Recorded database without the last migration that the baseline replaces. */
const OLDER = recordedPath('0.1-last');
/** Tables of 0.2.0 that were removed. The secrets are now in private.secrets, and items are counted on read. */
const REMOVED = ['chat_salt', 'newsletter_key', 'lead_webhook_secret', 'preview_key', 'address_key', 'content_counts'];
/** Tables with a new name, by their former name. */
const RENAMED = new Map(
  Object.entries({
    told_unread: 'unread_reminders',
    approval_links: 'mailed_links',
    proven_addresses: 'verified_addresses',
    chat_counts: 'rate_limit_counters',
    request_keys: 'idempotency_keys',
    asked_summaries: 'summary_requests',
  }).map(([oldName, name]) => [tableSql({ schema: 'private', name: oldName }), tableSql({ schema: 'private', name })]),
);

let newSchema: string[];
let newRecords: unknown;
let newRegistry: unknown;
let database: Database;

beforeAll(async () => {
  const newDatabase = await openTestDatabase();
  newSchema = await readSchema(newDatabase);
  newRecords = await readRecords(newDatabase);
  newRegistry = await readRegistry(newDatabase);
  await newDatabase.close();
});
beforeEach(async () => {
  await database?.close();
  database = await openEmptyDatabase();
});
afterAll(() => database.close());

/** Returns the recorded migration files with their hashes. */
async function readRecords(source: Database): Promise<unknown> {
  const { rows } = await source.query(
    `select version, migration.name, sha256 from supabase_migrations.schema_migrations as migration
       left join backend.applied_files on applied_files.name = version
     union all select name, 'bootstrap', sha256 from backend.bootstrap left join backend.applied_files using (name)
     order by 1`,
  );
  return rows;
}

/**
 * Returns the registry of columns with personal data, in its order. The numbers are left out, because a migrated database
 * may number the same entries differently.
 */
async function readRegistry(source: Database): Promise<unknown> {
  const { rows } = await source.query(
    "select to_jsonb(personal_data) - 'number' as entry from private.personal_data order by number",
  );
  return rows;
}

async function importInto(target: Database, path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-old-'));
  const files = ownFiles(openLocalByteStore(folder), folder);
  try {
    const version = await programVersion();
    await importArchive(
      { database: target, files, migrationsFolder: MIGRATIONS, version, replace: false, listContentTables },
      path,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Restores the database of an archive with the SQL of its own version. @returns the number of rows of each table */
async function restore(path: string): Promise<Map<string, number>> {
  const { manifest, read, close } = await openArchive(path);
  await database.script(await text(await read('schema.sql')));
  await database.transaction(async (tx) => {
    await setOutputFormats(tx);
    const tables = await listTables(tx, false);
    await withoutTriggers(tx, tables, async () => {
      await tx.query(`truncate ${tables.map(tableSql).join(', ')} cascade`);
      await loadRows(tx, await read('data.sql'), tables, false);
    });
    for (const { name, value } of manifest.sequences) {
      if (value !== null) await tx.query('select setval($1::regclass, $2::bigint)', [name, value]);
    }
  });
  close();
  return new Map(manifest.tables.map(({ schema, name, rows }) => [tableSql({ schema, name }), rows]));
}

test('A recorded database exists for the version in package.json', async () => {
  expect(CURRENT).toBe(recordedPath(await programVersion()));
});

test('An archive with all migrations that the baseline replaces fills an empty database', async () => {
  await importInto(database, CURRENT);
  expect(await readSchema(database)).toEqual(newSchema);
  expect(await readRecords(database)).toEqual(newRecords);
});

test('A database with all migrations that the baseline replaces is marked as being at the baseline', async () => {
  const counts = await restore(CURRENT);
  await migrate(database, MIGRATIONS);
  expect(await readSchema(database)).toEqual(newSchema);
  expect(await readRecords(database)).toEqual(newRecords);
  expect(await readRegistry(database)).toEqual(newRegistry);
  for (const name of [...REMOVED, 'personal_data']) counts.delete(tableSql({ schema: 'private', name }));
  for (const [oldName, rows] of counts) {
    const table = RENAMED.get(oldName) ?? oldName;
    const result = await database.query<{ rows: number }>(`select count(*)::integer as rows from ${table}`);
    expect(result.rows[0]?.rows, table).toBe(rows);
    expect(rows, `rows of ${table}`).toBeGreaterThan(0);
  }
  await migrate(database, MIGRATIONS);
  expect(await readRecords(database)).toEqual(newRecords);
});

test('Links, webhooks, address hashes and rate limits stay valid when the secrets move to one table', async () => {
  await restore(CURRENT);
  const sign = async (webhookSecret: string) => {
    const { rows } = await database.query(
      `select private.preview_token(id) as preview, private.unsubscribe_token(id) as newsletter,
         private.hash_of_address('kari@example.com') as address, (${webhookSecret}) as webhook
       from (values ('00000000-0000-4000-8000-000000000001'::uuid)) as link (id)`,
    );
    return rows;
  };
  const countOnce = async () => {
    const { rows } = await database.query(
      `select private.count_for_subject('test', 'kari', 1, '1 hour') as subject,
         private.count_for_address('test', '192.0.2.1', 1, '1 hour') as address`,
    );
    return rows;
  };
  const before = await sign('select secret from private.lead_webhook_secret');
  expect(await countOnce()).toEqual([{ subject: true, address: true }]);
  await migrate(database, MIGRATIONS);
  expect(await sign('private.lead_webhook_secret()')).toEqual(before);
  expect(await countOnce()).toEqual([{ subject: false, address: false }]);
});

test('Queued mails, jobs and stored values are converted to the names of this version', async () => {
  await restore(CURRENT);
  await database.script(`
    insert into private.mail_queue (id, recipient, template, variables) overriding system value values
      (101, 'kari@example.com', 'approval_unread', '{"Items": [{"text": "A", "path": "/a"}, {"text": "B", "path": "/b"}]}'),
      (102, 'owner@example.com', 'booking_summary', '{"Change": "2 further changes"}');
    insert into public.client_alarms (client_id, kind, subject, text)
      select id, 'left_alone', 'converted', 'Text' from public.clients limit 1;
    insert into public.client_reads (client_id, user_id, what, item_id)
      select client_id, user_id, 'rooms', client_id from public.client_members limit 1 on conflict do nothing`);
  await migrate(database, MIGRATIONS);
  const { rows: mails } = await database.query(
    `select variables ->> 'Path' as path, variables ->> 'Action' as action, variables ->> 'Change' as change
     from private.mail_queue where id in (101, 102) order by id`,
  );
  expect(mails).toEqual([
    { path: '/a', action: 'Open the approvals', change: null },
    { path: null, action: null, change: '2 more booking changes' },
  ]);
  const { rows: values } = await database.query(
    `select array(select kind from public.client_alarms where subject = 'converted') as alarms,
       (select count(*)::integer from public.client_reads where kind = 'portal') as reads,
       array(select name from private.jobs where to_regproc('private.' || function_name) is null
         and function_name is not null) as jobs`,
  );
  expect(values).toEqual([{ alarms: ['do_not_contact'], reads: 1, jobs: [] }]);
});

test('A database without the last migration of 0.2 is rejected and not changed', async () => {
  await restore(OLDER);
  const [schema, records] = [await readSchema(database), await readRecords(database)];
  await expect(migrate(database, MIGRATIONS)).rejects.toThrow(
    'This database is older than version 0.2. Start version 0.2 once, then start this version again. Nothing was changed.',
  );
  expect(await readSchema(database)).toEqual(schema);
  expect(await readRecords(database)).toEqual(records);
});

test('An archive without the last migration of 0.2 is rejected', async () => {
  await expect(importInto(database, OLDER)).rejects.toThrow(
    'is older than version 0.2. Import it with version 0.2 and export it again. Nothing was changed.',
  );
});
