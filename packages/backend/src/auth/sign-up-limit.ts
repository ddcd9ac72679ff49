/**
 * Limits new unverified accounts per hour, counted in the database across all processes. An attacker with many IP
 * addresses can bypass the limit per IP address. When this limit is reached, new users must confirm their email address
 * or phone number first, so that real users can still sign up.
 */
import type { AuthCall } from './auth-call.ts';
import { authError } from './error-codes.ts';

/** Maximum number of new accounts per hour without confirmation. With the largest allowed data, they use 4 MB. */
const MAX_AUTO_CONFIRMED = 500;

/** Maximum number of additional accounts per hour that must be confirmed. Each is stored until its message expires. */
const MAX_CONFIRMATION_REQUIRED = 2000;

/**
 * Counts a sign-up.
 * @returns true if the new user must confirm first because the first limit is reached. Always false if a captcha or no
 * rate limit is configured
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
  if (await count('sign-up', MAX_AUTO_CONFIRMED)) return false;
  if (await count('sign-up with confirmation', MAX_CONFIRMATION_REQUIRED)) return true;
  throw authError('over_request_rate_limit', 'Too many sign-ups at the moment. Please try again in an hour.');
}
