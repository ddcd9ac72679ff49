/**
 * Attackers who store a lot of data in accounts or create many accounts, with rate limits enabled. Each attack has an
 * allowed counterpart.
 */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on', AUTH_ANONYMOUS: 'on' });
});
afterAll(() => site.close());
beforeEach(() => site.backend.database.script('delete from private.rate_limit_counters;'));

let clientCount = 0;
/** Creates an official client with its own IP address. */
function newClient(): SupabaseClient {
  clientCount += 1;
  const auth = { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() };
  const headers = { 'x-forwarded-for': `10.1.${Math.trunc(clientCount / 200)}.${(clientCount % 200) + 1}` };
  return createClient(site.url, PUBLISHABLE_KEY, { auth, global: { headers } });
}

const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;

/** Returns data of `bytes` bytes of JSON, in two-byte characters. */
function createData(bytes: number): { note: string } {
  const length = bytes - JSON.stringify({ note: '' }).length;
  return { note: 'æ'.repeat(Math.trunc(length / 2)) + 'a'.repeat(length % 2) };
}

const TOO_LARGE = { status: 422, code: 'validation_failed', message: 'user_metadata must not exceed 8 kB of JSON' };

describe('Metadata of an account', () => {
  test('can be up to 8 kB at sign-up, and one more byte is rejected', async () => {
    const email = newEmail();
    const client = newClient();
    const response = await client.auth.signUp({ email, password: PASSWORD, options: { data: createData(8193) } });
    expect(response.error).toMatchObject(TOO_LARGE);
    const signUp = await client.auth.signUp({ email, password: PASSWORD, options: { data: createData(8192) } });
    expect(signUp.error).toBeNull();
    expect(signUp.data.user?.user_metadata['note']).toBe(createData(8192).note);
    expect((await client.from('posts').select('id').limit(1)).error).toBeNull();
    expect((await client.auth.updateUser({ data: { name: 'Ada' } })).error).toBeNull();
    expect((await client.auth.signOut()).error).toBeNull();
  });

  test('is rejected by every endpoint that accepts it if it is too large', async () => {
    const data = createData(12_000);
    const email = newEmail();
    expect((await newClient().auth.signInAnonymously({ options: { data } })).error).toMatchObject(TOO_LARGE);
    expect((await newClient().auth.signInWithOtp({ email, options: { data } })).error).toMatchObject(TOO_LARGE);
    const { admin } = site.service.auth;
    expect((await admin.inviteUserByEmail(email, { data })).error).toMatchObject(TOO_LARGE);
    expect((await admin.createUser({ email, user_metadata: data })).error).toMatchObject(TOO_LARGE);
    const link = { type: 'signup', email, password: PASSWORD, options: { data } } as const;
    expect((await admin.generateLink(link)).error).toMatchObject(TOO_LARGE);
    const { data: user } = await admin.createUser({ email, user_metadata: createData(8000) });
    expect((await admin.updateUserById(user.user?.id ?? '', { user_metadata: data })).error).toMatchObject(TOO_LARGE);
    const response = await admin.updateUserById(user.user?.id ?? '', { user_metadata: { name: 'Ada' } });
    expect(response.error).toBeNull();
  });

  test('cannot exceed 8 kB in several updates', async () => {
    const client = newClient();
    await client.auth.signUp({ email: newEmail(), password: PASSWORD });
    const codes: (string | undefined)[] = [];
    for (let index = 0; index < 4; index++) {
      const { error } = await client.auth.updateUser({ data: { [`piece${index}`]: 'a'.repeat(4000) } });
      codes.push(error?.code);
    }
    expect(codes).toEqual([undefined, undefined, 'validation_failed', 'validation_failed']);
  });

  test('can be reduced if an older account exceeds the limit, and does not block its sign-in', async () => {
    const email = newEmail();
    await newClient().auth.signUp({ email, password: PASSWORD, options: { data: { name: 'Ada' } } });
    await site.backend.database.query(
      `update auth.users set raw_user_meta_data = raw_user_meta_data
         || jsonb_build_object('one', repeat('a', 30000), 'two', repeat('a', 9000), 'three', 'x') where email = $1`,
      [email],
    );
    const client = newClient();
    const { data, error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
    expect(error).toBeNull();
    expect(data.session?.access_token.length).toBeLessThan(2000);
    expect((await client.auth.getUser()).data.user?.user_metadata['name']).toBe('Ada');
    expect((await client.auth.updateUser({ data: { three: 'xy' } })).error?.code).toBe('validation_failed');
    expect((await client.auth.updateUser({ data: { one: null } })).error).toBeNull();
    expect((await client.auth.updateUser({ data: { two: null } })).error).toBeNull();
    expect((await client.auth.signOut()).error).toBeNull();
  });
});

describe('Sign-ups beyond five hundred in an hour', () => {
  /** Stores a count of earlier sign-ups. */
  const storeCount = (kind: string, count: number) =>
    site.backend.database.query(
      `insert into private.rate_limit_counters (subject, count, expires_at)
       values (private.counter_key($1 || ' of '), $2::int, now() + interval '1 hour')
       on conflict (subject) do update set count = excluded.count`,
      [kind, count],
    );

  test('New users get a session only after they have confirmed their address by email', async () => {
    await storeCount('sign-up', 499);
    const signUp = await newClient().auth.signUp({ email: newEmail(), password: PASSWORD });
    expect(signUp.data.session).not.toBeNull();
    const email = newEmail();
    const limited = await newClient().auth.signUp({ email, password: PASSWORD });
    expect([limited.error, limited.data.session]).toEqual([null, null]);
    const { rows } = await site.backend.database.query<{ confirmed: boolean; template: string }>(
      'select email_confirmed_at is not null as confirmed from auth.users where email = $1',
      [email],
    );
    expect(rows).toEqual([{ confirmed: false }]);
    const unconfirmed = await newClient().auth.signInWithPassword({ email, password: PASSWORD });
    expect(unconfirmed.error).not.toBeNull();
    await site.backend.database.query(
      `update private.rate_limit_counters set expires_at = now() - interval '1 second'`,
    );
    const afterReset = await newClient().auth.signUp({ email: newEmail(), password: PASSWORD });
    expect(afterReset.data.session).not.toBeNull();
  });

  test('Anonymous sign-ins are rejected, and after two thousand more, all sign-ups are rejected', async () => {
    await storeCount('sign-up', 500);
    expect((await newClient().auth.signInAnonymously()).error).toMatchObject({
      status: 429,
      message: 'Too many anonymous sign-ins. Please sign up with an email address.',
    });
    await storeCount('sign-up with confirmation', 2000);
    expect((await newClient().auth.signUp({ email: newEmail(), password: PASSWORD })).error).toMatchObject({
      status: 429,
      code: 'over_request_rate_limit',
    });
  });
});
