/** POST /logout?scope=global|local|others: ends all sessions of the account, this one, or all but this one. */
import { z } from 'zod';
import { audit } from './audit-log.ts';
import { check, type Endpoint, requireUser } from './auth-call.ts';

const ENDS = {
  global: 'user_id = $1 and $2::uuid is not null',
  local: 'user_id = $1 and id = $2',
  others: 'user_id = $1 and id <> $2',
} as const;

const scopeField = z.enum(['global', 'local', 'others'], 'Unsupported logout scope');

export const logout: Endpoint = async (call) => {
  const scope = check(scopeField, call.url.searchParams.get('scope') ?? 'global');
  const { user, sessionId } = await requireUser(call, { clients: scope === 'local' });
  await call.auth.database.transaction(async (tx) => {
    await tx.query(`delete from auth.sessions where ${ENDS[scope]}`, [user.id, sessionId]);
    await audit(tx, 'logout', { id: user.id, email: user.email ?? '' }, call.address, { scope });
  });
  return new Response(null, { status: 204 });
};
