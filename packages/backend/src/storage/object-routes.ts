/**
 * /object: upload, download, info, list, move, copy, remove, and signed URLs. Signed URLs are returned unescaped,
 * because the client applies encodeURI to the whole URL.
 */
import { Hono } from 'hono';
import { z } from 'zod';
import { removeUnnamedBytes } from './deleted-objects.ts';
import { listObjects, listObjectsV2, listSchema, listV2Schema } from './list-objects.ts';
import { requireObjectName } from './names.ts';
import {
  deleteObjects,
  findBucket,
  findObject,
  findObjectAs,
  moveObject,
  type ObjectRow,
  requireMayWrite,
} from './objects.ts';
import { transformSchema } from './pictures.ts';
import { OBJECT, parseBody, type StorageHono, type StorageHonoContext, toLocation, toOwner } from './request-input.ts';
import { serveObject } from './serve-object.ts';
import { signRead, signUpload, verifyRead, verifyUpload } from './signed-urls.ts';
import { NO_IDENTITY, type Storage, type StorageOptions } from './storage.ts';
import { invalidRequest, noSuchBucket, noSuchKey } from './storage-error.ts';
import { copyObject, uploadObject } from './upload.ts';

const relocationSchema = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationKey: z.string(),
  destinationBucket: z.string().nullish(),
  copyMetadata: z.boolean().default(true),
});
const removalSchema = z.object({
  prefixes: z
    .array(z.union([z.string(), z.object({ path: z.string() }).transform(({ path }) => path)]))
    .min(1)
    .max(1000),
});
const expiresIn = z
  .number()
  .int()
  .min(1)
  .max(10 * 365 * 24 * 60 * 60);
const signSchema = z.object({ expiresIn, transform: transformSchema.partial().optional() });
const signManySchema = z.object({ expiresIn, paths: z.array(z.string()).min(1).max(1000) });

/** Builds the routes that need no key, because the bucket is public or the URL is signed. */
export function publicObjectRoutes(storage: Storage): StorageHono {
  const routes: StorageHono = new Hono();

  routes.get(`/public/${OBJECT}`, async (context) => {
    const object = await findPublicObject(storage, context);
    return serveObject(storage, context.req.raw, object, {
      download: context.req.query('download') ?? null,
      isPublic: true,
    });
  });

  routes.get(`/info/public/${OBJECT}`, async (context) =>
    context.json(describeObject(await findPublicObject(storage, context))),
  );

  routes.get(`/sign/${OBJECT}`, async (context) => {
    const { object, expires } = await findSignedObject(storage, context);
    const download = context.req.query('download') ?? null;
    return serveObject(storage, context.req.raw, object, { download, isPublic: false, expires });
  });

  routes.put(`/upload/sign/${OBJECT}`, async (context) => {
    const location = toLocation(context);
    const url = `${location.bucketId}/${location.name}`;
    const { signer, upsert } = await verifyUpload(storage.keys, url, context.req.query('token') ?? null);
    const target = { ...location, ownerId: toOwner(signer), mode: upsert ? 'upsert' : 'create' } as const;
    const { Key } = await uploadObject(storage, signer, target, context.req.raw);
    return context.json({ Key });
  });

  return routes;
}

/** Builds the routes that act on behalf of the key or token. */
export function objectRoutes(storage: Storage): StorageHono {
  const routes: StorageHono = new Hono();
  addListRoutes(routes, storage);
  addMoveRoutes(routes, storage);
  addSignRoutes(routes, storage);
  addReadRoutes(routes, storage);
  addWriteRoutes(routes, storage);
  return routes;
}

function addListRoutes(routes: StorageHono, { database }: Storage): void {
  routes.post('/list/:bucket', async (context) => {
    const options = await parseBody(context, listSchema);
    return context.json(await listObjects(database, context.get('identity'), context.req.param('bucket'), options));
  });

  routes.post('/list-v2/:bucket', async (context) => {
    const options = await parseBody(context, listV2Schema);
    return context.json(await listObjectsV2(database, context.get('identity'), context.req.param('bucket'), options));
  });
}

