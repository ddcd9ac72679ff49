/** /bucket: list, get, create, update, empty, delete. Access is decided by policies on storage.buckets. */
import { Hono } from 'hono';
import { z } from 'zod';
import { DatabaseError } from '../database/database.ts';
import { ApiError } from '../http/api-error.ts';
import { deletePermanently } from './deleted-objects.ts';
import { parseSize, requireBucketName } from './names.ts';
import { queryAs } from './objects.ts';
import { parseBody, parseInput, type StorageHono, toOwner } from './request-input.ts';
import type { Storage } from './storage.ts';
import { featureNotEnabled, noSuchBucket } from './storage-error.ts';

const COLUMNS = `id, name, coalesce(owner::text, owner_id, '') as owner, public, file_size_limit, allowed_mime_types,
  created_at, updated_at`;

const listSchema = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  offset: z.coerce.number().int().min(0).default(0),
  search: z.string().default(''),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
});

const settingsSchema = z.object({
  public: z.boolean().optional(),
  file_size_limit: z.union([z.number().min(0), z.string()]).nullish(),
  // Reject versioning instead of ignoring it, because callers who rely on it would lose files.
  versioning_status: z.string().nullish(),
  allowed_mime_types: z.array(z.string().regex(/^(?:[\w.+-]+|\*)\/(?:[\w.+-]+|\*)$/)).nullish(),
});
const createSchema = settingsSchema.extend({ id: z.string().optional(), name: z.string() });

export function bucketRoutes(storage: Storage): StorageHono {
  const routes: StorageHono = new Hono();
  addReadRoutes(routes, storage);
  addWriteRoutes(routes, storage);
  addDeleteRoutes(routes, storage);
  routes.all('/:id/lifecycle', () => {
    throw featureNotEnabled('object lifecycle');
  });
  return routes;
}

function addReadRoutes(routes: StorageHono, { database }: Storage): void {
  routes.get('/', async (context) => {
    const { limit, offset, search, sortColumn, sortOrder } = parseInput(listSchema, context.req.query());
    const buckets = await queryAs(
      database,
      context.get('identity'),
      `select ${COLUMNS} from storage.buckets where position(lower($1) in lower(name)) > 0
       order by ${sortColumn} ${sortOrder} limit $2 offset $3`,
      [search, limit, offset],
    );
    return context.json(buckets.rows);
  });

  routes.get('/:id', async (context) => {
    const result = await queryAs(
      database,
      context.get('identity'),
      `select ${COLUMNS} from storage.buckets where id = $1`,
      [context.req.param('id')],
    );
    const [bucket] = result.rows;
    if (!bucket) throw noSuchBucket();
    return context.json(bucket);
  });
}

function addWriteRoutes(routes: StorageHono, { database }: Storage): void {
  routes.post('/', async (context) => {
    const settings = await parseBody(context, createSchema);
    const name = requireBucketName(settings.name);
    requireNoVersioning(settings.versioning_status);
    await queryAs(
      database,
      context.get('identity'),
      `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types, owner_id)
       values ($1, $2, $3, $4, $5, $6)`,
      [
        requireBucketName(settings.id ?? name),
        name,
        settings.public ?? false,
        asBytes(settings.file_size_limit),
        settings.allowed_mime_types,
        toOwner(context.get('identity')),
      ],
    );
    return context.json({ name });
  });

  routes.put('/:id', async (context) => {
    const settings = await parseBody(context, settingsSchema);
    requireNoVersioning(settings.versioning_status);
    const changes = Object.entries({
      public: settings.public,
      file_size_limit: settings.file_size_limit === undefined ? undefined : asBytes(settings.file_size_limit),
      allowed_mime_types: settings.allowed_mime_types,
    }).filter(([, value]) => value !== undefined);
    const assignments = ['updated_at = now()', ...changes.map(([column], index) => `${column} = $${index + 2}`)];
    const result = await queryAs(
      database,
      context.get('identity'),
      `update storage.buckets set ${assignments.join(', ')} where id = $1`,
      [context.req.param('id'), ...changes.map(([, value]) => value)],
    );
    if (result.rowCount === 0) throw noSuchBucket();
    return context.json({ message: 'Successfully updated' });
  });
}

function addDeleteRoutes(routes: StorageHono, storage: Storage): void {
  const { database } = storage;
  routes.post('/:id/empty', async (context) => {
    const id = context.req.param('id');
    const identity = context.get('identity');
    const bucket = await queryAs(database, identity, 'select from storage.buckets where id = $1', [id]);
    if (bucket.rowCount === 0) throw noSuchBucket();
    const objects = await queryAs<{ version: string }>(
      database,
      identity,
      'delete from storage.objects where bucket_id = $1 returning version',
      [id],
    );
    // Emptying a bucket bypasses the trash.
    await deletePermanently(storage, objects.rows);
    // Message of Supabase Storage, which empties buckets in the background.
    return context.json({ message: 'Empty bucket has been queued. Completion may take up to an hour.' });
  });

  routes.delete('/:id', async (context) => {
    const result = await queryAs(database, context.get('identity'), 'delete from storage.buckets where id = $1', [
      context.req.param('id'),
    ]).catch((error: unknown) => {
      if (!(error instanceof DatabaseError && error.code === '23503')) throw error;
      throw new ApiError(409, 'ResourceNotEmpty', 'The bucket you tried to delete is not empty', { cause: error });
    });
    if (result.rowCount === 0) throw noSuchBucket();
    return context.json({ message: 'Successfully deleted' });
  });
}

/** @throws ApiError FeatureNotEnabled */
function requireNoVersioning(status: string | null | undefined): void {
  if (status && status !== 'DISABLED') throw featureNotEnabled('object versioning');
}

function asBytes(size: number | string | null | undefined): number | null {
  return size === null || size === undefined ? null : parseSize(size);
}
