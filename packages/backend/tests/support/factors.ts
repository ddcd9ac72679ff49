import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Secret, TOTP } from 'otpauth';
import { PUBLISHABLE_KEY } from '../../src/http/keys.ts';
import { quickHash } from './quick-hash.ts';
import type { TestBackend } from './test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';

/** Creates a client with its own storage key, because clients with the same key share their sign-out. */
export function newClient(url: string): SupabaseClient {
  const auth = { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() };
  return createClient(url, PUBLISHABLE_KEY, { auth: { ...auth, experimental: { recoveryCodes: true } } });
}

/** Creates a confirmed account, and signs in. */
export async function createSignedInUser({ url, service }: Pick<TestBackend, 'url' | 'service'>) {
  const email = `person-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const reply = await service.auth.admin.createUser({ email, password_hash: quickHash(PASSWORD), email_confirm: true });
  if (reply.error) throw reply.error;
  const { client, session } = await openSecondSession(url, email);
  return { email, client, session, user: session.user };
}

/** Opens another session of the account, with the password only. */
export async function openSecondSession(url: string, email: string) {
  const client = newClient(url);
  const { data, error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  return { client, session: data.session };
}

/** Validity of an authenticator code, in milliseconds. */
const STEP_MS = 30_000;
/** Milliseconds before the end of a step. A request sent then may arrive in the next step. */
const STEP_END_MS = 3_000;

/**
 * Returns an authenticator code, `steps` half minutes from now. Codes of -1, 0 and 1 are valid once each, in order.
 */
export function totpCode(secret: string, steps = 0): string {
  const totp = new TOTP({ algorithm: 'SHA1', digits: 6, period: STEP_MS / 1000, secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: Date.now() + steps * STEP_MS });
}

/** Enrols an authenticator app and verifies it with the previous code, so that two more codes are valid. */
export async function enrolTotp(client: SupabaseClient, friendlyName = 'Phone') {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName });
  if (error) throw error;
  // The previous code is valid until the current half minute ends.
  const remainingMs = STEP_MS - (Date.now() % STEP_MS);
  if (remainingMs < STEP_END_MS) await sleep(remainingMs);
  const verification = await client.auth.mfa.challengeAndVerify({
    factorId: data.id,
    code: totpCode(data.totp.secret, -1),
  });
  if (verification.error) throw verification.error;
  return { id: data.id, secret: data.totp.secret, session: verification.data };
}
