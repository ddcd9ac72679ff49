/**
 * Limits new unverified accounts per hour, counted in the database across all processes. An attacker with many
 * addresses gets past the limit per address. When this limit is reached, new accounts must confirm their address first,
 * so that real users can still sign up.
 */
import type { AuthCall } from './auth-call.ts';
import { authError } from './error-codes.ts';

/** Accounts in an hour. Half a thousand with all the data that they may have are 4 MB. */
const WITHOUT_PROOF = 500;

/** Further accounts in an hour, with proof: each is a row until its message expires. */
const WITH_PROOF = 2000;

/**
 * Counts a sign-up.
 * @returns whether it needs proof of its address, because there are many; never behind a captcha, which is proof
 * @throws ApiError 429 when there are too many of those as well
 */
export async function countSignUp({ auth }: AuthCall): Promise<boolean> {
  const { config, database } = auth;
  if (!config.RATE_LIMITS || config.CAPTCHA_PROVIDER) return false;
  const count = async (kind: string, allowed: number) => {
    const { rows } = await database.query<{ counted: boolean }>(
      `select private.count_for_subject($1, '', $2, interval '1 hour') as counted`,
      [kind, allowed],
    );
    return rows[0]?.counted ?? false;
  };
  if (await count('sign-up', WITHOUT_PROOF)) return false;
  if (await count('sign-up with proof', WITH_PROOF)) return true;
  throw authError('over_request_rate_limit', 'Too many sign-ups at the moment. Please try again in an hour.');
}
