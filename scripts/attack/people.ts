/** Test accounts, created with the secret key under recognizable names and deleted at the end. */
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { IDS, type Send } from './instance.ts';

/**
 * Tested roles. `unproven`: unconfirmed email address. `stranger`: no role. `pending`: team member awaiting approval.
 * `client` and `team`: role without a client. `member`: belongs to a client. `worker`: assigned to a client.
 * `application`: OAuth client with all scopes authorized by the admin.
 */
export const ROLES = [
  ...(['visitor', 'unproven', 'stranger', 'pending', 'client', 'member', 'team', 'worker'] as const),
  ...(['application', 'admin'] as const),
] as const;

export type Role = (typeof ROLES)[number];

export interface Caller {
  role: Role;
  id: string;
  email: string;
  /** Null without an account. */
  token: string | null;
  /** Client of a member or worker. */
  client?: string;
}

/** Domain of all test addresses, reserved by RFC 2606, so that no email is delivered. */
export const MARK = '@attack.invalid';

/** Accounts to create, with their roles. */
const ACCOUNTS = [
  ['stranger', null],
  ['pending', 'team'],
  ['client', 'client'],
  ['member', 'client'],
  ['team', 'team'],
  ['worker', 'team'],
  ['admin', 'admin'],
] as const;

/** Tables that link an account to a client. */
export const MEMBERSHIP_TABLES: Partial<Record<Role, string>> = {
  member: 'client_members',
  worker: 'client_assignments',
};

/** Client in sample-rows.sql that member and worker belong to. The other client's rows must stay hidden from them. */
export const SAMPLE_CLIENT = 'a77ac000-0000-4000-8000-000000000008';
export const OTHER_CLIENT = 'a77ac000-0000-4000-8000-000000000012';

/**
 * Creates the accounts and signs them in. `unproven` is skipped if sign-ups need confirmation, `application` if the
 * OAuth server is off. Member and worker are added to the sample client, or to a new client if it does not exist.
 * @throws Error if the instance rejects an account. removePeople() deletes the accounts created so far
 */
export async function createPeople(send: Send, secretKey: string, sample = SAMPLE_CLIENT): Promise<Caller[]> {
  const client = await findOrCreateClient(send, secretKey, sample);
  const run = randomUUID().slice(0, 8);
  const visitor: Caller = { role: 'visitor', id: '00000000-0000-4000-8000-000000000000', email: '', token: null };
  const people = [visitor, ...(await signUp(send, secretKey, `attack-unproven-${run}${MARK}`))];
  for (const [role, assignedRole] of ACCOUNTS) {
    const email = `attack-${role}-${run}${MARK}`;
    const password = `Aa1-${randomUUID()}`;
    const created = await send(secretKey, 'POST', '/auth/v1/admin/users', {
      body: { email, password, email_confirm: true, user_metadata: { full_name: `Attack ${role}, to be removed` } },
    });
    const { id } = created.read(CREATED, {});
    if (!id) throw new Error(`Creating an account for ${role} failed: ${created.status} ${created.text.slice(0, 200)}`);
    if (assignedRole !== null) {
      const row = { user_id: id, role: assignedRole, approved: role !== 'pending' };
      const grant = await send(secretKey, 'POST', '/rest/v1/user_roles', { body: row });
      if (grant.status !== 201) throw new Error(`Assigning the role to ${role} failed: ${grant.text.slice(0, 200)}`);
    }
    const table = MEMBERSHIP_TABLES[role];
    if (table) {
      const response = await send(secretKey, 'POST', `/rest/v1/${table}`, { body: { client_id: client, user_id: id } });
      if (response.status !== 201)
        throw new Error(`Adding ${role} to the client failed: ${response.text.slice(0, 200)}`);
    }
    // The secret key bypasses the captcha.
    const signedIn = await send(secretKey, 'POST', '/auth/v1/token?grant_type=password', { body: { email, password } });
    const { access_token: token } = signedIn.read(SESSION, {});
    if (!token) throw new Error(`Signing in as ${role} failed: ${signedIn.status} ${signedIn.text.slice(0, 200)}`);
    const caller = { role, id, email, token, ...(table ? { client } : {}) };
    if (role === 'admin') people.push(...(await authorizeApplication(send, secretKey, caller)));
    people.push(caller);
  }
  return people;
}

const CLIENT_ROW = 'Attack client, to be removed';

async function findOrCreateClient(send: Send, secretKey: string, sample: string): Promise<string> {
  const response = await send(secretKey, 'GET', `/rest/v1/clients?select=id&id=eq.${sample}`);
  if (response.read(IDS, []).length > 0) return sample;
  const created = await send(secretKey, 'POST', '/rest/v1/clients?select=id', {
    body: { name: CLIENT_ROW },
    prefer: 'return=representation',
  });
  const [row] = created.read(IDS, []);
  if (!row) throw new Error(`Creating a client failed: ${created.status} ${created.text.slice(0, 200)}`);
  return row.id;
}