function addMoveRoutes(routes: StorageHono, storage: Storage): void {
  const { database } = storage;
  routes.post('/move', async (context) => {
    const body = await parseBody(context, relocationSchema);
    const from = { bucketId: body.bucketId, name: body.sourceKey };
    const to = { bucketId: body.destinationBucket ?? body.bucketId, name: requireObjectName(body.destinationKey) };
    const id = await moveObject(database, context.get('identity'), from, to);
    return context.json({ message: 'Successfully moved', Id: id, Key: `${to.bucketId}/${to.name}` });
  });

  routes.post('/copy', async (context) => {
    const body = await parseBody(context, relocationSchema);
    const identity = context.get('identity');
    const target = {
      bucketId: body.destinationBucket ?? body.bucketId,
      name: body.destinationKey,
      mode: isUpsert(context) ? 'upsert' : 'create',
      ownerId: toOwner(identity),
    } as const;
    const from = { bucketId: body.bucketId, name: body.sourceKey };
    return context.json(await copyObject(storage, identity, from, target, body.copyMetadata));
  });
}

function addSignRoutes(routes: StorageHono, { database, keys, options }: Storage): void {
  routes.post(`/upload/sign/${OBJECT}`, async (context) => {
    const { bucketId, name } = toLocation(context);
    const identity = context.get('identity');
    const upsert = isUpsert(context);
    requireObjectName(name);
    await findBucket(database, bucketId);
    const ownerId = toOwner(identity);
    await requireMayWrite(database, identity, { bucketId, name, ownerId }, upsert ? 'upsert' : 'create');
    const token = await signUpload(keys, identity, { url: `${bucketId}/${name}`, upsert });
    return context.json({ url: `/object/upload/sign/${bucketId}/${name}?token=${token}`, token });
  });

  routes.post(`/sign/${OBJECT}`, async (context) => {
    const body = await parseBody(context, signSchema);
    const location = toLocation(context);
    requireAllowedLifetime(options, location.bucketId, body.expiresIn);
    const signer = context.get('identity');
    const { bucket_id: bucketId, name } = await findObjectAs(database, signer, location);
    const url = `${bucketId}/${name}`;
    const transformations = body.transform ? JSON.stringify(body.transform) : null;
    const token = await signRead(keys, url, body.expiresIn, { transformations, signer });
    const route = body.transform ? '/render/image/sign' : '/object/sign';
    return context.json({ signedURL: `${route}/${url}?token=${token}` });
  });

  routes.post('/sign/:bucket', async (context) => {
    const { expiresIn: seconds, paths } = await parseBody(context, signManySchema);
    const bucketId = context.req.param('bucket');
    const signer = context.get('identity');
    requireAllowedLifetime(options, bucketId, seconds);
    const results = paths.map(async (path) => {
      const object = await findObjectAs(database, signer, { bucketId, name: path }).catch(() => null);
      if (!object) {
        return { error: 'Either the object does not exist or you do not have access to it', path, signedURL: null };
      }
      const url = `${bucketId}/${path}`;
      const token = await signRead(keys, url, seconds, { signer });
      return { error: null, path, signedURL: `/object/sign/${url}?token=${token}` };
    });
    return context.json(await Promise.all(results));
  });
}

function addReadRoutes(routes: StorageHono, storage: Storage): void {
  const { database } = storage;
  for (const path of [`/info/authenticated/${OBJECT}`, `/info/${OBJECT}`]) {
    routes.get(path, async (context) =>
      context.json(describeObject(await findObjectAs(database, context.get('identity'), toLocation(context)))),
    );
  }

  for (const path of [`/authenticated/${OBJECT}`, `/${OBJECT}`]) {
    routes.get(path, async (context) => {
      const { object, isPublic } = await findReadableObject(storage, context);
      const download = context.req.query('download') ?? null;
      return serveObject(storage, context.req.raw, object, { download, isPublic });
    });
  }
}

