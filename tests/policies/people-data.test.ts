/** Export and deletion of personal data by the user or an admin. */
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

/** Stores the sign-in method in the session of a user, as sign-in does. */
async function storeSignInMethod({ token }: SignedIn, method: string, minutesAgo = 0): Promise<void> {
  await query(
    `insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
     select gen_random_uuid(), $1, $2, moment, moment from (select now() - $3 * interval '1 minute') as at (moment)`,
    [String(decodeJwt(token)['session_id']), method, minutesAgo],
  );
}

async function newUser(role: Person, method: string, minutesAgo = 0): Promise<SignedIn> {
  const user = await site.signedIn(role);
  await storeSignInMethod(user, method, minutesAgo);
  return user;
}

async function accountExists({ id }: Pick<SignedIn, 'id'>): Promise<boolean> {
  return (await query('select from auth.users where id = $1', [id])).length === 1;
}

async function newChat(...contents: string[]): Promise<string> {
  const { data } = await site.service.from('conversations').insert({}).select('id').single().throwOnError();
  for (const content of contents) {
    await site.service.from('chat_messages').insert({ conversation_id: data.id, role: 'user', content }).throwOnError();
  }
  return data.id;
}

async function findRemainingChats(...ids: string[]): Promise<string[]> {
  const { data } = await site.service.from('conversations').select('id').in('id', ids).throwOnError();
  return data.map(({ id }) => id);
}

const readChatIds = (data: { chats: { id: string }[] | null }) => data.chats?.map(({ id }) => id) ?? null;

/** Lists the tables with rows that contain a text. */
async function findTablesContaining(text: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'private', 'auth', 'storage', 'backend')`,
  );
  const tableNames: string[] = [];
  for (const { name } of tables) {
    const rows = await query(`select from ${name} as one where position($1 in to_jsonb(one)::text) > 0 limit 1`, [
      text,
    ]);
    if (rows.length > 0) tableNames.push(name);
  }
  return tableNames;
}

describe('Deleting a user', () => {
  test('leaves only their ID in the log', async () => {
    const [admin, team] = [await site.signedIn('admin'), await site.signedIn('pending')];
    await admin.client.rpc('approve_team_member', { _user_id: team.id, _approved: true }).throwOnError();
    const chat = await newChat('Hello', `Write to me: ${team.email.toUpperCase()}.`);
    const { error } = await site.service.auth.admin.updateUserById(team.id, { user_metadata: { name: 'Kari' } });
    expect(error).toBeNull();
    await query(`insert into auth.audit_log_entries (id, payload, created_at) values (gen_random_uuid(), $1, now())`, [
      { action: 'login', actor_id: team.id, actor_username: team.email },
    ]);
    await query(
      `insert into storage.objects (bucket_id, name, owner, owner_id) values ('content-media', $1, $2::uuid, $2::uuid::text)`,
      [`${team.id.slice(0, 8)}.png`, team.id],
    );
    expect((await findTablesContaining(team.email)).length).toBeGreaterThan(2);
    expect((await admin.client.rpc('count_chats_mentioning', { _user_id: team.id })).data).toBe(1);

    await admin.client.rpc('delete_person', { _user_id: team.id }).throwOnError();
    expect(await findTablesContaining(team.email)).toEqual([]);
    expect(await findTablesContaining(team.id)).toEqual(['public.people_log']);
    expect(await findRemainingChats(chat)).toEqual([]);
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
    ['Ask x ADDRESS', true],
    ['<ADDRESS>', true],
    ['mail ADDRESS, please', true],
    ['It is...ADDRESS.', true],
    ['notADDRESS', false],
    ['not.ADDRESS', false],
    ['no-ADDRESS', false],
    ['ADDRESS.no', false],
    ['ADDRESSx', false],
    ['ADDRESS-x.no', false],
  ])('deletes a chat with the text %j: %s', async (text, isDeleted) => {
    const [admin, client] = [await site.signedIn('admin'), await site.signedIn('client')];
    const chat = await newChat(text.replace('ADDRESS', client.email));
    await admin.client.rpc('delete_person', { _user_id: client.id }).throwOnError();
    expect(await findRemainingChats(chat)).toEqual(isDeleted ? [] : [chat]);
  });

  test('deletes only chats with exactly their address, even if the address contains pattern characters', async () => {
    const [admin, client] = [await site.signedIn('admin'), await site.signedIn('client')];
    const marker = client.id.slice(0, 8);
    await query('update auth.users set email = $2 where id = $1', [client.id, `a+b.*'c|${marker}@example.com`]);
    const ownChat = await newChat(`I am a+b.*'c|${marker}@example.com`);
    const otherChat = await newChat(`I am aab.cc|${marker}@example.com, or ${marker}@example.com`);
    await admin.client.rpc('delete_person', { _user_id: client.id }).throwOnError();
    expect(await findRemainingChats(ownChat, otherChat)).toEqual([otherChat]);
  });

  test('deletes no chats if they have no address', async () => {
    const [admin, client] = [await site.signedIn('admin'), await site.signedIn('client')];
    await query('update auth.users set email = null, phone = $2 where id = $1', [client.id, '4712345678']);
    const chat = await newChat('Hello');
    await admin.client.rpc('delete_person', { _user_id: client.id }).throwOnError();
    expect(await findRemainingChats(chat)).toEqual([chat]);
  });
});

