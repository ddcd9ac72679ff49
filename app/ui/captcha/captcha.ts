/**
 * Captcha checks, if a captcha is configured. They run before calls to the authentication service that are often
 * abused, and when a message or booking limit is nearly reached. Browser only.
 */

import { browserApiEndpoint } from '../../api/api-endpoint.ts';
import type { CaptchaChoice } from '../../api/host/site-host.ts';

/** Returns null if no captcha is configured. Nothing is loaded then. */
function configuredCaptcha(): CaptchaChoice | null {
  const [provider, siteKey = ''] = browserApiEndpoint().captcha.split(' ');
  return provider === 'hcaptcha' || provider === 'turnstile' ? { provider, siteKey } : null;
}

const loadPanel = () => import('./captcha-panel.tsx');

/**
 * Requests a captcha token as an option for the authentication service. Empty if no captcha is configured.
 * @throws CaptchaClosedError
 */
export async function solveCaptcha(): Promise<{ captchaToken?: string }> {
  const captcha = configuredCaptcha();
  if (!captcha) return {};
  const captchaToken = await (await loadPanel()).askForCaptcha({
    captcha,
    reason: 'This protects accounts from automated sign-in attempts. It only takes a moment.',
    onToken: (token) => token,
  });
  return captchaToken === null ? {} : { captchaToken };
}

/**
 * Exchanges a captcha token for a one-time token that the database accepts instead of an emailed link.
 * @returns null if no captcha is configured or the user prefers the link
 * @throws CaptchaClosedError
 */
export async function requestCaptchaConfirmation(reason: string): Promise<string | null> {
  const captcha = configuredCaptcha();
  if (!captcha) return null;
  return (await loadPanel()).askForCaptcha({
    captcha,
    reason,
    fallback: 'Email me a link instead',
    onToken: exchangeToken,
  });
}

/** Request header for the one-time token. */
export const CONFIRMATION_HEADER = 'x-captcha-proof';

async function exchangeToken(token: string): Promise<string> {
  const { url, publishableKey } = browserApiEndpoint();
  const response = await fetch(`${url}/functions/v1/captcha-proof`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (response.status === 400) throw new Error('The check was not accepted. Please complete it again.');
  if (!response.ok) throw new Error('The check is not available right now. Use an emailed link instead.');
  return (await response.json()).proof;
}
