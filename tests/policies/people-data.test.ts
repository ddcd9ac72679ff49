/** Data that name a person: given to them or to an admin, and deleted. */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SqlValue } from '../../packages/backend/src/database/database.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

type SignedIn = Awaited<ReturnType<TestBackend['signedIn']>>;

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ AUTH_OAUTH_SERVER: 'on' });
});
afterAll(() => site.close());

const query = <Row extends object>(sql: string, values: SqlValue[] = []) =>
  site.backend.database.query<Row>(sql, values).then(({ rows }) => rows);

/** Notes in the session of that person how it began, as signing in does. */
async function began({ token }: SignedIn, method: string, minutesAgo = 0): Promise<void> {
  await query(
    `insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
     select gen_random_uuid(), $1, $2, moment, moment from (select now() - $3 * interval '1 minute') as at (moment)`,
    [String(decodeJwt(token)['session_id']), method, minutesAgo],
  );
}

async function person(kind: Person, method: string, minutesAgo = 0): Promise<SignedIn> {
  const one = await site.signedIn(kind);
  await began(one, method, minutesAgo);
  return one;
}

async function isThere({ id }: Pick<SignedIn, 'id'>): Promise<boolean> {
  return (await query('select from auth.users where id = $1', [id])).length === 1;
}

async function chatSaying(...contents: string[]): Promise<string> {
  const { data } = await site.service.from('conversations').insert({}).select('id').single().throwOnError();
  for (const content of contents) {
    await site.service.from('chat_messages').insert({ conversation_id: data.id, role: 'user', content }).throwOnError();
  }
  return data.id;
}

async function chatsLeft(...ids: string[]): Promise<string[]> {
  const { data } = await site.service.from('conversations').select('id').in('id', ids).throwOnError();
  return data.map(({ id }) => id);
}

const chatIds = (data: { chats: { id: string }[] | null }) => data.chats?.map(({ id }) => id) ?? null;

