/**
 * Objects in the schema `private` that the server needs: the queue of mails, proofs of addresses, and functions. An
 * application whose migrations also run on a hosted Supabase project creates them itself, because its own policies and
 * triggers use them. Those that are missing after its migrations are created from the files of own-objects/.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './database.ts';

const FOLDER = join(import.meta.dirname, 'own-objects');

/** Creates the objects that are missing. Each file is named like the table or function that it creates. */
export async function createMissingObjects(database: Pick<Database, 'query' | 'script'>): Promise<void> {
  const names = (await readdir(FOLDER)).map((file) => file.replace(/\.sql$/, '')).sort();
  const { rows } = await database.query<{ name: string }>(
    `select name from unnest($1::text[]) as name
     where to_regclass('private.' || name) is null
       and not exists (select from pg_proc where proname = name and pronamespace = to_regnamespace('private'))`,
    [names],
  );
  if (rows.length === 0) return;
  const missing = names.filter((name) => rows.some((row) => row.name === name));
  const files = await Promise.all(missing.map((name) => readFile(join(FOLDER, `${name}.sql`), 'utf8')));
  // A script is one transaction.
  await database.script(['create schema if not exists private;', ...files].join('\n'));
}

/** Stores for which buckets deleted files can be restored, if that has changed. */
export async function keepDeletedFilesOf(
  database: Pick<Database, 'query' | 'script'>,
  buckets: readonly string[],
): Promise<void> {
  const list = buckets.map((bucket) => `'${bucket.replaceAll("'", "''")}'`).join(', ');
  const body = ` select _bucket_id = any (array[${list}]::text[]) `;
  const { rowCount } = await database.query(
    `select from pg_proc where oid = 'backend.keeps_deleted_files(text)'::regprocedure and prosrc = $1`,
    [body],
  );
  if (rowCount > 0) return;
  await database.script(`create or replace function backend.keeps_deleted_files(_bucket_id text) returns boolean
    language sql immutable set search_path = '' as $body$${body}$body$`);
}
