/** Deletes expired and unused rows every six hours. */
import type { Database } from '../database/database.ts';
import { deleteRows } from '../database/delete-rows.ts';
import { type Job, periodicJob } from '../jobs/jobs.ts';

const INTERVAL_HOURS = 6;

/** Used refresh tokens are kept for a month, so that reuse of a stolen token still ends its session. */
const RULES: { from: string; where: string; rows?: number }[] = [
  { from: 'backend.mailed_tokens', where: `created_at < now() - interval '1 day' and expires_at < now()` },
  { from: 'auth.flow_state', where: `created_at < now() - interval '1 day'` },
  { from: 'auth.mfa_challenges', where: `created_at < now() - interval '1 day'` },
  { from: 'auth.mfa_factors', where: `status = 'unverified' and created_at < now() - interval '1 day'` },
  { from: 'auth.webauthn_challenges', where: 'expires_at < now()' },
  { from: 'backend.factor_guesses', where: `day_begins < now() - interval '1 day'` },
  { from: 'auth.oauth_authorizations', where: `expires_at < now() - interval '1 hour'` },
  // Clients that registered themselves and were never authorized.
  {
    from: 'auth.oauth_clients c',
    where: `registration_type = 'dynamic' and created_at < now() - interval '7 days'
      and not exists (select from auth.oauth_consents where client_id = c.id)`,
  },
  { from: 'auth.saml_relay_states', where: `created_at < now() - interval '1 hour'` },
  { from: 'backend.saml_assertions', where: 'expires_at < now()' },
  // Provider flows expire after ten minutes, and contain provider tokens.
  { from: 'auth.flow_state', where: `provider_type <> 'email' and created_at < now() - interval '1 hour'` },
  { from: 'auth.oauth_client_states', where: `created_at < now() - interval '1 hour'` },
  { from: 'backend.used_wallet_messages', where: `used_at < now() - interval '1 hour'` },
  // Anonymous accounts unused for a month. The refresh token of such an account is probably lost, so no one can sign in
  // to it. The steps are small, because each account has rows in many tables.
  {
    from: 'auth.users account',
    where: `is_anonymous and created_at < now() - interval '30 days' and not exists (
      select from auth.sessions as session where session.user_id = account.id
        and coalesce(session.refreshed_at at time zone 'utc', session.created_at) > now() - interval '30 days'
    )`,
    rows: 20,
  },
  { from: 'auth.refresh_tokens', where: `revoked and updated_at < now() - interval '30 days'` },
  // Inactive sessions and their audit log entries. Both would grow without limit.
  {
    from: 'auth.sessions',
    where: `coalesce(refreshed_at at time zone 'utc', created_at) < now() - interval '400 days'`,
  },
  { from: 'auth.audit_log_entries', where: `created_at < now() - interval '400 days'` },
];

export async function cleanUp(database: Pick<Database, 'query'>): Promise<void> {
  for (const rule of RULES) await deleteRows(database, rule);
}

export function accountCleanUpJob(database: Database): Job {
  return periodicJob(database, { name: 'clean up accounts', hours: INTERVAL_HOURS, work: () => cleanUp(database) });
}