/** Lists the tables that still contain a text, the person's own words in public aside. */
async function tablesNaming(text: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'private', 'auth', 'storage', 'backend')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await query(`select from ${name} as one where position($1 in to_jsonb(one)::text) > 0 limit 1`, [
      text,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

describe('Deleting a person', () => {
  test('leaves nothing that names them but their id in the record', async () => {
    const [admin, team] = [await site.signedIn('admin'), await site.signedIn('pending')];
    await admin.client.rpc('approve_team_member', { _user_id: team.id, _approved: true }).throwOnError();
    const chat = await chatSaying('Hello', `Write to me: ${team.email.toUpperCase()}.`);
    const { error } = await site.service.auth.admin.updateUserById(team.id, { user_metadata: { name: 'Kari' } });
    expect(error).toBeNull();
    await query(`insert into auth.audit_log_entries (id, payload, created_at) values (gen_random_uuid(), $1, now())`, [
      { action: 'login', actor_id: team.id, actor_username: team.email },
    ]);
    await query(
      `insert into storage.objects (bucket_id, name, owner, owner_id) values ('content-media', $1, $2::uuid, $2::uuid::text)`,
      [`${team.id.slice(0, 8)}.png`, team.id],
    );
    expect((await tablesNaming(team.email)).length).toBeGreaterThan(2);
    expect((await admin.client.rpc('count_chats_naming', { _user_id: team.id })).data).toBe(1);

    await admin.client.rpc('delete_person', { _user_id: team.id }).throwOnError();
    expect(await tablesNaming(team.email)).toEqual([]);
    expect(await tablesNaming(team.id)).toEqual(['public.people_log']);
    expect(await chatsLeft(chat)).toEqual([]);
    expect(await query('select owner_id from storage.objects where name = $1', [`${team.id.slice(0, 8)}.png`])).toEqual(
      [{ owner_id: null }],
    );
    expect((await team.client.from('user_roles').select()).data).toEqual([]);
    const { data } = await admin.client.from('people_log').select().eq('person_id', team.id).order('at');
    expect(data).toMatchObject([
      { action: 'approved', actor_id: admin.id },
      { action: 'deleted', actor_id: admin.id, role: 'team' },
    ]);
    expect((await admin.client.rpc('delete_person', { _user_id: team.id })).error?.message).toBe(
      'This account no longer exists.',
    );
  });

  test.each([
    ['x', 'Ask x', true],
    ['', '<ADDRESS>', true],
    ['', 'mail ADDRESS, please', true],
    ['', 'It is...ADDRESS.', true],
    ['', 'notADDRESS', false],
    ['', 'not.ADDRESS', false],
    ['', 'no-ADDRESS', false],
    ['', 'ADDRESS.no', false],
    ['', 'ADDRESSx', false],
    ['', 'ADDRESS-x.no', false],
  ])('%s a chat that says %j goes: %s', async (own, text, goes) => {
    const [admin, client] = [await site.signedIn('admin'), await site.signedIn('client')];
    const chat = await chatSaying(own ? `${text} ${client.email}` : text.replace('ADDRESS', client.email));
    await admin.client.rpc('delete_person', { _user_id: client.id }).throwOnError();
    expect(await chatsLeft(chat)).toEqual(goes ? [] : [chat]);
  });

  test('An address with signs that patterns use finds itself alone', async () => {
    const [admin, client] = [await site.signedIn('admin'), await site.signedIn('client')];
    const mark = client.id.slice(0, 8);
    await query('update auth.users set email = $2 where id = $1', [client.id, `a+b.*'c|${mark}@example.com`]);
    const theirs = await chatSaying(`I am a+b.*'c|${mark}@example.com`);
    const other = await chatSaying(`I am aab.cc|${mark}@example.com, or ${mark}@example.com`);
    await admin.client.rpc('delete_person', { _user_id: client.id }).throwOnError();
    expect(await chatsLeft(theirs, other)).toEqual([other]);
  });

  test('Somebody without an address takes no chat with them', async () => {
    const [admin, client] = [await site.signedIn('admin'), await site.signedIn('client')];
    await query('update auth.users set email = null, phone = $2 where id = $1', [client.id, '4712345678']);
    const chat = await chatSaying('Hello');
    await admin.client.rpc('delete_person', { _user_id: client.id }).throwOnError();
    expect(await chatsLeft(chat)).toEqual([chat]);
  });
});

describe("A person's data", () => {
  test('is whole for an admin, who is noted', async () => {
    const [admin, client] = [await site.signedIn('admin'), await site.signedIn('client')];
    const chat = await chatSaying(`I am ${client.email}`);
    const { data } = await admin.client.rpc('export_person', { _user_id: client.id }).throwOnError();
    expect(data).toMatchObject({
      account: { email: client.email, standing: 'client' },
      role: { role: 'client', approved: true },
      chats: [{ id: chat, messages: [{ role: 'user', content: `I am ${client.email}` }] }],
      files: [],
    });
    const { data: record } = await admin.client
      .from('people_log')
      .select('action, actor_id')
      .eq('person_id', client.id);
    expect(record).toEqual([{ action: 'downloaded_data', actor_id: admin.id }]);
  });

  test('is given to themselves, and never to a visitor or after signing out', async () => {
    const client = await person('client', 'password');
    const { data } = await client.client.rpc('my_data').throwOnError();
    expect(data).toMatchObject({ account: { id: client.id, email: client.email, sessions: [{}] } });
    expect(JSON.stringify(data)).not.toContain('encrypted_password');
    expect((await site.visitor.rpc('my_data')).status).toBe(401);
    await query('delete from auth.sessions where user_id = $1', [client.id]);
    expect((await client.client.rpc('my_data')).error?.message).toBe('Please sign in first.');
  });

  test('has their passkeys and the applications that they let in', async () => {
    const client = await person('client', 'password');
    await query(
      `insert into auth.webauthn_credentials (user_id, credential_id, public_key, friendly_name)
       values ($1, '\\x01', '\\x02', 'My key')`,
      [client.id],
    );
    const application = { client_name: 'Calendar', redirect_uris: ['https://calendar.example.com/back'] };
    const registered = await site.service.auth.admin.oauth.createClient(application);
    await query(
      `insert into auth.oauth_consents (id, user_id, client_id, scopes) values (gen_random_uuid(), $1, $2, 'email')`,
      [client.id, registered.data?.client_id ?? ''],
    );
    const { data } = await client.client.rpc('my_data').throwOnError();
    expect(data).toMatchObject({
      passkeys: [{ name: 'My key' }],
      applications: [{ name: 'Calendar', scopes: 'email' }],
    });
    expect(Object.keys(data.passkeys[0]).sort()).toEqual(['created_at', 'last_used_at', 'name']);
  });

  test('tells what admins did, not which', async () => {
    const [admin, team] = [await site.signedIn('admin'), await person('pending', 'password')];
    await admin.client.rpc('approve_team_member', { _user_id: team.id, _approved: true }).throwOnError();
    const { data } = await team.client.rpc('my_data').throwOnError();
    expect(data).toMatchObject({ acts_on_the_account: [{ action: 'approved' }], decisions: [{ approved: true }] });
    expect(JSON.stringify(data)).not.toContain(admin.id);
  });

  test.each([
    ['magiclink', true],
    ['recovery', true],
    ['email/signup', true],
    ['otp', true],
    ['password', false],
    ['oauth', false],
  ])('has the chats that name the address in a session that began by %s: %s', async (method, has) => {
    const client = await person('client', method);
    const chat = await chatSaying(`I am ${client.email}`);
    const { data } = await client.client.rpc('my_data').throwOnError();
    expect(chatIds(data)).toEqual(has ? [chat] : null);
  });

  test('A code by phone proves no address, nor does a mail to the address before', async () => {
    const [phoned, changed] = [await person('client', 'otp'), await person('client', 'magiclink', 1)];
    await query(`update auth.users set phone = $2 where id = $1`, [phoned.id, `47${phoned.id.slice(0, 6)}`]);
    await query(
      `insert into auth.identities (provider_id, user_id, identity_data, provider, updated_at)
       values ($1, $2, '{}', 'email', now())`,
      [changed.id, changed.id],
    );
    for (const { client } of [phoned, changed]) {
      expect(chatIds((await client.rpc('my_data').throwOnError()).data)).toBeNull();
    }
  });
});

describe('Deleting the own account', () => {
  test('takes everything along, chats too when a mail began the session', async () => {
    const client = await person('client', 'magiclink');
    const chat = await chatSaying(`I am ${client.email}`);
    await client.client.rpc('delete_my_account').throwOnError();
    expect(await isThere(client)).toBe(false);
    expect(await chatsLeft(chat)).toEqual([]);
    expect(await tablesNaming(client.id)).toEqual(['public.people_log']);
    expect((await client.client.rpc('my_data')).error?.message).toBe('Please sign in first.');
  });

  test('leaves chats that anybody with that address could have written', async () => {
    const client = await person('client', 'password');
    const chat = await chatSaying(`I am ${client.email}`);
    await client.client.rpc('delete_my_account').throwOnError();
    expect(await isThere(client)).toBe(false);
    expect(await chatsLeft(chat)).toEqual([chat]);
  });

  test.each([
    ['that began an hour ago', 'password', 60],
    ['that was refreshed just now', 'token_refresh', 0],
  ])('is refused in a session %s', async (_title, method, minutesAgo) => {
    const client = await person('client', method, minutesAgo);
    expect((await client.client.rpc('delete_my_account')).error?.message).toBe(
      'Please confirm your identity: sign in again, then delete the account within five minutes.',
    );
    expect(await isThere(client)).toBe(true);
  });

  test('is refused to whoever has a factor and has not shown it, also by a token from before', async () => {
    const [without, withFactor] = [await site.signedIn('client'), await site.signedIn('client', 'aal2')];
    for (const one of [without, withFactor]) {
      await began(one, 'password');
      await query(
        `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
         values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
        [one.id],
      );
    }
    const refusal = 'Please confirm your identity: sign in again, then delete the account within five minutes.';
    expect((await without.client.rpc('delete_my_account')).error?.message).toBe(refusal);
    await query(`update auth.sessions set aal = 'aal2' where user_id = $1`, [without.id]);
    expect((await without.client.rpc('delete_my_account')).error?.message).toBe(refusal);
    expect(await isThere(without)).toBe(true);
    expect((await withFactor.client.rpc('delete_my_account')).error).toBeNull();
    expect(await isThere(withFactor)).toBe(false);
  });

  test('is refused to visitors and to sessions that have ended', async () => {
    const client = await person('client', 'password');
    await query('delete from auth.sessions where user_id = $1', [client.id]);
    expect((await site.visitor.rpc('delete_my_account')).status).toBe(401);
    expect((await client.client.rpc('delete_my_account')).error?.message).toBe('Please sign in first.');
    expect(await isThere(client)).toBe(true);
  });

  test('The last admin cannot, also while admins are asked for a factor that they have not', async () => {
    await query(`delete from public.user_roles where role = 'admin'`);
    const admin = await person('admin', 'password');
    const setting = { setting_key: 'require_second_factor', setting_value: 'on' };
    await site.service.from('site_settings').upsert(setting, { onConflict: 'setting_key' }).throwOnError();
    expect((await admin.client.rpc('list_people')).status).toBe(403);
    expect((await admin.client.rpc('delete_my_account')).error?.message).toContain('You are the only admin.');
    await site.service
      .from('site_settings')
      .update({ setting_value: 'off' })
      .match({ setting_key: setting.setting_key });
    expect((await admin.client.rpc('list_people')).error).toBeNull();
    expect(await isThere(admin)).toBe(true);
  });

  test('The last admin cannot, also when the last two do it at once', async () => {
    await query(`delete from public.user_roles where role = 'admin'`);
    const admins = [await person('admin', 'password'), await person('admin', 'password')];
    const answers = await Promise.all(admins.map(({ client }) => client.rpc('delete_my_account')));
    expect(answers.map(({ error }) => error?.message ?? 'deleted').sort()).toEqual([
      'You are the only admin. Make someone else an admin first.',
      'deleted',
    ]);
    const left = await Promise.all(admins.map(isThere));
    expect(left.filter(Boolean)).toHaveLength(1);
  });
});
