/** Actions of admins on other accounts. Tests who can call them, their effects and their log entries. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { capitalizedRoles, labelledRoles } from '../support/role-labels.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

type SignedIn = Awaited<ReturnType<TestBackend['signedIn']>>;

const NON_ADMINS = ['stranger', 'pending', 'client', 'team'] as const satisfies Person[];

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

const query = <Row extends object>(sql: string, values: string[] = []) =>
  site.backend.database.query<Row>(sql, values).then(({ rows }) => rows);

async function readRole(id: string): Promise<{ role: string; approved: boolean } | null> {
  const { data } = await site.service.from('user_roles').select('role, approved').eq('user_id', id).maybeSingle();
  return data;
}

async function accountExists(id: string): Promise<boolean> {
  return (await query('select from auth.users where id = $1', [id])).length === 1;
}

/** Reads the log entries about an account, latest first. */
async function readLog(user: Pick<SignedIn, 'id'>) {
  const { data } = await site.service
    .from('people_log')
    .select('action, actor_id, role')
    .eq('person_id', user.id)
    .order('at', { ascending: false })
    .throwOnError();
  return data;
}

const newEmail = () => `guest-${crypto.randomUUID().slice(0, 8)}@example.com`;

/** Every call of the people screen, with a target account. */
const CALLS: [name: string, parametersFor: (target: SignedIn) => Record<string, unknown>][] = [
  ['list_people', () => ({})],
  ['read_person', ({ id }) => ({ _user_id: id })],
  ['count_chats_mentioning', ({ id }) => ({ _user_id: id })],
  ['make_client', ({ id }) => ({ _user_id: id })],
  ['make_admin', ({ id }) => ({ _user_id: id })],
  ['revoke_access', ({ id }) => ({ _user_id: id })],
  ['end_person_sessions', ({ id }) => ({ _user_id: id })],
  ['reset_person_factors', ({ id }) => ({ _user_id: id })],
  ['export_person', ({ id }) => ({ _user_id: id })],
  ['delete_person', ({ id }) => ({ _user_id: id })],
  ['invite_person', () => ({ _email: newEmail(), _role: 'team' })],
];

describe.each(CALLS)('%s', (name, parametersFor) => {
  test.each(labelledRoles(NON_ADMINS))('is rejected for %s and changes nothing', async (_label, role) => {
    const [user, target] = [await site.signedIn(role), await site.signedIn('team')];
    const before = await query('select count(*) from public.people_log');
    for (const account of [target, user]) {
      const { error, status } = await user.client.rpc(name, parametersFor(account));
      expect(status).toBe(403);
      expect(error).toMatchObject({ code: '42501', message: 'Only admins can do this' });
    }
    expect(await query('select count(*) from public.people_log')).toEqual(before);
    expect(await readRole(target.id)).toEqual({ role: 'team', approved: true });
    expect((await target.client.rpc('my_sessions')).data).toHaveLength(1);
  });

  test('is rejected for a visitor and for the service role', async () => {
    const target = await site.signedIn('team');
    expect((await site.visitor.rpc(name, parametersFor(target))).status).toBe(401);
    expect((await site.service.rpc(name, parametersFor(target))).error?.code).toBe('42501');
    expect(await readRole(target.id)).toEqual({ role: 'team', approved: true });
  });
});

describe('The log', () => {
  test('can be read only by admins and cannot be written directly', async () => {
    const [admin, user] = [await site.signedIn('admin'), await site.signedIn('team')];
    await admin.client.rpc('make_client', { _user_id: user.id }).throwOnError();
    const record = admin.client.from('people_log');
    expect((await record.select()).data?.length).toBeGreaterThan(0);
    for (const role of NON_ADMINS) {
      const { client } = await site.signedIn(role);
      expect((await client.from('people_log').select()).data).toEqual([]);
    }
    expect((await site.visitor.from('people_log').select()).status).toBe(401);
    expect((await record.insert({ action: 'deleted' })).status).toBe(403);
    expect((await record.update({ role: 'team' }).neq('role', '')).status).toBe(403);
    expect((await record.delete().neq('role', '')).status).toBe(403);
    expect(await readLog(user)).toHaveLength(1);
  });

  test('cannot be changed even by the service role', async () => {
    expect((await site.service.from('people_log').delete().neq('action', '')).error?.code).toBe('42501');
    expect((await site.service.from('people_log').select()).error).toBeNull();
  });

  test('cannot be bypassed by calling the private functions', async () => {
    const { client } = await site.signedIn('admin');
    expect((await client.schema('private').rpc('delete_personal_data', {})).error?.code).toBe('PGRST106');
    const { id } = await site.signedIn('client');
    const call = site.backend.database.transaction(async (tx) => {
      await tx.query('set local role authenticated');
      await tx.query('select private.delete_personal_data($1, true)', [id]);
    });
    await expect(call).rejects.toMatchObject({ code: '42501' });
    expect(await accountExists(id)).toBe(true);
  });
});

