/** POST /token?grant_type=password, by email address or phone number. */
import { z } from 'zod';
import { type Endpoint, readBody } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { latestSignUpPassword } from '../one-time-tokens.ts';
import { verifyPassword } from '../passwords.ts';
import { plainPhone, requirePhoneProvider } from '../phone.ts';
import { openSessionInOneRoundTrip, tokenJson } from '../sessions.ts';
import { findUserByAddress, normalizeEmail } from '../users.ts';

const body = z.object({
  email: z.string().max(500).nullish(),
  phone: z.string().max(100).nullish(),
  password: z.string().max(1000).default(''),
});

export const passwordGrant: Endpoint = async (call) => {
  const { email, phone, password } = await readBody(call, body);
  const { database, limits } = call.auth;
  if (email && phone) {
    throw authError('validation_failed', 'Only an email address or phone number should be provided on login.');
  }
  if (!email && !phone) throw authError('validation_failed', 'missing email or phone');
  if (phone) requirePhoneProvider(call);
  const address = phone ? { phone: plainPhone(phone) } : { email: normalizeEmail(email ?? '') };
  const [name = ''] = Object.values(address);
  await limits.signInPerAddress.consume(call.address);
  await limits.signInPerAccount.consume(call, name);
  if (password === '') throw authError('invalid_credentials');

  const [user, pendingPassword] = await Promise.all([
    findUserByAddress(database, address),
    latestSignUpPassword(database, name),
  ]);
  const isConfirmed = Boolean(phone ? user?.phone_confirmed_at : user?.email_confirmed_at);
  const passwordHash = user?.encrypted_password || (isConfirmed ? null : pendingPassword);
  const isCorrect = await verifyPassword(password, passwordHash);
  if (!user || !isCorrect) throw authError('invalid_credentials');
  if (!isConfirmed) throw authError(phone ? 'phone_not_confirmed' : 'email_not_confirmed');

  const signIn = { method: 'password', provider: phone ? 'phone' : 'email' } as const;
  const session = await openSessionInOneRoundTrip(database, call, user, signIn);
  await limits.signInPerAccount.reset(call, name);
  return Response.json(await tokenJson(call, user, session));
};
