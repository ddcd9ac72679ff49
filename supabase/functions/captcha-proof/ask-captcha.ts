/** Asks the provider of a captcha whether a token was solved, which it says once for each. */
import { z } from 'zod';

/** Addresses of the providers that answer in this way. */
export const CAPTCHA_URLS = {
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
} as const;

export type CaptchaProvider = keyof typeof CAPTCHA_URLS;

const TIMEOUT_MS = 10_000;

const verdict = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) });

interface CaptchaQuestion {
  /** Address at which it is asked. */
  url: string;
  secret: string;
  token: string;
  /** Address of whoever solved it, '' when unknown. */
  address: string;
}

/**
 * @returns the provider's reasons against the token; null when it is good
 * @throws Error when the provider gives no verdict
 */
export async function askCaptcha({ url, secret, token, address }: CaptchaQuestion): Promise<string | null> {
  const body = new URLSearchParams({ secret, response: token });
  if (address) body.set('remoteip', address);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: 'POST', body, signal, redirect: 'error' });
  const { success, 'error-codes': reasons } = verdict.parse(await response.json());
  return success ? null : reasons.join(', ');
}
