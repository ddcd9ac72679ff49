/**
 * Databases as earlier versions left them, made of their own SQL, brought up to date: each has the schema and the registries
 * of a new one and the rows that it had. `node scripts/keep-database.ts` keeps the next one.
 */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { migrate } from '../../packages/backend/src/database/migrate.ts';
import { openArchive } from '../../packages/backend/src/moving/archive.ts';
import { ownFiles } from '../../packages/backend/src/moving/files.ts';
import { importArchive } from '../../packages/backend/src/moving/import-archive.ts';
import { loadRows } from '../../packages/backend/src/moving/load-rows.ts';
import { listTables, nameOf, setTextForms } from '../../packages/backend/src/moving/tables.ts';
import { withoutTriggers } from '../../packages/backend/src/moving/without-triggers.ts';
import { openLocalByteStore } from '../../packages/backend/src/storage/bytes/local-byte-store.ts';
import { listContentTables, programVersion } from '../../scripts/moving.ts';
import { schemaOf } from '../support/schema-of.ts';
import { openEmptyDatabase, openTestDatabase } from '../support/test-database.ts';

const MIGRATIONS = join(import.meta.dirname, '../../supabase/migrations');
const KEPT = join(import.meta.dirname, '../databases');
const names = readdirSync(KEPT).filter((name) => name.endsWith('.zip'));

/**
 * Codes and links that were mailed are short-lived, and a bootstrap file ended those that were not hashed yet. The list of
 * addresses that nobody had proven became the list of those that somebody has.
 */
const ENDED = ['"auth"."one_time_tokens"', '"backend"."unproven_addresses"'];

let fresh: string[];
let freshLines: string[];
let database: Database;

beforeAll(async () => {
  const present = await openTestDatabase();
  fresh = await schemaOf(present);
  freshLines = await linesOf(present);
  await present.close();
});

/** Returns the lines that migrations write into registries, in their order: they are as much a part of the schema. */
async function linesOf(from: Database): Promise<string[]> {
  const { rows } = await from.query<{ line: string }>(
    ['content_kinds', 'documents', 'personal_data']
      .map((name) => `(select (to_jsonb(line) - 'number')::text as line from private.${name} as line order by number)`)
      .join(' union all '),
  );
  return rows.map(({ line }) => line);
}

afterAll(() => database.close());

test('There is a database of the version in package.json, and one from before migrations were frozen', async () => {
  expect(names).toContain(`${await programVersion()}.zip`);
  expect(names).toContain('2026-11-21-1954.zip');
  expect(fresh.length).toBeGreaterThan(1000);
  expect(freshLines).toContainEqual(expect.stringContaining('site_settings'));
});

/** Versions before migrations were frozen have no archives that a later one could follow. */
const archives = names.filter((name) => name > '2026-11-22' || name < '2026');

test.for(archives)('The archive %s fills an empty database, which is then brought up to date', async (name) => {
  await database?.close();
  database = await openEmptyDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-old-'));
  const files = ownFiles(openLocalByteStore(folder), folder);
  const target = {
    database,
    files,
    migrationsFolder: MIGRATIONS,
    version: await programVersion(),
    replace: false,
    listContentTables,
  };
  await importArchive(target, join(KEPT, name));
  expect(await schemaOf(database)).toEqual(fresh);
  expect(await linesOf(database)).toEqual(freshLines);
  await rm(folder, { recursive: true });
});

test.for(names)('The database of %s opens, with the schema of a new one and its rows', async (name) => {
  await database?.close();
  database = await openEmptyDatabase();
  const { manifest, read, close } = await openArchive(join(KEPT, name));
  await database.script(await text(await read('schema.sql')));
  const counts = await database.transaction(async (tx) => {
    await setTextForms(tx);
    const tables = await listTables(tx, false);
    await withoutTriggers(tx, tables, async () => {
      await tx.query(`truncate ${tables.map(nameOf).join(', ')} cascade`);
      await loadRows(tx, await read('data.sql'), tables, false);
    });
    for (const { name: sequence, value } of manifest.sequences) {
      if (value !== null) await tx.query('select setval($1::regclass, $2::bigint)', [sequence, value]);
    }
    return manifest.tables.map(({ schema, name: table, rows }) => ({ table: nameOf({ schema, name: table }), rows }));
  });
  close();

  await migrate(database, MIGRATIONS);

  expect(await schemaOf(database)).toEqual(fresh);
  expect(await linesOf(database)).toEqual(freshLines);
  for (const { table, rows } of counts) {
    if (ENDED.includes(table)) continue;
    const found = await database.query<{ rows: number }>(`select count(*)::integer as rows from ${table}`);
    expect(found.rows[0]?.rows, table).toBeGreaterThanOrEqual(rows);
    expect(rows, `${table} of ${name}`).toBeGreaterThan(0);
  }
});