const CREATED = z.object({ id: z.string().optional() });
const SESSION = z.object({ access_token: z.string().optional(), user: z.object({ id: z.string() }).optional() });
const LISTED_CLIENTS = z.object({
  clients: z.array(z.object({ client_id: z.string(), client_name: z.string().nullish() })),
});

async function signUp(send: Send, secretKey: string, email: string): Promise<Caller[]> {
  const created = await send(secretKey, 'POST', '/auth/v1/signup', {
    body: { email, password: `Aa1-${randomUUID()}` },
  });
  const { access_token: token, user } = created.read(SESSION, {});
  return token && user ? [{ role: 'unproven', id: user.id, email, token }] : [];
}

const CLIENTS = '/auth/v1/admin/oauth/clients';

const CLIENT_NAME = 'Attack application, to be removed';

const REDIRECT_URI = 'https://attack.invalid/callback';

/** Authorizes an application with OAuth 2.1 on behalf of the admin. */
async function authorizeApplication(send: Send, secretKey: string, admin: Caller): Promise<Caller[]> {
  const created = await send(secretKey, 'POST', CLIENTS, {
    body: { client_name: CLIENT_NAME, redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'none' },
  });
  const { client_id } = created.read(z.object({ client_id: z.string().optional() }), {});
  if (!client_id) return [];
  const verifier = `${randomUUID()}${randomUUID()}`;
  const query = new URLSearchParams({
    client_id,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid email profile phone',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const authorization = await send(null, 'GET', `/auth/v1/oauth/authorize?${query}`);
  const id = URL.parse(authorization.headers.get('location') ?? '')?.searchParams.get('authorization_id');
  const request = `/auth/v1/oauth/authorizations/${id}`;
  await send(admin.token, 'GET', request);
  const consent = await send(admin.token, 'POST', `${request}/consent`, { body: { action: 'approve' } });
  const { redirect_url } = consent.read(z.object({ redirect_url: z.string().optional() }), {});
  const exchanged = await send(null, 'POST', '/auth/v1/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new TextEncoder().encode(
      new URLSearchParams({
        client_id,
        grant_type: 'authorization_code',
        code: URL.parse(redirect_url ?? '')?.searchParams.get('code') ?? '',
        redirect_uri: REDIRECT_URI,
        code_verifier: verifier,
      }).toString(),
    ),
  });
  const { access_token: token } = exchanged.read(SESSION, {});
  if (!token)
    throw new Error(`Authorizing an OAuth application failed: ${exchanged.status} ${exchanged.text.slice(0, 200)}`);
  return [{ ...admin, role: 'application', token }];
}

/** Deletes the accounts, clients and applications of this and earlier runs. @returns their number */
export async function removePeople(send: Send, secretKey: string): Promise<number> {
  let removedCount = 0;
  for (const { id, email } of await listAccounts(send, secretKey)) {
    if (!email?.endsWith(MARK)) continue;
    const { status } = await send(secretKey, 'DELETE', `/auth/v1/admin/users/${id}`);
    if (status === 200) removedCount += 1;
  }
  await send(secretKey, 'DELETE', `/rest/v1/clients?name=eq.${encodeURIComponent(CLIENT_ROW)}`);
  const { clients } = (await send(secretKey, 'GET', `${CLIENTS}?per_page=200`)).read(LISTED_CLIENTS, { clients: [] });
  for (const { client_id, client_name } of clients) {
    if (client_name === CLIENT_NAME) await send(secretKey, 'DELETE', `${CLIENTS}/${client_id}`);
  }
  return removedCount;
}

const LISTED_ACCOUNTS = z.object({ users: z.array(z.object({ id: z.string(), email: z.string().optional() })) });

export type Account = z.output<typeof LISTED_ACCOUNTS>['users'][number];

/** Lists all accounts of the instance. */
export async function listAccounts(send: Send, secretKey: string): Promise<Account[]> {
  const accounts: Account[] = [];
  for (let page = 1; ; page += 1) {
    const { json, status, text } = await send(secretKey, 'GET', `/auth/v1/admin/users?page=${page}&per_page=200`);
    if (status === 401 || status === 403) throw new Error('The instance does not accept the secret key.');
    if (status !== 200) throw new Error(`Listing the accounts failed: ${status} ${text.slice(0, 200)}`);
    const { users } = LISTED_ACCOUNTS.parse(json);
    accounts.push(...users);
    if (users.length < 200) return accounts;
  }
}

/** Checks whether an account was created by the attack. */
export function isAttackAccount(account: Account): boolean {
  return account.email?.endsWith(MARK) ?? false;
}