function addWriteRoutes(routes: StorageHono, storage: Storage): void {
  const { database } = storage;
  routes.delete('/:bucket', async (context) => {
    const { prefixes } = await parseBody(context, removalSchema);
    const bucketId = context.req.param('bucket');
    const rows = await deleteObjects(database, context.get('identity'), bucketId, prefixes);
    await removeUnnamedBytes(storage, rows);
    return context.json(rows);
  });

  routes.delete(`/${OBJECT}`, async (context) => {
    const { bucketId, name } = toLocation(context);
    const rows = await deleteObjects(database, context.get('identity'), bucketId, [name]);
    if (rows.length === 0) throw noSuchKey();
    await removeUnnamedBytes(storage, rows);
    return context.json({ message: 'Successfully deleted' });
  });

  routes.on(['POST', 'PUT'], `/${OBJECT}`, async (context) => {
    const identity = context.get('identity');
    const mode = context.req.method === 'PUT' ? 'replace' : isUpsert(context) ? 'upsert' : 'create';
    const target = { ...toLocation(context), mode, ownerId: toOwner(identity) } as const;
    return context.json(await uploadObject(storage, identity, target, context.req.raw));
  });
}

/** @throws ApiError NoSuchBucket for a bucket that is not public, NoSuchKey */
export async function findPublicObject(storage: Storage, context: StorageHonoContext): Promise<ObjectRow> {
  const location = toLocation(context);
  if (!(await findBucket(storage.database, location.bucketId)).public) throw noSuchBucket();
  return findObject(storage.database, location);
}

/**
 * Finds an object that the policies allow, or any object in a public bucket.
 * @throws ApiError NoSuchBucket, NoSuchKey
 */
export async function findReadableObject(
  storage: Storage,
  context: StorageHonoContext,
): Promise<{ object: ObjectRow; isPublic: boolean }> {
  const location = toLocation(context);
  const { public: isPublic } = await findBucket(storage.database, location.bucketId);
  const object = isPublic
    ? await findObject(storage.database, location)
    : await findObjectAs(storage.database, context.get('identity'), location);
  return { object, isPublic };
}

/**
 * Finds the object of a signed URL. In a bucket with revocable URLs, the policies must still allow the signer to read
 * it.
 * @throws ApiError InvalidRequest, InvalidJWT, InvalidSignature, NoSuchKey
 */
export async function findSignedObject({ database, keys, options }: Storage, context: StorageHonoContext) {
  const location = toLocation(context);
  const url = `${location.bucketId}/${location.name}`;
  const { signer, ...claims } = await verifyRead(keys, url, context.req.query('token') ?? null);
  if (!revocableUrls(options, location.bucketId)) return { ...claims, object: await findObject(database, location) };
  return { ...claims, object: await findObjectAs(database, signer ?? NO_IDENTITY, location) };
}

/** @throws ApiError InvalidRequest */
function requireAllowedLifetime(options: StorageOptions, bucketId: string, seconds: number): void {
  const { maxSeconds = Number.POSITIVE_INFINITY } = revocableUrls(options, bucketId) ?? {};
  if (seconds <= maxSeconds) return;
  throw invalidRequest(`expiresIn: a URL of a file in ${bucketId} is valid for at most ${maxSeconds} seconds`);
}

function revocableUrls({ revocableUrls = {} }: StorageOptions, bucketId: string) {
  return Object.hasOwn(revocableUrls, bucketId) ? revocableUrls[bucketId] : undefined;
}

function describeObject({ metadata, ...object }: ObjectRow) {
  return {
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size: metadata.size,
    content_type: metadata.mimetype,
    cache_control: metadata.cacheControl,
    etag: metadata.eTag,
    metadata: object.user_metadata ?? {},
    last_modified: object.updated_at,
    created_at: object.created_at,
  };
}

function isUpsert(context: StorageHonoContext): boolean {
  return context.req.header('x-upsert') === 'true';
}
