/**
 * The file store at /storage/v1, with the wire formats of Supabase Storage and its official client. Rows are in
 * storage.objects with policies, and bytes are in a ByteStore.
 */
import { join } from 'node:path';
import { Hono } from 'hono';
import type { BackendContext, Service } from '../context.ts';
import type { RequestIdentity } from '../database/request-role.ts';
import { IdentityError } from '../http/identity.ts';
import { servedPaths } from '../http/served-paths.ts';
import type { Job } from '../jobs/jobs.ts';
import { bucketRoutes } from './bucket-routes.ts';
import type { ByteStore } from './bytes/byte-store.ts';
import { objectRoutes, publicObjectRoutes } from './object-routes.ts';
import { purgeRoutes } from './purge-routes.ts';
import { createRenderQueue } from './render-queue.ts';
import { publicRenderRoutes, renderRoutes } from './render-routes.ts';
import { openRenditionCache } from './rendition-cache.ts';
import type { StorageEnv } from './request-input.ts';
import { resumableRoutes } from './resumable/resumable-routes.ts';
import type { Storage, StorageOptions } from './storage.ts';
import { accessDenied, errorResponse } from './storage-error.ts';
import { sweepJob } from './sweep.ts';

const MAX_RENDITION_BYTES = 500e6;

export interface StorageService extends Service {
  /** Number of pictures that are being resized or queued. */
  countPictures(): number;
  sweepJob: Job;
}

export function createStorageService(
  context: BackendContext,
  bytes: ByteStore,
  options: StorageOptions,
): StorageService {
  const { config, database, memory, keys, log } = context;
  const storage: Storage = {
    database,
    keys,
    log,
    bytes,
    options,
    renditions: openRenditionCache(join(config.DATA_DIR, 'renditions'), MAX_RENDITION_BYTES),
    renderQueue: createRenderQueue(config.RATE_LIMITS),
    stagingFolder: join(config.DATA_DIR, 'incoming'),
  };
  const resumable = resumableRoutes(storage);

  const routes = new Hono<StorageEnv>().basePath('/storage/v1');
  routes.onError((error, call) => errorResponse(error, { log, request: call.req.raw }));
  routes.notFound(({ req }) => {
    const message = `Route ${req.method}:${req.path} not found`;
    return Response.json({ statusCode: '404', error: 'Not Found', message }, { status: 404 });
  });
  routes.route('/upload/resumable', resumable.open);
  routes.route('/object', publicObjectRoutes(storage));
  routes.route('/render/image', publicRenderRoutes(storage));
  routes.use('*', async (call, next) => {
    call.set('identity', await identify(context, call.req.raw));
    await next();
  });
  routes.route('/upload/resumable', resumable.authenticated);
  routes.route('/bucket', bucketRoutes(storage));
  routes.route('/cdn', purgeRoutes(storage));
  routes.route('/object', objectRoutes(storage));
  routes.route('/render/image', renderRoutes(storage));
  return {
    routes: servedPaths(routes),
    countPictures: () => storage.renderQueue.length(),
    fetch: (request, address) => routes.fetch(request, { address, memory }),
    sweepJob: sweepJob(storage, config.DATABASE_URL === undefined),
    close: async () => undefined,
  };
}

/** @throws ApiError AccessDenied with Supabase Storage's message */
async function identify(context: BackendContext, request: Request): Promise<RequestIdentity> {
  if (!request.headers.has('authorization') && !request.headers.has('apikey'))
    throw accessDenied('Invalid Compact JWS');
  return context.identify(request).catch((error: unknown) => {
    if (!(error instanceof IdentityError)) throw error;
    if (error.fault === 'expired') throw accessDenied('"exp" claim timestamp check failed', error);
    if (error.fault === 'malformed') throw accessDenied('Invalid Compact JWS', error);
    throw accessDenied('signature verification failed', error);
  });
}
