/**
 * Endpoints that are often abused require a solved captcha token (gotrue_meta_security.captcha_token), which the
 * provider verifies once. If the provider cannot be reached, requests are rejected. Otherwise an attack on the provider
 * would disable the check.
 * @see https://github.com/supabase/auth/blob/master/internal/security/captcha.go
 */
import { z } from 'zod';
import { type AuthCall, type Endpoint, readBody } from './auth-call.ts';
import { authError } from './error-codes.ts';

const body = z.object({
  gotrue_meta_security: z.object({ captcha_token: z.string().max(20_000).nullish() }).nullish(),
});

/** Wraps an endpoint in a captcha check if a provider is configured. The service role needs no captcha. */
export const withCaptcha =
  (endpoint: Endpoint): Endpoint =>
  async (call, parameters) => {
    const { CAPTCHA_PROVIDER: provider } = call.auth.config;
    if (provider && !(await isServiceRole(call))) await requireCaptcha(call, provider);
    return endpoint(call, parameters);
  };

/** @throws ApiError 400 captcha_failed, 429, 500 if the provider cannot be reached */
async function requireCaptcha(call: AuthCall, provider: 'hcaptcha' | 'turnstile'): Promise<void> {
  const { verifyCaptcha, config, limits, log } = call.auth;
  // Clone the request, because the endpoint also reads the body.
  const fields = await readBody({ ...call, request: call.request.clone() }, body);
  const token = fields.gotrue_meta_security?.captcha_token?.trim();
  if (!token) throw disallowed('no captcha_token found');
  await limits.captchaPerAddress.consume(call.address);
  const reasons = await verifyCaptcha({
    provider,
    url: config.CAPTCHA_URL,
    secret: config.CAPTCHA_SECRET ?? '',
    token,
    address: call.address,
  }).catch((error: unknown) => {
    log.error({ err: error, provider }, 'a captcha could not be verified');
    throw authError('unexpected_failure', 'captcha verification process failed');
  });
  if (reasons !== null) throw disallowed(reasons);
}

function disallowed(reasons: string) {
  return authError('captcha_failed', `captcha protection: request disallowed (${reasons})`);
}

async function isServiceRole(call: AuthCall): Promise<boolean> {
  const identity = await call.auth.identify(call.request).catch(() => undefined);
  return identity?.role === 'service_role';
}
