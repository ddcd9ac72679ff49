/** POST /token?grant_type=pkce: the code of a link, with the verifier that only the asking browser has. */
import { z } from 'zod';
import { audit } from '../audit-log.ts';
import { type Endpoint, readBody } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { redeemCode } from '../flow-states.ts';
import { limitCode } from '../limits.ts';
import { newSession, tokenJson } from '../sessions.ts';
import { isBanned, readUser } from '../users.ts';

const body = z.object({
  auth_code: z.string().max(255).default(''),
  code_verifier: z.string().max(255).default(''),
});

export const pkceGrant: Endpoint = async (call) => {
  const { auth_code: code, code_verifier: verifier } = await readBody(call, body);
  if (!code || !verifier) {
    throw authError('validation_failed', 'invalid request: both auth code and code verifier should be non-empty');
  }
  await limitCode(call.auth.limits, call.address);
  const { userId, method } = await redeemCode(call.auth.database, code, verifier);
  const { user, session } = await call.auth.database.transaction(async (tx) => {
    const user = await readUser(tx, userId);
    if (isBanned(user)) throw authError('user_banned');
    const { session, store } = newSession(call, user, method);
    await tx.query(store.text, store.values);
    await audit(tx, 'login', { id: user.id, email: user.email ?? '' }, call.address, { provider_type: 'email' });
    return { user, session };
  });
  return Response.json(await tokenJson(call, user, session));
};
