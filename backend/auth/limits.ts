import {
  type AddressLimiter,
  createAddressLimiter,
  createRateLimiter,
  type RateLimit,
  type RateLimiter,
} from '../http/rate-limit.ts';
import { authError } from './error-codes.ts';

/** Every limit of the service. Accounts are counted by e-mail address, known or not, so that both answer alike. */
export interface AuthLimits {
  signInPerAddress: AddressLimiter;
  /** Failed attempts only: a success forgets them. */
  signInPerAccount: RateLimiter;
  signUpPerAddress: AddressLimiter;
  refreshPerAddress: AddressLimiter;
  codePerAddress: AddressLimiter;
  /** Codes have six digits: few guesses per account keep them safe. */
  codePerAccount: RateLimiter;
  mailPerAddress: AddressLimiter;
  mailPerAccount: RateLimiter;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

export function createAuthLimits(enabled: boolean): AuthLimits {
  const requests = (attempts: number, seconds: number): RateLimit => ({
    attempts,
    seconds,
    refuse: (retryAfter) =>
      authError('over_request_rate_limit', `Too many attempts. Please try again in ${inWords(retryAfter)}.`),
  });
  const mails = (attempts: number, seconds: number): RateLimit => ({
    attempts,
    seconds,
    refuse: (retryAfter) =>
      authError(
        'over_email_send_rate_limit',
        `For security purposes, you can only request this after ${retryAfter} seconds.`,
      ),
  });
  const perAddress = (limit: RateLimit) => createAddressLimiter(enabled, limit);
  const perAccount = (limit: RateLimit) => createRateLimiter(enabled, limit);
  return {
    signInPerAddress: perAddress(requests(100, 5 * MINUTE)),
    signInPerAccount: perAccount(requests(10, 5 * MINUTE)),
    signUpPerAddress: perAddress(requests(30, HOUR)),
    refreshPerAddress: perAddress(requests(1800, HOUR)),
    codePerAddress: perAddress(requests(60, 5 * MINUTE)),
    codePerAccount: perAccount(requests(10, 15 * MINUTE)),
    mailPerAddress: perAddress(mails(30, HOUR)),
    mailPerAccount: perAccount(mails(4, 15 * MINUTE)),
  };
}

/** Counts a mail that this address asks for this recipient. @throws ApiError 429 */
export async function limitMail(limits: AuthLimits, address: string, email: string): Promise<void> {
  await limits.mailPerAddress.consume(address);
  await limits.mailPerAccount.consume(email);
}

/** Counts a guess of a code or link. @throws ApiError 429 */
export async function limitCode(limits: AuthLimits, address: string, email?: string): Promise<void> {
  await limits.codePerAddress.consume(address);
  if (email) await limits.codePerAccount.consume(email);
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / MINUTE)} minutes`;
}
