/**
 * Handles POST /signup without an email address or phone number. Creates an account without credentials, which the
 * user can only access through this session. PUT /user with an email address turns it into a regular account.
 * @see https://github.com/supabase/auth/blob/master/internal/api/anonymous.go
 */
import { type AuthCall, requireSignUps } from './auth-call.ts';
import { authError } from './error-codes.ts';
import { openSession, tokenJson } from './sessions.ts';
import { countSignUp } from './sign-up-limit.ts';
import { insertUser } from './users.ts';

/** @throws ApiError 422 anonymous_provider_disabled or signup_disabled, 429 */
export async function signUpAnonymously(call: AuthCall, data: Record<string, unknown>): Promise<Response> {
  const { config, database, limits } = call.auth;
  if (!config.AUTH_ANONYMOUS) throw authError('anonymous_provider_disabled');
  requireSignUps(call);
  await limits.anonymousPerAddress.consume(call.address);
  const requiresConfirmation = await countSignUp(call);
  if (requiresConfirmation) {
    throw authError('over_request_rate_limit', 'Too many anonymous sign-ins. Please sign up with an email address.');
  }
  const newUser = { isAnonymous: true, encryptedPassword: null, identities: [], userMetadata: data };
  const { user, session } = await database.transaction(async (tx) => {
    const user = await insertUser(tx, newUser);
    return { user, session: await openSession(tx, call, user, { method: 'anonymous', provider: 'anonymous' }) };
  });
  return Response.json(await tokenJson(call, user, session));
}
