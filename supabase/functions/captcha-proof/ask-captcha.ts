/** Verifies a captcha token with its provider. Each token can be verified once. */
import { z } from 'zod';

/** Verification endpoints of the supported providers. */
export const CAPTCHA_URLS = {
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
} as const;

export type CaptchaProvider = keyof typeof CAPTCHA_URLS;

const TIMEOUT_MS = 10_000;

const resultSchema = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) });

interface CaptchaCheck {
  /** Verification endpoint. */
  url: string;
  secret: string;
  token: string;
  /** IP address of the visitor, '' if unknown. */
  address: string;
}

/**
 * @returns the provider's error codes, or null if the token is valid
 * @throws Error if the provider cannot be reached or gives no result
 */
export async function askCaptcha({ url, secret, token, address }: CaptchaCheck): Promise<string | null> {
  const body = new URLSearchParams({ secret, response: token });
  if (address) body.set('remoteip', address);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: 'POST', body, signal, redirect: 'error' });
  const { success, 'error-codes': errorCodes } = resultSchema.parse(await response.json());
  return success ? null : errorCodes.join(', ');
}
