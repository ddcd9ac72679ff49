/** The accounts that attack: made with the secret key, named so that nobody takes them for people, removed at the end. */
import { randomUUID } from 'node:crypto';
import type { Send } from './instance.ts';

/** A stranger has an account without a role, pending is a team member whom no admin has approved. */
export const ROLES = ['visitor', 'stranger', 'pending', 'client', 'team', 'admin'] as const;

export type Role = (typeof ROLES)[number];

export interface Asker {
  role: Role;
  id: string;
  /** Null without an account. */
  token: string | null;
}

/** The end of each address: reserved, so that no mail can reach anybody (RFC 2606). */
const MARK = '@attack.invalid';

/**
 * Makes the accounts and signs them in.
 * @throws Error when the instance refuses one; what was made until then is removed by removePeople
 */
export async function makePeople(send: Send, secretKey: string): Promise<Asker[]> {
  const run = randomUUID().slice(0, 8);
  const people: Asker[] = [{ role: 'visitor', id: '00000000-0000-4000-8000-000000000000', token: null }];
  for (const role of ROLES.slice(1)) {
    const email = `attack-${role}-${run}${MARK}`;
    const password = `Aa1-${randomUUID()}`;
    const made = await send(secretKey, 'POST', '/auth/v1/admin/users', {
      body: { email, password, email_confirm: true, user_metadata: { full_name: `Attack ${role}, to be removed` } },
    });
    const { id } = (made.json ?? {}) as { id?: string };
    if (!id) throw new Error(`An account for ${role} could not be made: ${made.status} ${made.text.slice(0, 200)}`);
    if (role !== 'stranger') {
      const row = { user_id: id, role: role === 'pending' ? 'team' : role, approved: role !== 'pending' };
      const given = await send(secretKey, 'POST', '/rest/v1/user_roles', { body: row });
      if (given.status !== 201) throw new Error(`${role} could not be given a role: ${given.text.slice(0, 200)}`);
    }
    // With the secret key nobody asks for a captcha.
    const signedIn = await send(secretKey, 'POST', '/auth/v1/token?grant_type=password', { body: { email, password } });
    const { access_token: token } = (signedIn.json ?? {}) as { access_token?: string };
    if (!token) throw new Error(`${role} could not sign in: ${signedIn.status} ${signedIn.text.slice(0, 200)}`);
    people.push({ role, id, token });
  }
  return people;
}

/** Removes the accounts of this run and of any that was killed before it could. @returns how many */
export async function removePeople(send: Send, secretKey: string): Promise<number> {
  let removed = 0;
  for (const { id, email } of await allAccounts(send, secretKey)) {
    if (!email?.endsWith(MARK)) continue;
    const { status } = await send(secretKey, 'DELETE', `/auth/v1/admin/users/${id}`);
    if (status === 200) removed += 1;
  }
  return removed;
}

export interface Account {
  id: string;
  email?: string;
}

/** Every account of the instance. */
export async function allAccounts(send: Send, secretKey: string): Promise<Account[]> {
  const accounts: Account[] = [];
  for (let page = 1; ; page += 1) {
    const { json, status, text } = await send(secretKey, 'GET', `/auth/v1/admin/users?page=${page}&per_page=200`);
    if (status === 401 || status === 403) throw new Error('The instance does not accept the secret key.');
    if (status !== 200) throw new Error(`The accounts could not be read: ${status} ${text.slice(0, 200)}`);
    const { users } = json as { users: Account[] };
    accounts.push(...users);
    if (users.length < 200) return accounts;
  }
}

/** Addresses made here. */
export function isOurs(account: Account): boolean {
  return account.email?.endsWith(MARK) ?? false;
}
