/** POST /token?grant_type=password */
import { z } from 'zod';
import { type Endpoint, readBody } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { latestSignUpPassword } from '../one-time-tokens.ts';
import { verifyPassword } from '../passwords.ts';
import { openSession, tokenJson } from '../sessions.ts';
import { findUserByEmail, normalizeEmail } from '../users.ts';

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
  await limits.signInPerAccount.consume(call, email);
  if (password === '') throw authError('invalid_credentials');

  const [user, unconfirmed] = await Promise.all([
    findUserByEmail(database, email),
    latestSignUpPassword(database, email),
  ]);
  const expected = user?.encrypted_password || (user?.email_confirmed_at ? null : unconfirmed);
  const fits = await verifyPassword(password, expected);
  if (!user || !fits) throw authError('invalid_credentials');
  if (!user.email_confirmed_at) throw authError('email_not_confirmed');

  const signIn = { method: 'password', provider: 'email' } as const;
  const session = await database.transaction((tx) => openSession(tx, call, user, signIn));
  await limits.signInPerAccount.forget(call, email);
  return Response.json(await tokenJson(call, user, session));
};
