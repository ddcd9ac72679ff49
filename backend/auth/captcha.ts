/**
 * Endpoints that strangers misuse ask for the token of a solved captcha (gotrue_meta_security.captcha_token), which the
 * provider confirms, once for each. While it cannot be asked nobody passes, or an attack on it would open the door.
 * @see https://github.com/supabase/auth/blob/master/internal/security/captcha.go
 */
import { z } from 'zod';
import type { Config } from '../config.ts';
import { type AuthCall, type Endpoint, readBody } from './auth-call.ts';
import { authError } from './error-codes.ts';

const TIMEOUT_MS = 10_000;

const URLS = {
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
} as const satisfies Record<NonNullable<Config['CAPTCHA_PROVIDER']>, string>;

const body = z.object({
  gotrue_meta_security: z.object({ captcha_token: z.string().max(20_000).nullish() }).nullish(),
});

const verdict = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) });

/** The endpoint, behind the captcha of a provider that is configured. The service role passes without one. */
export const withCaptcha =
  (endpoint: Endpoint): Endpoint =>
  async (call, parameters) => {
    const { CAPTCHA_PROVIDER: provider } = call.auth.config;
    if (provider && !(await isServiceRole(call))) await requireCaptcha(call, provider);
    return endpoint(call, parameters);
  };

/** @throws ApiError 400 captcha_failed, 429, 500 when the provider gives no verdict */
async function requireCaptcha(call: AuthCall, provider: keyof typeof URLS): Promise<void> {
  const { config, limits, log } = call.auth;
  // The endpoint reads the body again.
  const fields = await readBody({ ...call, request: call.request.clone() }, body);
  const token = fields.gotrue_meta_security?.captcha_token?.trim();
  if (!token) throw disallowed('no captcha_token found');
  await limits.captchaPerAddress.consume(call.address);
  const question = new URLSearchParams({ secret: config.CAPTCHA_SECRET ?? '', response: token });
  if (call.address) question.set('remoteip', call.address);
  const { success, 'error-codes': reasons } = await ask(config.CAPTCHA_URL ?? URLS[provider], question).catch(
    (error: unknown) => {
      log.error({ err: error, provider }, 'a captcha could not be checked');
      throw authError('unexpected_failure', 'captcha verification process failed');
    },
  );
  if (!success) throw disallowed(reasons.join(', '));
}

async function ask(url: string, question: URLSearchParams): Promise<z.output<typeof verdict>> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: 'POST', body: question, signal, redirect: 'error' });
  return verdict.parse(await response.json());
}

function disallowed(reasons: string) {
  return authError('captcha_failed', `captcha protection: request disallowed (${reasons})`);
}

async function isServiceRole(call: AuthCall): Promise<boolean> {
  const identity = await call.auth.identify(call.request).catch(() => undefined);
  return identity?.role === 'service_role';
}
