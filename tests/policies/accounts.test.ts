/** Roles of accounts. Tests the allowed ways to gain a role, and attempts to gain one without permission. */
import { exportSPKI, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailsTo, nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

/** Reads the role row with the service role, which bypasses all policies. */
async function readRole(id: string): Promise<{ role: string; approved: boolean } | null> {
  const { data } = await site.service.from('user_roles').select('role, approved').eq('user_id', id).maybeSingle();
  return data;
}

const register = (user: Awaited<ReturnType<TestBackend['signedIn']>>, role: string, id = user.id) =>
  user.client.rpc('register_with_role', { _user_id: id, _role: role });

const decide = (admin: Awaited<ReturnType<TestBackend['signedIn']>>, id: string, approved: boolean) =>
  admin.client.rpc('approve_team_member', { _user_id: id, _approved: approved });

const restore = (admin: Awaited<ReturnType<TestBackend['signedIn']>>, id: string) =>
  admin.client.rpc('restore_team_member', { _user_id: id });

/** Sends queued mails immediately. Mails about rejections are normally delayed so that an admin can undo them. */
async function sendQueuedMails() {
  await site.backend.database.query('update private.mail_queue set next_attempt_at = now() where attempts = 0');
  await site.backend.database.query(`select pg_notify('mail_queued', '')`);
}

describe('Registering', () => {
  test('A client gets access immediately, and a team member needs approval', async () => {
    const [client, team] = [await site.signedIn('stranger'), await site.signedIn('stranger')];
    expect((await register(client, 'client')).error).toBeNull();
    expect(await readRole(client.id)).toEqual({ role: 'client', approved: true });
    expect((await register(team, 'team')).error).toBeNull();
    expect(await readRole(team.id)).toEqual({ role: 'team', approved: false });
  });

  test.each(['admin', 'Admin', 'owner', ''])('Registering as "%s" is rejected', async (role) => {
    const user = await site.signedIn('stranger');
    const { error, status } = await register(user, role);
    expect(status).toBe(403);
    expect(error).toMatchObject({ code: '42501', message: 'You can register as a client or as a team member.' });
    expect(await readRole(user.id)).toBeNull();
  });

  test('A user cannot register another user', async () => {
    const [user, otherUser] = [await site.signedIn('stranger'), await site.signedIn('stranger')];
    expect((await register(user, 'client', otherUser.id)).error?.message).toBe('You can only register yourself.');
    expect(await readRole(otherUser.id)).toBeNull();
    expect((await register(otherUser, 'client')).error).toBeNull();
  });

  test('A visitor cannot register a user', async () => {
    const user = await site.signedIn('stranger');
    const { status } = await site.visitor.rpc('register_with_role', { _user_id: user.id, _role: 'client' });
    expect(status).toBe(401);
    expect(await readRole(user.id)).toBeNull();
  });

  test('A pending team member cannot register again as a client', async () => {
    const pending = await site.signedIn('pending');
    const response = await register(pending, 'client');
    expect(response.error).toMatchObject({ code: '23505', message: 'You have already registered.' });
    expect(response.status).toBe(409);
    expect(await readRole(pending.id)).toEqual({ role: 'team', approved: false });
  });
});

describe('Writing user_roles directly', () => {
  test.each(capitalizedRoles(['stranger', 'pending', 'client', 'team', 'admin']))(
    '%s cannot write a role',
    async (_label, role) => {
      const user = await site.signedIn(role);
      const before = await readRole(user.id);
      const roles = user.client.from('user_roles');
      const row = { user_id: user.id, role: 'admin', approved: true };
      const attempts = [
        await roles.insert(row),
        await roles.upsert(row),
        await roles.update({ role: 'admin', approved: true }).eq('user_id', user.id),
        await roles.delete().eq('user_id', user.id),
      ];
      expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
      expect(await readRole(user.id)).toEqual(before);
    },
  );

  test('The service role can write a role', async () => {
    const { id } = await site.signedIn('stranger');
    await site.service.from('user_roles').insert({ user_id: id, role: 'team', approved: true }).throwOnError();
    expect(await readRole(id)).toEqual({ role: 'team', approved: true });
  });

  test('A role that is only in the metadata of a token has no effect', async () => {
    const { id, email } = await site.signedIn('stranger');
    const claims = { role: 'authenticated', email, user_metadata: { role: 'admin' }, app_metadata: { role: 'admin' } };
    const token = await sign({ ...claims, session_id: await newSession(id) }, id);
    expect((await listVisibleDrafts(token)).length).toBe(0);
  });
});

test('Users can read their own role, and admins can read all roles', async () => {
  const [client, admin] = [await site.signedIn('client'), await site.signedIn('admin')];
  const ownRoles = await client.client.from('user_roles').select('user_id');
  expect(ownRoles.data).toEqual([{ user_id: client.id }]);
  const allRoles = await admin.client.from('user_roles').select('user_id');
  expect(allRoles.data?.map(({ user_id }) => user_id)).toEqual(expect.arrayContaining([client.id, admin.id]));
  expect((await site.visitor.from('user_roles').select('user_id')).status).toBe(401);
});

describe('Deciding on registrations', () => {
  test.each(capitalizedRoles(['stranger', 'pending', 'client', 'team']))(
    '%s cannot approve a registration',
    async (_label, role) => {
      const [user, pending] = [await site.signedIn(role), await site.signedIn('pending')];
      const target = role === 'pending' ? user.id : pending.id;
      expect((await decide(user, target, true)).error).toMatchObject({
        code: '42501',
        message: 'Only admins can approve or decline registrations.',
      });
      const emails = await user.client.rpc('user_emails', { _user_ids: [user.id, pending.id] });
      expect(emails.error).toMatchObject({ code: '42501', message: 'Only admins can look up addresses.' });
      expect(await readRole(target)).toEqual({ role: 'team', approved: false });
    },
  );

  test('A visitor cannot approve a registration', async () => {
    const { id } = await site.signedIn('pending');
    expect((await site.visitor.rpc('approve_team_member', { _user_id: id, _approved: true })).status).toBe(401);
    expect((await site.visitor.rpc('user_emails', { _user_ids: [id] })).status).toBe(401);
    expect(await readRole(id)).toEqual({ role: 'team', approved: false });
  });

  test('Approval by an admin grants access, records the decision and sends a mail', async () => {
    const [admin, pending] = [await site.signedIn('admin'), await site.signedIn('pending')];
    const list = await admin.client.from('user_roles').select('user_id').eq('role', 'team').eq('approved', false);
    expect(list.data).toContainEqual({ user_id: pending.id });
    const emails = await admin.client.rpc('user_emails', { _user_ids: [pending.id, crypto.randomUUID()] });
    expect(emails.data).toEqual([{ user_id: pending.id, email: pending.email }]);
    expect((await decide(admin, pending.id, true)).error).toBeNull();
    expect(await readRole(pending.id)).toEqual({ role: 'team', approved: true });
    const decisions = await admin.client.from('registration_decisions').select().eq('user_id', pending.id);
    expect(decisions.data).toMatchObject([{ email: pending.email, approved: true, decided_by: admin.id }]);
    expect((await nextMail(site.dataFolder, pending.email)).subject).toBe('Your registration is approved');
  });

  test('Rejection by an admin deletes the role, blocks further registrations, is shown to the user and sends a mail', async () => {
    const [admin, pending] = [await site.signedIn('admin'), await site.signedIn('pending')];
    expect((await pending.client.rpc('registration_declined')).data).toBe(false);
    expect((await decide(admin, pending.id, false)).error).toBeNull();
    expect(await readRole(pending.id)).toBeNull();
    expect((await pending.client.rpc('registration_declined')).data).toBe(true);
    await sendQueuedMails();
    expect((await nextMail(site.dataFolder, pending.email)).subject).toBe('About your registration');
    for (const role of ['team', 'client']) {
      expect((await register(pending, role)).error?.message).toBe('Your registration was declined.');
    }
    expect(await readRole(pending.id)).toBeNull();
  });

  test('The second of two concurrent decisions fails with an error message', async () => {
    const [first, second] = [await site.signedIn('admin'), await site.signedIn('admin')];
    const pending = await site.signedIn('pending');
    const responses = await Promise.all([decide(first, pending.id, true), decide(second, pending.id, false)]);
    const failures = responses.filter(({ error }) => error);
    expect(failures).toHaveLength(1);
    expect(failures[0]?.error?.message).toBe('Someone has already decided on this registration.');
    const { data } = await first.client.from('registration_decisions').select().eq('user_id', pending.id);
    expect(data).toHaveLength(1);
  });

  test('Only a pending team member can be approved', async () => {
    const [admin, client, stranger] = [
      await site.signedIn('admin'),
      await site.signedIn('client'),
      await site.signedIn('stranger'),
    ];
    for (const { id } of [client, stranger, admin]) {
      expect((await decide(admin, id, false)).error?.message).toBe('This person is not waiting for approval.');
    }
    expect(await readRole(client.id)).toEqual({ role: 'client', approved: true });
    expect(await readRole(admin.id)).toEqual({ role: 'admin', approved: true });
  });

  test('Only admins can read decisions, and no one can write them directly', async () => {
    const [admin, client] = [await site.signedIn('admin'), await site.signedIn('client')];
    expect((await client.client.from('registration_decisions').select()).data).toEqual([]);
    expect((await site.visitor.from('registration_decisions').select()).status).toBe(401);
    const forged = await admin.client.from('registration_decisions').insert({ approved: true });
    expect(forged.status).toBe(403);
    const deletion = await admin.client.from('registration_decisions').delete().eq('approved', true);
    expect(deletion.status).toBe(403);
  });
});

describe('Undoing a rejection', () => {
  test.each(capitalizedRoles(['stranger', 'pending', 'client', 'team']))(
    '%s cannot undo a rejection',
    async (_label, role) => {
      const [user, admin] = [await site.signedIn(role), await site.signedIn('admin')];
      const declinedUser = role === 'pending' ? user : await site.signedIn('pending');
      await decide(admin, declinedUser.id, false);
      expect((await restore(user, declinedUser.id)).error).toMatchObject({
        code: '42501',
        message: 'Only admins can approve or decline registrations.',
      });
      expect((await site.visitor.rpc('restore_team_member', { _user_id: declinedUser.id })).status).toBe(401);
      expect(await readRole(declinedUser.id)).toBeNull();
    },
  );

  test('An immediate undo cancels the mail and makes the user pending again', async () => {
    const [admin, otherAdmin] = [await site.signedIn('admin'), await site.signedIn('admin')];
    const pending = await site.signedIn('pending');
    const before = await site.service.from('user_roles').select().eq('user_id', pending.id).single();
    await decide(admin, pending.id, false);
    const restoreResult = await restore(otherAdmin, pending.id);
    expect(restoreResult).toMatchObject({ error: null, data: true });
    const after = await site.service.from('user_roles').select().eq('user_id', pending.id).single();
    expect(after.data).toMatchObject({ role: 'team', approved: false, created_at: before.data.created_at });
    expect((await pending.client.rpc('registration_declined')).data).toBe(false);
    const { data } = await admin.client.from('registration_decisions').select().eq('user_id', pending.id);
    expect(data).toMatchObject([{ approved: false, decided_by: admin.id, withdrawn_by: otherAdmin.id }]);

    // Only the final decision is mailed.
    expect((await decide(admin, pending.id, true)).error).toBeNull();
    await sendQueuedMails();
    expect((await nextMail(site.dataFolder, pending.email)).subject).toBe('Your registration is approved');
    expect(await mailsTo(site.dataFolder, pending.email)).toHaveLength(1);
    expect(await readRole(pending.id)).toEqual({ role: 'team', approved: true });
  });

  test('An undo after the mail was sent makes the user pending again, so they can be rejected again', async () => {
    const [admin, pending] = [await site.signedIn('admin'), await site.signedIn('pending')];
    await decide(admin, pending.id, false);
    await sendQueuedMails();
    await nextMail(site.dataFolder, pending.email);
    expect(await restore(admin, pending.id)).toMatchObject({ error: null, data: false });
    expect(await readRole(pending.id)).toEqual({ role: 'team', approved: false });
    expect((await decide(admin, pending.id, false)).error).toBeNull();
    expect((await pending.client.rpc('registration_declined')).data).toBe(true);
  });

  test('Only a declined user without a role can be restored, and only once', async () => {
    const [admin, client, pending] = [
      await site.signedIn('admin'),
      await site.signedIn('client'),
      await site.signedIn('pending'),
    ];
    for (const id of [client.id, pending.id, crypto.randomUUID()]) {
      expect((await restore(admin, id)).error?.message).toBe('This registration has not been declined.');
    }
    await decide(admin, pending.id, false);
    const responses = await Promise.all([restore(admin, pending.id), restore(admin, pending.id)]);
    expect(responses.map(({ error }) => error?.message ?? '').sort()).toEqual([
      '',
      'This registration has not been declined.',
    ]);

    await decide(admin, pending.id, false);
    await site.service
      .from('user_roles')
      .insert({ user_id: pending.id, role: 'client', approved: true })
      .throwOnError();
    expect((await restore(admin, pending.id)).error?.message).toBe('This person already has a role.');
    expect(await readRole(pending.id)).toEqual({ role: 'client', approved: true });
  });
});

describe('Revoked access ends immediately', () => {
  test('A deleted role grants no access to the next request', async () => {
    const admin = await site.signedIn('admin');
    await site.service
      .from('posts')
      .insert({ title: 'Draft', slug: crypto.randomUUID(), status: 'draft' })
      .throwOnError();
    expect((await listVisibleDrafts(admin.token)).length).toBeGreaterThan(0);
    await site.service.from('user_roles').delete().eq('user_id', admin.id).throwOnError();
    expect((await listVisibleDrafts(admin.token)).length).toBe(0);
    expect((await admin.client.from('posts').insert({ title: 'x', slug: 'x' })).status).toBe(403);
  });

  test('After sign-out, an unexpired access token grants no access', async () => {
    const admin = await site.signedIn('admin');
    expect((await listVisibleDrafts(admin.token)).length).toBeGreaterThan(0);
    await fetch(`${site.url}/auth/v1/logout`, { method: 'POST', headers: { authorization: `Bearer ${admin.token}` } });
    expect((await listVisibleDrafts(admin.token)).length).toBe(0);
    expect((await admin.client.from('user_roles').select()).data).toEqual([]);
    expect((await admin.client.rpc('my_sessions')).data).toEqual([]);
    expect((await register(admin, 'client')).error?.message).toBe('You can only register yourself.');
  });

  test('After the account is deleted, an unexpired access token grants no access', async () => {
    const admin = await site.signedIn('admin');
    await site.service.auth.admin.deleteUser(admin.id);
    expect((await listVisibleDrafts(admin.token)).length).toBe(0);
    expect((await decide(admin, crypto.randomUUID(), true)).error?.code).toBe('42501');
  });
});

describe('Sessions', () => {
  test('Users can list and end only their own sessions', async () => {
    const [user, otherUser] = [await site.signedIn('client'), await site.signedIn('client')];
    const secondSession = await newSession(user.id);
    const response = await user.client.rpc('my_sessions');
    expect(response.data).toHaveLength(2);
    expect(response.data?.filter(({ is_current }: { is_current: boolean }) => is_current)).toHaveLength(1);
    const otherResponse = await otherUser.client.rpc('end_my_session', { _session_id: secondSession });
    expect(otherResponse.error?.message).toBe('This session has already ended.');
    expect((await user.client.rpc('end_my_session', { _session_id: secondSession })).error).toBeNull();
    expect((await user.client.rpc('my_sessions')).data).toHaveLength(1);
  });

  test('The API does not expose the tables with accounts, tokens, keys and mails', async () => {
    const admin = await site.signedIn('admin');
    for (const schema of ['auth', 'private', 'backend']) {
      const { error } = await admin.client.schema(schema).from('users').select();
      expect(error?.code).toBe('PGRST106');
    }
    const { rows } = await site.backend.database.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       cross join unnest(array['anon', 'authenticated']) as role(name)
       where n.nspname in ('auth', 'private', 'backend') and c.relkind in ('r', 'v', 'm', 'p')
         -- A security_invoker view shows only rows that its caller can also read in the tables.
         and not (c.relkind = 'v' and c.reloptions @> array['security_invoker=true'])
         and has_any_column_privilege(role.name, c.oid, 'select, insert, update')`,
    );
    expect(rows).toEqual([]);
  });
});

describe('Forged tokens', () => {
  test.each<[string, (id: string, session: string) => Promise<string>, string]>([
    [
      'signed with another key',
      async (id, session) => sign({ session_id: session }, id, await createUnknownKey()),
      'PGRST301',
    ],
    ['after its expiry', async (id, session) => sign({ session_id: session, exp: 1 }, id), 'PGRST303'],
    [
      'without a signature',
      async (id, session) => createUnsignedToken({ sub: id, role: 'authenticated', session_id: session }),
      'PGRST301',
    ],
    [
      'signed with the public key as a shared secret',
      async (id, session) => signWithPublicKey(id, session),
      'PGRST301',
    ],
    [
      'with another role in its claims',
      async (id, session) => sign({ role: 'postgres', session_id: session }, id),
      'PGRST301',
    ],
  ])('A token %s is rejected', async (_title, forge, code) => {
    const admin = await site.signedIn('admin');
    const token = await forge(admin.id, await newSession(admin.id));
    const tables = await fetch(`${site.url}/rest/v1/posts`, { headers: { authorization: `Bearer ${token}` } });
    expect(tables.status).toBe(401);
    expect(await tables.json()).toMatchObject({ code });
    const account = await fetch(`${site.url}/auth/v1/user`, { headers: { authorization: `Bearer ${token}` } });
    expect(account.status).toBe(403);
    expect(account.headers.get('x-sb-error-code')).toBe('bad_jwt');

    const genuine = await sign({ session_id: await newSession(admin.id) }, admin.id);
    expect((await listVisibleDrafts(genuine)).length).toBeGreaterThan(0);
  });

  test("A signed token without a session or with another user's session grants no access", async () => {
    const [admin, client] = [await site.signedIn('admin'), await site.signedIn('client')];
    const token = await sign({ session_id: await newSession(client.id) }, admin.id);
    expect((await listVisibleDrafts(token)).length).toBe(0);
    const withoutSession = await sign({}, admin.id);
    expect((await listVisibleDrafts(withoutSession)).length).toBe(0);
  });
});

async function listVisibleDrafts(token: string): Promise<unknown[]> {
  const response = await fetch(`${site.url}/rest/v1/posts?status=eq.draft`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as unknown[];
}

async function newSession(userId: string): Promise<string> {
  const id = crypto.randomUUID();
  await site.backend.database.query(
    `insert into auth.sessions (id, user_id, created_at, updated_at, aal) values ($1, $2, now(), now(), 'aal1')`,
    [id, userId],
  );
  return id;
}

async function createUnknownKey(): Promise<CryptoKey> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  return pair.privateKey;
}

async function sign(claims: JWTPayload, sub: string, key = site.backend.keys.current.privateKey): Promise<string> {
  const inAnHour = Math.floor(Date.now() / 1000) + 3600;
  return new SignJWT({ role: 'authenticated', exp: inAnHour, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: site.backend.keys.current.kid })
    .setSubject(sub)
    .sign(key);
}

function createUnsignedToken(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
}

async function signWithPublicKey(sub: string, session: string): Promise<string> {
  const { kid } = site.backend.keys.current;
  const publicKey = site.backend.keys.verifying.get(kid);
  if (!publicKey) throw new Error('The current key is missing from the verification keys');
  return new SignJWT({ role: 'authenticated', session_id: session })
    .setProtectedHeader({ alg: 'HS256', kid })
    .setSubject(sub)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(await exportSPKI(publicKey)));
}

describe('The tables with mailed tokens, known networks and keys', () => {
  const TABLES = ['mailed_tokens', 'known_networks', 'secrets', 'signing_keys'];

  test.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team', 'admin', 'service']))(
    '%s cannot access these tables through the API',
    async (_label, role) => {
      const client = role === 'visitor' || role === 'service' ? site[role] : (await site.signedIn(role)).client;
      for (const table of TABLES) {
        expect((await client.from(table).select()).error?.code).toBe('PGRST205');
        expect((await client.schema('backend').from(table).select()).error?.code).toBe('PGRST106');
      }
    },
  );

  test.each(['anon', 'authenticated', 'service_role'])(
    'The database role %s cannot read these tables, but the owner can',
    async (role) => {
      for (const table of TABLES) {
        const read = site.backend.database.transaction(async (tx) => {
          await tx.query(`set local role ${role}`);
          await tx.query(`select from backend.${table}`);
        });
        await expect(read).rejects.toMatchObject({ code: '42501' });
        await site.backend.database.query(`select from backend.${table}`);
      }
    },
  );
});
