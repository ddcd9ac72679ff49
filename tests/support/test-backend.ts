import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import { pino } from 'pino';
import { parseConfig } from '../../packages/backend/src/config.ts';
import type { Backend } from '../../packages/backend/src/create-backend.ts';
import { DiskGuard } from '../../packages/backend/src/database/disk-guard.ts';
import { DiskRoom, type DiskRoomOptions } from '../../packages/backend/src/database/disk-room.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import type { ByteStore } from '../../packages/backend/src/storage/bytes/byte-store.ts';
import { openTestDatabase } from '../../packages/backend/tests/support/test-database.ts';
import { createSiteBackend } from '../../server/site-backend.ts';

/** The people of the role matrix, whose addresses are proven. A stranger has an account but no role row; pending waits for approval. */
export type Person = 'stranger' | 'pending' | 'client' | 'team' | 'admin';

export interface TestBackend {
  backend: Backend;
  /** Origin of a real HTTP server on loopback. */
  url: string;
  /** DATA_DIR, with the outbox. */
  dataFolder: string;
  /** The official client without a session. */
  visitor: SupabaseClient;
  /** The official client with the secret key. */
  service: SupabaseClient;
  /** A new account of that kind and the official client signed in as it, with a second factor for aal2. */
  signedIn(
    person: Person,
    aal?: 'aal1' | 'aal2',
  ): Promise<{ id: string; email: string; token: string; client: SupabaseClient }>;
  close(): Promise<void>;
}

/** Starts a whole backend on a fresh copy of the migrated database, behind a real HTTP server. */
export async function startTestBackend(
  environment: Record<string, string> = {},
  { disk, ...options }: { bytes?: ByteStore; disk?: DiskRoomOptions } = {},
): Promise<TestBackend> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-test-'));
  const opened = await openTestDatabase();
  const database = disk ? new DiskGuard(opened, new DiskRoom(folder, disk)) : opened;
  const config = parseConfig({ DATA_DIR: folder, RATE_LIMITS: 'off', ...environment });
  const backend = await createSiteBackend(config, { ...options, database, log: pino({ level: 'silent' }) });
  const server = serve({
    fetch: (request, env) => backend.fetch(request, env.incoming.socket.remoteAddress),
    port: 0,
    hostname: '127.0.0.1',
  });
  await new Promise((listening) => server.once('listening', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The test server has no port');
  const url = `http://127.0.0.1:${address.port}`;

  return {
    backend,
    url,
    dataFolder: folder,
    visitor: connect(url, PUBLISHABLE_KEY),
    service: connect(url, backend.keys.secretKey),
    async signedIn(person, aal = 'aal1') {
      const id = crypto.randomUUID();
      const email = `${person}-${id.slice(0, 8)}@example.com`;
      await database.query(
        `insert into auth.users (id, aud, role, email, email_confirmed_at, created_at, updated_at)
         values ($1, 'authenticated', 'authenticated', $2, now(), now(), now())`,
        [id, email],
      );
      await database.query('insert into private.proven_addresses (user_id, address) values ($1, $2)', [id, email]);
      if (person !== 'stranger') {
        const role = person === 'pending' ? 'team' : person;
        await database.query('insert into public.user_roles (user_id, role, approved) values ($1, $2, $3)', [
          id,
          role,
          person !== 'pending',
        ]);
      }
      const sessionId = crypto.randomUUID();
      await database.query(
        `insert into auth.sessions (id, user_id, created_at, updated_at, aal) values ($1, $2, now(), now(), $3)`,
        [sessionId, id, aal],
      );
      const token = await new SignJWT({ role: 'authenticated', email, session_id: sessionId, aal })
        .setProtectedHeader({ alg: backend.keys.current.alg, kid: backend.keys.current.kid })
        .setSubject(id)
        .setAudience('authenticated')
        .setExpirationTime('1h')
        .sign(backend.keys.current.privateKey);
      return { id, email, token, client: connect(url, PUBLISHABLE_KEY, token) };
    },
    async close() {
      await new Promise((closed) => server.close(closed));
      await backend.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Leaves mails that are queued from now on in the queue, for tests that read them there; they are sent at once otherwise. */
export async function keepMailsQueued({ backend }: TestBackend): Promise<void> {
  await backend.database.query(`alter table private.mail_queue alter column next_attempt_at set default 'infinity'`);
}

function connect(url: string, key: string, token?: string): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    ...(token ? { global: { headers: { authorization: `Bearer ${token}` } } } : {}),
  });
}