describe('The list', () => {
  test('finds people by address and name, ignoring case, and shows their status', async () => {
    const admin = await site.signedIn('admin');
    const user = await site.signedIn('client');
    await query(`update auth.users set raw_user_meta_data = '{"name": "Åse Hansen"}' where id = $1`, [user.id]);
    for (const search of [user.email.toUpperCase(), 'se HANS']) {
      const { data } = await admin.client.rpc('list_people', { _search: search }).throwOnError();
      expect(data).toMatchObject([
        {
          id: user.id,
          email: user.email,
          name: 'Åse Hansen',
          status: 'client',
          sessions: 1,
          factors: 0,
          total: 1,
        },
      ]);
    }
  });

  test('can be filtered by status', async () => {
    const admin = await site.signedIn('admin');
    const declinedUser = await site.signedIn('pending');
    await admin.client.rpc('approve_team_member', { _user_id: declinedUser.id, _approved: false }).throwOnError();
    const people = {
      pending: await site.signedIn('pending'),
      none: await site.signedIn('stranger'),
      declined: declinedUser,
      admin,
    };
    for (const [status, { id }] of Object.entries(people)) {
      const { data } = await admin.client.rpc('list_people', { _status: status, _limit: 200 }).throwOnError();
      const rows = data as { id: string; status: string }[];
      expect(rows.map((row) => row.id)).toContain(id);
      expect(new Set(rows.map((row) => row.status))).toEqual(new Set([status]));
    }
  });

  test('returns all people across its pages', async () => {
    const admin = await site.signedIn('admin');
    const marker = crypto.randomUUID().slice(0, 8);
    for (let index = 0; index < 5; index += 1) {
      await query(`insert into auth.users (id, email, created_at) values (gen_random_uuid(), $1, now())`, [
        `${index}-${marker}@example.com`,
      ]);
    }
    const emails = new Set<string>();
    for (const _offset of [0, 2, 4]) {
      const { data } = await admin.client.rpc('list_people', { _search: marker, _limit: 2, _offset }).throwOnError();
      for (const { email, total } of data as { email: string; total: number }[]) {
        emails.add(email);
        expect(total).toBe(5);
      }
    }
    expect(emails.size).toBe(5);
    const listPeople = async (_limit: number, _offset: number): Promise<string[]> =>
      (await admin.client.rpc('list_people', { _limit, _offset }).throwOnError()).data.map(
        ({ id }: { id: string }) => id,
      );
    const allIds = await listPeople(200, 0);
    const pages: string[] = [];
    for (let offset = 0; offset <= allIds.length; offset += 2) pages.push(...(await listPeople(2, offset)));
    expect(pages).toEqual(allIds);
  });

  test.each(["'; drop table public.people_log; --", '%', '_', "') or true --", '\\', '" or ""="'])(
    'treats %j as plain search text',
    async (search) => {
      const admin = await site.signedIn('admin');
      const { data, error } = await admin.client.rpc('list_people', { _search: search });
      expect(error).toBeNull();
      expect((data as { email: string }[]).every(({ email }) => email.includes(search))).toBe(true);
      expect((await admin.client.rpc('list_people', { _status: search })).data).toEqual([]);
      expect((await admin.client.rpc('list_people', { _search: admin.email })).data).toHaveLength(1);
    },
  );
});

test('An admin can read the details of an account without its secrets', async () => {
  const [admin, user] = [await site.signedIn('admin'), await site.signedIn('client')];
  await addFactor(user.id);
  await query(`update auth.users set encrypted_password = 'hash-of-it' where id = $1`, [user.id]);
  const { data } = await admin.client.rpc('read_person', { _user_id: user.id }).throwOnError();
  expect(data).toMatchObject({
    email: user.email,
    status: 'client',
    sessions: [{ user_agent: '', ip_address: '' }],
    factors: [{ name: 'Phone', type: 'totp', status: 'verified' }],
  });
  expect(JSON.stringify(data)).not.toMatch(/JBSWY3DP|hash-of-it/);
  expect((await admin.client.rpc('read_person', { _user_id: crypto.randomUUID() })).data).toBeNull();
});

