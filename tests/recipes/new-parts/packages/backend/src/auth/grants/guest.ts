/**
 * POST /token?grant_type=guest: creates a session for any email address. This grant exists only for the test of the
 * recipe.
 */
import { z } from 'zod';
import { type Endpoint, readBody } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { openSession, tokenJson } from '../sessions.ts';
import { findUserByEmail } from '../users.ts';

export const guestGrant: Endpoint = async (call) => {
  const { email } = await readBody(call, z.object({ email: z.string() }));
  const user = await findUserByEmail(call.auth.database, email);
  if (!user) throw authError('invalid_credentials');
  const session = await call.auth.database.transaction((tx) =>
    openSession(tx, call, user, { method: 'password', provider: 'email' }),
  );
  return Response.json(await tokenJson(call, user, session));
};
