/** Both list endpoints of Supabase Storage: `list` (folder and offset) and `list-v2` (prefix and cursor). */
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { escapeLike } from '../database/escape-like.ts';
import type { RequestIdentity } from '../database/request-role.ts';
import { queryAs } from './objects.ts';
import { invalidRequest } from './storage-error.ts';

const order = z.enum(['asc', 'desc']).catch('asc');

export const listSchema = z.object({
  prefix: z.string().default(''),
  limit: z.number().int().min(1).max(10_000).default(100),
  offset: z.number().int().min(0).default(0),
  search: z.string().nullish(),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at']).default('name'),
      order: order.default('asc'),
    })
    .default({ column: 'name', order: 'asc' }),
});

/** Lists the files and folders directly in the folder `prefix`. Folders come first and have no id. */
export async function listObjects(
  database: Database,
  identity: RequestIdentity,
  bucketId: string,
  { prefix, limit, offset, search, sortBy }: z.output<typeof listSchema>,
): Promise<unknown[]> {
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  const column = sortBy.column === 'name' ? 'name collate "C"' : sortBy.column;
  const result = await queryAs(
    database,
    identity,
    `with inside as (
       select substr(name, char_length($2) + 1) as rest, id, updated_at, created_at, last_accessed_at, metadata, version
       from storage.objects where bucket_id = $1 and starts_with(name, $2)
     ), entries as (
       select distinct split_part(rest, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
         null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata,
         null::text as version
       from inside where position('/' in rest) > 0
       union all
       select rest, id, updated_at, created_at, last_accessed_at, metadata, version
       from inside where position('/' in rest) = 0
     )
     select * from entries where name ilike $3
     order by id is not null, ${column} ${sortBy.order}, name collate "C" limit $4 offset $5`,
    [bucketId, folder, `${escapeLike(search ?? '')}%`, limit, offset],
  );
  return result.rows;
}

export const listV2Schema = z.object({
  prefix: z.string().default(''),
  limit: z.number().int().min(1).max(1000).default(1000),
  cursor: z.string().optional(),
  with_delimiter: z.boolean().default(false),
  sortBy: z
    .object({ column: z.enum(['name', 'updated_at', 'created_at']).default('name'), order: order.default('asc') })
    .default({ column: 'name', order: 'asc' }),
});

const cursorSchema = z.tuple([z.string(), z.string()]);

interface Entry {
  name: string;
  id: string | null;
  sort_key: string;
}

/** Lists all files below the prefix, or only up to the next slash with a delimiter. Names are full paths. */
export async function listObjectsV2(
  database: Database,
  identity: RequestIdentity,
  bucketId: string,
  { prefix, limit, cursor, with_delimiter: withDelimiter, sortBy }: z.output<typeof listV2Schema>,
): Promise<{ hasNext: boolean; folders: unknown[]; objects: unknown[]; nextCursor?: string }> {
  const [afterKey, afterName] = cursor === undefined ? [null, null] : decodeCursor(cursor);
  // The cursor contains the sort key as text, so times are formatted as sortable text.
  const time = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`;
  const sortKey = sortBy.column === 'name' ? 'name' : time(sortBy.column);
  const comparison = sortBy.order === 'asc' ? '>' : '<';
  const { rows } = await queryAs<Entry>(
    database,
    identity,
    `with inside as (
       select name, id, updated_at, created_at, last_accessed_at, metadata, version,
         case when $3 then position('/' in substr(name, char_length($2) + 1)) else 0 end as slash
       from storage.objects where bucket_id = $1 and starts_with(name, $2)
     ), entries as (
       select left(name, char_length($2) + slash) as name, null::uuid as id, min(updated_at) as updated_at,
         min(created_at) as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata,
         null::text as version
       from inside where slash > 0 group by 1
       union all
       select name, id, updated_at, created_at, last_accessed_at, metadata, version from inside where slash = 0
     ), keyed as (
       select *, ${sortKey} collate "C" as sort_key, name collate "C" as tie from entries
     )
     select name, id, updated_at, created_at, last_accessed_at, metadata, version, sort_key from keyed
     where $4::text is null or (sort_key, tie) ${comparison} ($4::text, $5::text)
     order by sort_key ${sortBy.order}, tie ${sortBy.order} limit $6`,
    [bucketId, prefix, withDelimiter, afterKey, afterName, limit + 1],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasNext = rows.length > limit;
  return {
    hasNext,
    folders: page.filter(({ id }) => id === null).map(({ name }) => ({ name, key: name.slice(0, -1) })),
    objects: page
      .filter(({ id }) => id !== null)
      .map(({ sort_key: _sortKey, ...object }) => ({ ...object, key: object.name })),
    ...(hasNext && last ? { nextCursor: encodeCursor(last) } : {}),
  };
}

function encodeCursor({ sort_key: sortKey, name }: Entry): string {
  return Buffer.from(JSON.stringify([sortKey, name])).toString('base64url');
}

function decodeCursor(cursor: string): [string, string] {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch (error) {
    throw invalidRequest('The cursor is not valid.', error);
  }
}
