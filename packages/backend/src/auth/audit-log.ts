import type { Queryable, Statement } from '../database/database.ts';

/** Account in the log entry: usually the affected user; for admin endpoints, the service role. */
export interface Actor {
  id: string;
  email: string;
}

const LOG_TYPES = {
  login: 'account',
  logout: 'account',
  user_signedup: 'team',
  user_repeated_signup: 'user',
  user_invited: 'team',
  user_deleted: 'team',
  user_modified: 'user',
  user_recovery_requested: 'user',
  user_reauthenticate_requested: 'user',
  user_confirmation_requested: 'user',
  user_updated_password: 'user',
  factor_in_progress: 'factor',
  factor_unenrolled: 'factor',
  factor_deleted: 'factor',
  challenge_created: 'factor',
  verification_attempted: 'factor',
  recovery_codes_generated: 'recovery_codes',
  recovery_codes_regenerated: 'recovery_codes',
  recovery_codes_verified: 'recovery_codes',
  recovery_codes_deleted: 'recovery_codes',
  passkey_created: 'user',
  passkey_updated: 'user',
  passkey_deleted: 'user',
  identity_linked: 'user',
  identity_unlinked: 'user',
  token_refreshed: 'token',
  token_revoked: 'token',
} as const;

/** Records an action in auth.audit_log_entries, with Supabase Auth's names. */
export async function audit(
  database: Queryable,
  action: keyof typeof LOG_TYPES,
  actor: Actor,
  address: string,
  traits: Record<string, unknown> = {},
): Promise<void> {
  const { text, values } = auditStatement(action, actor, address, traits);
  await database.query(text, values);
}

/** Returns the statement that records an action, for callers that batch statements. */
export function auditStatement(
  action: keyof typeof LOG_TYPES,
  actor: Actor,
  address: string,
  traits: Record<string, unknown>,
): Statement {
  const payload = {
    action,
    actor_id: actor.id,
    actor_username: actor.email,
    actor_via_sso: false,
    log_type: LOG_TYPES[action],
    traits,
  };
  return {
    text: 'insert into auth.audit_log_entries (id, payload, created_at, ip_address) values (gen_random_uuid(), $1, now(), $2)',
    values: [JSON.stringify(payload), address],
  };
}
