/**
 * Raises a session to aal2 (two factors), and limits wrong codes. Mirrors updateMFASessionAndClaims of Supabase Auth.
 */
import type { Queryable } from '../../database/database.ts';
import type { AuthenticationMethod } from '../authentication-methods.ts';
import { authError } from '../error-codes.ts';
import { newRefreshToken, readMethods, type Session } from '../sessions.ts';

const GUESSES_PER_HOUR = 10;
const GUESSES_PER_DAY = 30;

/**
 * Counts an attempt for the account before the code is compared, so that concurrent attempts count as well. A correct
 * code resets the count. Call it outside the transaction that a wrong code rolls back.
 * @throws ApiError 429
 */
export async function countGuess(database: Queryable, userId: string): Promise<void> {
  const { rows } = await database.query<{ in_hour: number; in_day: number }>(
    `insert into backend.factor_guesses as g (user_id) values ($1)
     on conflict (user_id) do update set
       in_hour = case when g.hour_begins < clock_timestamp() - interval '1 hour' then 1 else g.in_hour + 1 end,
       hour_begins = case when g.hour_begins < clock_timestamp() - interval '1 hour' then clock_timestamp() else g.hour_begins end,
       in_day = case when g.day_begins < clock_timestamp() - interval '1 day' then 1 else g.in_day + 1 end,
       day_begins = case when g.day_begins < clock_timestamp() - interval '1 day' then clock_timestamp() else g.day_begins end
     returning in_hour, in_day`,
    [userId],
  );
  const [guesses] = rows;
  if (!guesses || guesses.in_hour > GUESSES_PER_HOUR || guesses.in_day > GUESSES_PER_DAY) {
    const wait = guesses && guesses.in_day > GUESSES_PER_DAY ? 'tomorrow' : 'in an hour';
    throw authError('over_request_rate_limit', `Too many wrong codes. Please try again ${wait}.`);
  }
}

export async function resetGuesses(tx: Queryable, userId: string): Promise<void> {
  await tx.query('delete from backend.factor_guesses where user_id = $1', [userId]);
}

/**
 * Raises a session to aal2. Issues a new refresh token. Older refresh tokens are rejected even within the reuse
 * interval, because an attacker may have one of them. Ends the account's other sessions at aal1.
 * @throws ApiError 403 session_not_found if the session has ended
 */
export async function raiseSession(
  tx: Queryable,
  { userId, sessionId }: { userId: string; sessionId: string },
  factorId: string,
  method: AuthenticationMethod,
): Promise<Session> {
  const refreshToken = newRefreshToken();
  const { rowCount } = await tx.query(
    `with raised as (
      update auth.sessions set aal = 'aal2', factor_id = $3, updated_at = now() where id = $1 and user_id = $2
      returning id, user_id
    ), claim as (
      insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
      select gen_random_uuid(), id, now(), now(), $4 from raised
      on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at
    ), ended as (
      update auth.refresh_tokens set revoked = true, updated_at = least(updated_at, now() - interval '1 day')
      where session_id = (select id from raised)
    ), others as (
      delete from auth.sessions where user_id = $2 and id <> $1 and coalesce(aal, 'aal1') = 'aal1'
    )
    insert into auth.refresh_tokens (instance_id, token, user_id, session_id, revoked, created_at, updated_at)
    select '00000000-0000-0000-0000-000000000000', $5, user_id::text, id, false, now(), now() from raised`,
    [sessionId, userId, factorId, method, refreshToken],
  );
  if (rowCount === 0) throw authError('session_not_found');
  return { id: sessionId, refreshToken, aal: 'aal2', amr: await readMethods(tx, sessionId) };
}
