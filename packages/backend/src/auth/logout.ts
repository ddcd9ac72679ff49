/**
 * POST /logout?scope=global|local|others: ends all sessions of the account, the current session, or all other sessions.
 */
import { z } from 'zod';
import { audit } from './audit-log.ts';
import { type Endpoint, requireUser, validate } from './auth-call.ts';

const STATEMENTS = {
  global: 'select private.end_sessions_of($1) where $2::uuid is not null',
  local: 'delete from auth.sessions where user_id = $1 and id = $2',
  others: 'select private.end_sessions_of($1, $2)',
} as const;

const scopeField = z.enum(['global', 'local', 'others'], {
  error: ({ input }) => `Unsupported logout scope ${JSON.stringify(input)}`,
});

export const logout: Endpoint = async (call) => {
  const scope = validate(scopeField, call.url.searchParams.get('scope') ?? 'global');
  const { user, sessionId } = await requireUser(call, { allowsClients: scope === 'local' });
  await call.auth.database.transaction(async (tx) => {
    await tx.query(STATEMENTS[scope], [user.id, sessionId]);
    await audit(tx, 'logout', { id: user.id, email: user.email ?? '' }, call.address, { scope });
  });
  return new Response(null, { status: 204 });
};
