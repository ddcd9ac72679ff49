/** POST /token?grant_type=password */
import { z } from 'zod';
import { audit } from '../audit-log.ts';
import { type Endpoint, readBody } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { verifyPassword } from '../passwords.ts';
import { newSession, tokenJson } from '../sessions.ts';
import { findUserByEmail, isBanned, normalizeEmail } from '../users.ts';

const body = z.object({
  email: z.string().max(500).nullish(),
  phone: z.string().nullish(),
  password: z.string().max(1000).default(''),
});

export const passwordGrant: Endpoint = async (call) => {
  const { email: given, phone, password } = await readBody(call, body);
  if (!given && phone) throw authError('phone_provider_disabled');
  if (!given) throw authError('validation_failed', 'missing email or phone');
  const { database, limits } = call.auth;
  const email = normalizeEmail(given);
  await limits.signInPerAddress.consume(call.address);
  await limits.signInPerAccount.consume(email);
  if (password === '') throw authError('invalid_credentials');

  const user = await findUserByEmail(database, email);
  const fits = await verifyPassword(password, user?.encrypted_password ?? null);
  if (!user || !fits) throw authError('invalid_credentials');
  if (isBanned(user)) throw authError('user_banned');
  if (!user.email_confirmed_at) throw authError('email_not_confirmed');

  const { session, store } = newSession(call, user, 'password');
  await database.transaction(async (tx) => {
    await tx.query(store.text, store.values);
    await audit(tx, 'login', { id: user.id, email }, call.address, { provider: 'email' });
  });
  await limits.signInPerAccount.forget(email);
  return Response.json(await tokenJson(call, user, session));
};
