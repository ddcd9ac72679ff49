/** Instance for `--write` and tests: the built-in backend over HTTP with sample rows of every table. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { type Database, PUBLISHABLE_KEY, parseConfig } from '@signalfjord/backend';
import { migrate, openTemporaryDatabase, seed } from '@signalfjord/backend/commands';
import { pino } from 'pino';
import { createSiteBackend } from '../../server/site-backend.ts';
import type { Keys } from './instance.ts';

const MIGRATIONS = join(import.meta.dirname, '../../supabase/migrations');
const STARTER_CONTENT = join(import.meta.dirname, '../../supabase/seed.sql');
const SAMPLE_ROWS = join(import.meta.dirname, 'sample-rows.sql');

export interface Instance extends Keys {
  /** Keys for requests that call the backend directly, which is faster. */
  inProcess: Keys;
  close(): Promise<void>;
}

/** Adds the starter content, and sample rows for the remaining tables. */
export async function fillWithSamples(database: Database, sampleRows = SAMPLE_ROWS): Promise<void> {
  await seed(database, STARTER_CONTENT);
  await seed(database, sampleRows);
}

/** Serves an instance. @param database migrated database, which is closed with the instance */
export async function serveInstance(database: Database): Promise<Instance> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-attack-'));
  const config = parseConfig({ DATA_DIR: folder, RATE_LIMITS: 'off', AUTH_OAUTH_SERVER: 'on' });
  const backend = await createSiteBackend(config, { database, log: pino({ level: 'silent' }) });
  const server = serve({
    fetch: (request, env) => backend.fetch(request, env.incoming.socket.remoteAddress),
    port: 0,
    hostname: '127.0.0.1',
  });
  await new Promise((listening) => server.once('listening', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The instance has no port');
  const keys = {
    url: `http://127.0.0.1:${address.port}`,
    publishableKey: PUBLISHABLE_KEY,
    secretKey: backend.keys.secretKey,
  };
  return {
    ...keys,
    inProcess: { ...keys, fetch: async (url, init) => backend.fetch(new Request(url, init), '127.0.0.1') },
    async close() {
      await new Promise((closed) => server.close(closed));
      await backend.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts an instance on a temporary database with all migrations.
 * @throws Error with the file name if the database rejects its rows
 */
export async function startFreshInstance(sampleRows = SAMPLE_ROWS): Promise<Instance> {
  const database = await openTemporaryDatabase();
  try {
    await migrate(database, MIGRATIONS);
    await fillWithSamples(database, sampleRows);
    return await serveInstance(database);
  } catch (error) {
    // The database server would keep the process running.
    await database.close();
    throw error;
  }
}