describe("A user's data", () => {
  test('can be exported by an admin, which is logged', async () => {
    const [admin, client] = [await site.signedIn('admin'), await site.signedIn('client')];
    const chat = await newChat(`I am ${client.email}`);
    const { data } = await admin.client.rpc('export_person', { _user_id: client.id }).throwOnError();
    expect(data).toMatchObject({
      account: { email: client.email, status: 'client' },
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

  test('can be exported by the user, but not by a visitor or after sign-out', async () => {
    const client = await newUser('client', 'password');
    const { data } = await client.client.rpc('my_data').throwOnError();
    expect(data).toMatchObject({ account: { id: client.id, email: client.email, sessions: [{}] } });
    expect(JSON.stringify(data)).not.toContain('encrypted_password');
    expect((await site.visitor.rpc('my_data')).status).toBe(401);
    await query('delete from auth.sessions where user_id = $1', [client.id]);
    expect((await client.client.rpc('my_data')).error?.message).toBe('Please sign in first.');
  });

  test('contains their passkeys and authorized applications', async () => {
    const client = await newUser('client', 'password');
    await query(
      `insert into auth.webauthn_credentials (user_id, credential_id, public_key, friendly_name)
       values ($1, '\\x01', '\\x02', 'My key')`,
      [client.id],
    );
    const application = { client_name: 'Calendar', redirect_uris: ['https://calendar.example.com/back'] };
    const oauthClient = await site.service.auth.admin.oauth.createClient(application);
    await query(
      `insert into auth.oauth_consents (id, user_id, client_id, scopes) values (gen_random_uuid(), $1, $2, 'email')`,
      [client.id, oauthClient.data?.client_id ?? ''],
    );
    const { data } = await client.client.rpc('my_data').throwOnError();
    expect(data).toMatchObject({
      passkeys: [{ name: 'My key' }],
      applications: [{ name: 'Calendar', scopes: 'email' }],
    });
    expect(Object.keys(data.passkeys[0]).sort()).toEqual(['created_at', 'last_used_at', 'name']);
  });

  test('contains actions of admins without their names', async () => {
    const [admin, team] = [await site.signedIn('admin'), await newUser('pending', 'password')];
    await admin.client.rpc('approve_team_member', { _user_id: team.id, _approved: true }).throwOnError();
    const { data } = await team.client.rpc('my_data').throwOnError();
    expect(data).toMatchObject({ account_log: [{ action: 'approved' }], decisions: [{ approved: true }] });
    expect(JSON.stringify(data)).not.toContain(admin.id);
  });

  test.each([
    ['magiclink', true],
    ['recovery', true],
    ['email/signup', true],
    ['otp', true],
    ['password', false],
    ['oauth', false],
  ])('contains chats with their address in a session that began with %s: %s', async (method, isIncluded) => {
    const client = await newUser('client', method);
    const chat = await newChat(`I am ${client.email}`);
    const { data } = await client.client.rpc('my_data').throwOnError();
    expect(readChatIds(data)).toEqual(isIncluded ? [chat] : null);
  });

  test('contains no chats after a sign-in by phone or by a mail to a former address', async () => {
    const [phoneUser, changedUser] = [await newUser('client', 'otp'), await newUser('client', 'magiclink', 1)];
    await query(`update auth.users set phone = $2 where id = $1`, [phoneUser.id, `47${phoneUser.id.slice(0, 6)}`]);
    await query(
      `insert into auth.identities (provider_id, user_id, identity_data, provider, updated_at)
       values ($1, $2, '{}', 'email', now())`,
      [changedUser.id, changedUser.id],
    );
    for (const { client } of [phoneUser, changedUser]) {
      expect(readChatIds((await client.rpc('my_data').throwOnError()).data)).toBeNull();
    }
  });
});

describe('Deleting your own account', () => {
  test('deletes all data, including chats if the session began with a mailed link or code', async () => {
    const client = await newUser('client', 'magiclink');
    const chat = await newChat(`I am ${client.email}`);
    await client.client.rpc('delete_my_account').throwOnError();
    expect(await accountExists(client)).toBe(false);
    expect(await findRemainingChats(chat)).toEqual([]);
    expect(await findTablesContaining(client.id)).toEqual(['public.people_log']);
    expect((await client.client.rpc('my_data')).error?.message).toBe('Please sign in first.');
  });

  test('keeps chats with the address if it is not verified', async () => {
    const client = await newUser('client', 'password');
    const chat = await newChat(`I am ${client.email}`);
    await client.client.rpc('delete_my_account').throwOnError();
    expect(await accountExists(client)).toBe(false);
    expect(await findRemainingChats(chat)).toEqual([chat]);
  });

  test.each([
    ['that began an hour ago', 'password', 60],
    ['that was refreshed just now', 'token_refresh', 0],
  ])('is rejected in a session %s', async (_title, method, minutesAgo) => {
    const client = await newUser('client', method, minutesAgo);
    expect((await client.client.rpc('delete_my_account')).error?.message).toBe(
      'Please confirm your identity: sign in again, then delete the account within five minutes.',
    );
    expect(await accountExists(client)).toBe(true);
  });

  test('is rejected for a user with a second factor until they verify the factor, even with an older token', async () => {
    const [aal1User, aal2User] = [await site.signedIn('client'), await site.signedIn('client', 'aal2')];
    for (const client of [aal1User, aal2User]) {
      await storeSignInMethod(client, 'password');
      await query(
        `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
         values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
        [client.id],
      );
    }
    const refusal = 'Please confirm your identity: sign in again, then delete the account within five minutes.';
    expect((await aal1User.client.rpc('delete_my_account')).error?.message).toBe(refusal);
    await query(`update auth.sessions set aal = 'aal2' where user_id = $1`, [aal1User.id]);
    expect((await aal1User.client.rpc('delete_my_account')).error?.message).toBe(refusal);
    expect(await accountExists(aal1User)).toBe(true);
    expect((await aal2User.client.rpc('delete_my_account')).error).toBeNull();
    expect(await accountExists(aal2User)).toBe(false);
  });

  test('is rejected for visitors and in sessions that have ended', async () => {
    const client = await newUser('client', 'password');
    await query('delete from auth.sessions where user_id = $1', [client.id]);
    expect((await site.visitor.rpc('delete_my_account')).status).toBe(401);
    expect((await client.client.rpc('delete_my_account')).error?.message).toBe('Please sign in first.');
    expect(await accountExists(client)).toBe(true);
  });

  test('is rejected for the last admin, even while a required second factor blocks their admin rights', async () => {
    await query(`delete from public.user_roles where role = 'admin'`);
    const admin = await newUser('admin', 'password');
    const setting = { setting_key: 'require_second_factor', setting_value: 'on' };
    await site.service.from('site_settings').upsert(setting, { onConflict: 'setting_key' }).throwOnError();
    expect((await admin.client.rpc('list_people')).status).toBe(403);
    expect((await admin.client.rpc('delete_my_account')).error?.message).toContain('You are the only admin.');
    await site.service
      .from('site_settings')
      .update({ setting_value: 'off' })
      .match({ setting_key: setting.setting_key });
    expect((await admin.client.rpc('list_people')).error).toBeNull();
    expect(await accountExists(admin)).toBe(true);
  });

  test('is rejected for one of the last two admins if both delete their accounts concurrently', async () => {
    await query(`delete from public.user_roles where role = 'admin'`);
    const admins = [await newUser('admin', 'password'), await newUser('admin', 'password')];
    const responses = await Promise.all(admins.map(({ client }) => client.rpc('delete_my_account')));
    expect(responses.map(({ error }) => error?.message ?? 'deleted').sort()).toEqual([
      'You are the only admin. Make someone else an admin first.',
      'deleted',
    ]);
    const remaining = await Promise.all(admins.map(accountExists));
    expect(remaining.filter(Boolean)).toHaveLength(1);
  });
});
