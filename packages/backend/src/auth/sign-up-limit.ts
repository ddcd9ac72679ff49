/**
 * Limits new unverified accounts per hour, counted in the database across all processes. An attacker with many IP
 * addresses can bypass the limit per IP address. When this limit is reached, new users must confirm their email address
 * or phone number first, so that real users can still sign up.
 */
import type { AuthCall } from './auth-call.ts';
import { authError } from './error-codes.ts';

/** New accounts per hour that need no confirmation. 500 accounts with the largest allowed data take 4 MB. */
const MAX_UNCONFIRMED = 500;

/** Further new accounts per hour, which must be confirmed. Each is stored until its message expires. */
const MAX_CONFIRMED = 2000;

/**
 * Counts a sign-up.
 * @returns whether the account must be confirmed, because there are many sign-ups; false behind a captcha
 * @throws ApiError 429 if the second limit is reached as well
 */
export async function countSignUp({ auth }: AuthCall): Promise<boolean> {
  const { config, database } = auth;
  if (!config.RATE_LIMITS || config.CAPTCHA_PROVIDER) return false;
  const count = async (kind: string, limit: number) => {
    const { rows } = await database.query<{ counted: boolean }>(
      `select private.count_for_subject($1, '', $2, interval '1 hour') as counted`,
      [kind, limit],
    );
    return rows[0]?.counted ?? false;
  };
  if (await count('sign-up', MAX_UNCONFIRMED)) return false;
  if (await count('sign-up with proof', MAX_CONFIRMED)) return true;
  throw authError('over_request_rate_limit', 'Too many sign-ups at the moment. Please try again in an hour.');
}