async function addFactor(userId: string): Promise<void> {
  await query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
     values (gen_random_uuid(), $1, 'Phone', 'totp', 'verified', now(), now(), 'JBSWY3DP')`,
    [userId],
  );
}

describe('Changing the access of a user', () => {
  test('An admin can make any user a client, with effect from the next request', async () => {
    const admin = await site.signedIn('admin');
    for (const role of ['stranger', 'pending', 'team', 'admin'] as const) {
      const user = await site.signedIn(role);
      await admin.client.rpc('make_client', { _user_id: user.id }).throwOnError();
      expect(await readRole(user.id)).toEqual({ role: 'client', approved: true });
      expect(await readLog(user)).toMatchObject([{ action: 'made_client', actor_id: admin.id, role: 'client' }]);
      expect((await user.client.rpc('list_people')).status).toBe(403);
    }
  });

  test.each(labelledRoles(['client', 'team']))(
    'Making %s an admin is logged and mailed to both admins',
    async (_label, role) => {
      const [admin, user] = [await site.signedIn('admin'), await site.signedIn(role)];
      await admin.client.rpc('make_admin', { _user_id: user.id }).throwOnError();
      expect(await readRole(user.id)).toEqual({ role: 'admin', approved: true });
      expect(await readLog(user)).toMatchObject([{ action: 'made_admin', actor_id: admin.id, role: 'admin' }]);
      expect((await user.client.rpc('list_people')).status).toBe(200);
      for (const { email } of [user, admin]) {
        const mail = await nextMail(site.dataFolder, email);
        expect(mail.subject).toBe(`${user.email} is now an admin`);
        expect(mail.text).toContain(`${admin.email} made ${user.email} an admin.`);
        expect(mail.text).toContain(`/admin/people/${user.id}`);
      }
      expect((await admin.client.rpc('make_admin', { _user_id: user.id })).error?.message).toBe(
        'This person is already an admin.',
      );
      // Another admin can revoke the role and all its rights.
      await admin.client.rpc('make_client', { _user_id: user.id }).throwOnError();
      expect((await user.client.rpc('make_admin', { _user_id: admin.id })).status).toBe(403);
    },
  );

  test('A client who becomes an admin is removed from their clients', async () => {
    const [admin, user] = [await site.signedIn('admin'), await site.signedIn('client')];
    const { data: nes } = await admin.client
      .from('clients')
      .insert({ name: 'Nes AS' })
      .select('id')
      .single()
      .throwOnError();
    await site.service.from('client_members').insert({ client_id: nes.id, user_id: user.id }).throwOnError();
    await admin.client.rpc('make_admin', { _user_id: user.id }).throwOnError();
    expect((await site.service.from('client_members').select().eq('user_id', user.id)).data).toEqual([]);
  });

  test.each(capitalizedRoles(['stranger', 'pending']))('%s cannot be made an admin', async (_label, role) => {
    const [admin, user] = [await site.signedIn('admin'), await site.signedIn(role)];
    const { error } = await admin.client.rpc('make_admin', { _user_id: user.id });
    expect(error?.message).toBe('Only clients and approved team members can become admins.');
  });

  test('A user with an unverified address cannot be made an admin', async () => {
    const [admin, user] = [await site.signedIn('admin'), await site.signedIn('client')];
    await query('delete from private.verified_addresses where user_id = $1', [user.id]);
    const { error } = await admin.client.rpc('make_admin', { _user_id: user.id });
    expect(error?.message).toContain('has not confirmed their email address');
    expect(await readRole(user.id)).toEqual({ role: 'client', approved: true });
  });

  test('Making a declined user a client removes the rejection', async () => {
    const [admin, user] = [await site.signedIn('admin'), await site.signedIn('pending')];
    await admin.client.rpc('approve_team_member', { _user_id: user.id, _approved: false }).throwOnError();
    await admin.client.rpc('make_client', { _user_id: user.id }).throwOnError();
    expect(await query(`select from private.mail_queue where recipient = $1`, [user.email])).toEqual([]);
    expect((await admin.client.rpc('make_client', { _user_id: user.id })).error?.message).toBe(
      'This person is already a client.',
    );
    const response = await admin.client.rpc('restore_team_member', { _user_id: user.id });
    expect(response.error?.message).toBe('This registration has not been declined.');
  });

  test.each([
    ['A client user', 'client', { role: 'client', approved: true }],
    ['A team member', 'team', { role: 'team', approved: false }],
  ] as const)('%s with revoked access cannot register again, but can be restored', async (_label, role, expected) => {
    const [admin, user] = [await site.signedIn('admin'), await site.signedIn(role)];
    await admin.client.rpc('revoke_access', { _user_id: user.id }).throwOnError();
    expect(await readRole(user.id)).toBeNull();
    const response = await user.client.rpc('register_with_role', { _user_id: user.id, _role: 'client' });
    expect(response.error?.message).toBe('Your registration was declined.');
    expect((await user.client.rpc('registration_declined')).data).toBe(true);
    await admin.client.rpc('restore_team_member', { _user_id: user.id }).throwOnError();
    expect(await readRole(user.id)).toEqual(expected);
    expect((await readLog(user)).map(({ action }) => action)).toEqual(['restored', 'revoked']);
  });

  test.each(labelledRoles(['stranger', 'pending', 'admin']))(
    'The access of %s cannot be revoked',
    async (_label, role) => {
      const [admin, user] = [await site.signedIn('admin'), await site.signedIn(role)];
      const before = await readRole(user.id);
      const { error } = await admin.client.rpc('revoke_access', { _user_id: user.id });
      expect(error?.message).toBe('You can only revoke the access of clients and approved team members.');
      expect(await readRole(user.id)).toEqual(before);
    },
  );

  test('Decisions about registrations are logged', async () => {
    const [admin, user] = [await site.signedIn('admin'), await site.signedIn('pending')];
    await admin.client.rpc('approve_team_member', { _user_id: user.id, _approved: true }).throwOnError();
    expect(await readLog(user)).toMatchObject([{ action: 'approved', actor_id: admin.id }]);
  });

  test('Ending sessions takes effect immediately, even for unexpired tokens', async () => {
    const [admin, user] = [await site.signedIn('admin'), await site.signedIn('client')];
    expect((await user.client.from('user_roles').select()).data).toHaveLength(1);
    await admin.client.rpc('end_person_sessions', { _user_id: user.id }).throwOnError();
    expect((await user.client.from('user_roles').select()).data).toEqual([]);
    expect(await readLog(user)).toMatchObject([{ action: 'ended_sessions', actor_id: admin.id }]);
    expect((await admin.client.rpc('my_sessions')).data).toHaveLength(1);
  });

  test('Resetting second factors deletes them and ends the sessions', async () => {
    const [admin, user, peer] = [
      await site.signedIn('admin'),
      await site.signedIn('client'),
      await site.signedIn('client'),
    ];
    await addFactor(user.id);
    await addFactor(peer.id);
    await admin.client.rpc('reset_person_factors', { _user_id: user.id }).throwOnError();
    const remaining = await query('select user_id from auth.mfa_factors where user_id in ($1, $2)', [user.id, peer.id]);
    expect(remaining).toEqual([{ user_id: peer.id }]);
    expect(await query('select from auth.sessions where user_id = $1', [user.id])).toEqual([]);
    expect(await readLog(user)).toMatchObject([{ action: 'reset_factors', actor_id: admin.id }]);
  });
});

describe('Protection against lockout', () => {
  test.each([
    'make_client',
    'make_admin',
    'revoke_access',
    'end_person_sessions',
    'reset_person_factors',
    'delete_person',
  ])('An admin cannot call %s on their own account', async (name) => {
    const admin = await site.signedIn('admin');
    const { error } = await admin.client.rpc(name, { _user_id: admin.id });
    expect(error?.message).toBe('This is your own account. Manage it on your account page.');
    expect(await readRole(admin.id)).toEqual({ role: 'admin', approved: true });
    expect(await readLog(admin)).toEqual([]);
  });

  test.each(['make_client', 'delete_person'])('One admin remains after two concurrent calls of %s', async (name) => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const [first, second] = [await site.signedIn('admin'), await site.signedIn('admin')];
      const responses = await Promise.all([
        first.client.rpc(name, { _user_id: second.id }),
        second.client.rpc(name, { _user_id: first.id }),
      ]);
      expect(responses.filter(({ error }) => error)).toHaveLength(1);
      const roles = [await readRole(first.id), await readRole(second.id)];
      expect(roles.filter((role) => role?.role === 'admin')).toHaveLength(1);
    }
  });
});
