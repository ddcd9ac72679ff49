import type { Config } from '../config.ts';
import type { Queryable } from '../database/database.ts';
import {
  type AddressLimiter,
  createAddressLimiter,
  createRateLimiter,
  type RateLimit,
  type RateLimiter,
} from '../http/rate-limit.ts';
import { addressKey } from '../limits/networks.ts';
import { authError } from './error-codes.ts';
import { isKnownNetwork } from './known-networks.ts';

/** The fields of a request that rate limits need. */
interface LimitedCall {
  /** Address of the client. */
  address: string;
  auth: { database: Queryable };
}

/**
 * Limits attempts per account without letting an attacker lock out its owner. Each network has its own limit. All
 * networks also share a pool, so that an attacker does not get more attempts by using many networks. Networks that have
 * signed in to the account before may continue when the pool is empty. Attempts are counted by email address or phone
 * number even if no account has it, so that responses do not reveal which accounts exist. The database is queried only
 * when the pool is empty.
 */
export interface AccountLimiter {
  /** @throws ApiError 429 */
  consume(call: LimitedCall, name: string): Promise<void>;
  /** Called after a successful sign-in. Resets the attempts of this network, and refunds one attempt to the pool. */
  reset(call: LimitedCall, name: string): Promise<void>;
}

/** All limits of the service. */
export interface AuthLimits {
  signInPerAddress: AddressLimiter;
  /** Failed attempts only: a success resets them. */
  signInPerAccount: AccountLimiter;
  signUpPerAddress: AddressLimiter;
  anonymousPerAddress: AddressLimiter;
  refreshPerAddress: AddressLimiter;
  /** Captcha verifications with the provider. */
  captchaPerAddress: AddressLimiter;
  /** Wrong codes are also counted per account, in the database (one-time-tokens.ts). */
  codePerAddress: AddressLimiter;
  /** Single sign-on requests, two per sign-in. */
  ssoPerAddress: AddressLimiter;
  /** Started provider flows. Each is stored in the database. */
  providerFlowPerAddress: AddressLimiter;
  /** Authorization requests. Each is stored in the database until it expires. */
  oauthRequestPerAddress: AddressLimiter;
  oauthRegistrationPerAddress: AddressLimiter;
  /** OAuth clients are servers, which exchange the codes of all their users from one address. */
  oauthTokenPerAddress: AddressLimiter;
  mailPerAddress: AddressLimiter;
  mailPerAccount: AccountLimiter;
  smsPerAddress: AddressLimiter;
  smsPerNumber: AccountLimiter;
  /** All text messages of this process, to cap the cost of a flood. The key is always ''. */
  smsTotal: RateLimiter;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

export function createAuthLimits({ RATE_LIMITS: isEnabled, SMS_PER_HOUR: smsPerHour }: Config): AuthLimits {
  const requests = (attempts: number, seconds: number): RateLimit => ({
    attempts,
    seconds,
    createError: (retryAfter) =>
      authError('over_request_rate_limit', `Too many attempts. Please try again in ${formatWait(retryAfter)}.`),
  });
  const messages =
    (code: 'over_email_send_rate_limit' | 'over_sms_send_rate_limit') =>
    (attempts: number, seconds: number): RateLimit => ({
      attempts,
      seconds,
      createError: (retryAfter) =>
        authError(code, `For security purposes, you can only request this after ${retryAfter} seconds.`),
    });
  const mails = messages('over_email_send_rate_limit');
  const sms = messages('over_sms_send_rate_limit');
  const perAddress = (limit: RateLimit) => createAddressLimiter(isEnabled, limit);
  const perAccount = (network: RateLimit, pool: RateLimit) => createAccountLimiter(isEnabled, network, pool);
  return {
    signInPerAddress: perAddress(requests(100, 5 * MINUTE)),
    signInPerAccount: perAccount(requests(10, 5 * MINUTE), requests(30, 15 * MINUTE)),
    signUpPerAddress: perAddress(requests(30, HOUR)),
    anonymousPerAddress: perAddress(requests(30, HOUR)),
    refreshPerAddress: perAddress(requests(1800, HOUR)),
    captchaPerAddress: perAddress(requests(100, 5 * MINUTE)),
    codePerAddress: perAddress(requests(60, 5 * MINUTE)),
    ssoPerAddress: perAddress(requests(200, 5 * MINUTE)),
    providerFlowPerAddress: perAddress(requests(60, 10 * MINUTE)),
    oauthRequestPerAddress: perAddress(requests(100, 5 * MINUTE)),
    oauthRegistrationPerAddress: perAddress(requests(20, HOUR)),
    oauthTokenPerAddress: perAddress(requests(1800, HOUR)),
    mailPerAddress: perAddress(mails(30, HOUR)),
    mailPerAccount: perAccount(mails(4, 15 * MINUTE), mails(12, HOUR)),
    smsPerAddress: perAddress(sms(10, HOUR)),
    smsPerNumber: perAccount(sms(3, 15 * MINUTE), sms(6, HOUR)),
    smsTotal: createRateLimiter(isEnabled, sms(smsPerHour, HOUR)),
  };
}

function createAccountLimiter(isEnabled: boolean, network: RateLimit, pool: RateLimit): AccountLimiter {
  const perNetwork = createRateLimiter(isEnabled, network);
  const sharedPool = createRateLimiter(isEnabled, pool);
  // Networks contain no space, so each pair of network and name has a unique key.
  const buildKey = (address: string, name: string) => `${addressKey(address)} ${name}`;
  return {
    async consume({ auth, address }, name) {
      await perNetwork.consume(buildKey(address, name));
      try {
        await sharedPool.consume(name);
      } catch (error) {
        if (!(await isKnownNetwork(auth.database, name, address))) throw error;
      }
    },
    async reset({ address }, name) {
      await Promise.all([perNetwork.reset(buildKey(address, name)), sharedPool.refund(name)]);
    },
  };
}

/** Counts a mail requested by this client for this recipient. @throws ApiError 429 */
export async function limitMail(call: LimitedCall & { auth: { limits: AuthLimits } }, email: string): Promise<void> {
  const { mailPerAddress, mailPerAccount } = call.auth.limits;
  await mailPerAddress.consume(call.address);
  await mailPerAccount.consume(call, email);
}

function formatWait(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / MINUTE)} minutes`;
}
