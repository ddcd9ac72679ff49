/**
 * POST /token?grant_type=pkce: exchanges the code of a link or provider for a session. Requires the verifier,
 * which only the requesting browser has.
 */
import { z } from 'zod';
import { type Endpoint, readBody } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { linkToAccount, retryOnConflict } from '../external-accounts.ts';
import { redeemCode } from '../flow-states.ts';
import { openSession, tokenJson } from '../sessions.ts';
import { readUser } from '../users.ts';
import { verifyAddress } from '../verified-addresses.ts';

const body = z.object({
  auth_code: z.string().max(255).default(''),
  code_verifier: z.string().max(255).default(''),
});

export const pkceGrant: Endpoint = async (call) => {
  const { auth_code: code, code_verifier: verifier } = await readBody(call, body);
  if (!code || !verifier) {
    throw authError('validation_failed', 'invalid request: both auth code and code verifier should be non-empty');
  }
  await call.auth.limits.codePerAddress.consume(call.address);
  const redeemed = await redeemCode(call.auth.database, code, verifier);
  const { userId, signIn, profile, providerToken, providerRefreshToken, sessionId, recipient } = redeemed;
  const { user, session } = await retryOnConflict(() =>
    call.auth.database.transaction(async (tx) => {
      if (sessionId && recipient) await verifyAddress(tx, userId, recipient, sessionId);
      const user = profile ? await linkToAccount(tx, call, { userId, sessionId }, profile) : await readUser(tx, userId);
      return { user, session: await openSession(tx, call, user, signIn) };
    }),
  );
  return Response.json({
    ...(await tokenJson(call, user, session)),
    ...(providerToken && { provider_token: providerToken }),
    ...(providerRefreshToken && { provider_refresh_token: providerRefreshToken }),
  });
};
