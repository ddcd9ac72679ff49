/**
 * DELETE /cdn: purges a cache in front of the service. This server has no such cache, because it reads files from
 * the store each time and renditions belong to immutable bytes. It returns success without doing anything.
 */
import { Hono } from 'hono';
import { findBucket, findObject } from './objects.ts';
import { OBJECT, type StorageHono, toLocation } from './request-input.ts';
import type { Storage } from './storage.ts';
import { accessDenied } from './storage-error.ts';

export function purgeRoutes({ database }: Storage): StorageHono {
  const routes: StorageHono = new Hono();
  routes.use('*', async (context, next) => {
    if (context.get('identity').role !== 'service_role') throw accessDenied('Access denied: Invalid role');
    await next();
  });
  routes.delete('/', (context) => context.json({ message: 'success' }));
  routes.delete('/:bucket', async (context) => {
    await findBucket(database, context.req.param('bucket'));
    return context.json({ message: 'success' });
  });
  routes.delete(`/${OBJECT}`, async (context) => {
    await findObject(database, toLocation(context));
    return context.json({ message: 'success' });
  });
  return routes;
}
