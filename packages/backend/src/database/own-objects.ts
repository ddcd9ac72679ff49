/**
 * Objects in the schema `private` that the server needs: the mail queue, verified addresses, and functions. If the
 * migrations of an application also run on a hosted Supabase project, they create these objects themselves, because
 * policies and triggers of the application use them. Objects that are missing after the migrations are created from the
 * files in own-objects/.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './database.ts';

const FOLDER = join(import.meta.dirname, 'own-objects');

/** Creates missing objects. Each file has the name of its table or function. */
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

/** Stores the buckets whose deleted files can be restored, if the list has changed. */
export async function setTrashBuckets(database: Pick<Database, 'query'>, buckets: readonly string[]): Promise<void> {
  const { rows } = await database.query<{ bucket_id: string }>('select bucket_id from backend.kept_buckets order by 1');
  if (rows.map(({ bucket_id: id }) => id).join('\n') === buckets.toSorted().join('\n')) return;
  await database.query(
    `with former as (delete from backend.kept_buckets where bucket_id <> all ($1::text[]))
     insert into backend.kept_buckets select unnest($1::text[]) on conflict do nothing`,
    [[...buckets]],
  );
}
