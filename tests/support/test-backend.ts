import type { SupabaseClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import type { DiskSpaceOptions } from '../../packages/backend/src/database/disk-space.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import type { ByteStore } from '../../packages/backend/src/storage/bytes/byte-store.ts';
import {
  connect,
  type TestBackend as ServedBackend,
  serveTestBackend,
} from '../../packages/backend/tests/support/test-backend.ts';
import { createSiteBackend } from '../../server/site-backend.ts';
import { openTestDatabase } from './test-database.ts';

/**
 * The users of the role matrix, with verified email addresses. A stranger has an account but no role row. `pending` has
 * a role that is not approved yet.
 */
export type Person = 'stranger' | 'pending' | 'client' | 'team' | 'admin';

export interface TestBackend extends ServedBackend {
  /**
   * Creates a user of this kind, and an official client with the user's session. aal2 is a session with a second
   * factor.
   */
  signedIn(
    person: Person,
    aal?: 'aal1' | 'aal2',
  ): Promise<{ id: string; email: string; token: string; client: SupabaseClient }>;
}

/** Starts a complete backend with a fresh copy of the migrated database, behind a real HTTP server. */
export async function startTestBackend(
  environment: Record<string, string> = {},
  overrides: { bytes?: ByteStore; disk?: DiskSpaceOptions } = {},
): Promise<TestBackend> {
  const served = await serveTestBackend(environment, openTestDatabase, createSiteBackend, overrides);
  const { backend, url } = served;
  const { database } = backend;
  return {
    ...served,
    async signedIn(person, aal = 'aal1') {
      const id = crypto.randomUUID();
      const email = `${person}-${id.slice(0, 8)}@example.com`;
      await database.query(
        `insert into auth.users (id, aud, role, email, email_confirmed_at, created_at, updated_at)
         values ($1, 'authenticated', 'authenticated', $2, now(), now(), now())`,
        [id, email],
      );
      await database.query('insert into private.verified_addresses (user_id, address) values ($1, $2)', [id, email]);
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
  };
}

/** Keeps later emails in the queue, for tests that read them there. By default, they are sent immediately. */
export async function keepMailsQueued({ backend }: TestBackend): Promise<void> {
  await backend.database.query(`alter table private.mail_queue alter column next_attempt_at set default 'infinity'`);
}
