/**
 * Showing that a person acts, where a captcha is configured: before what strangers misuse of the authentication service, and
 * near the site's bound of messages and calls. Browser only.
 */

import { browserApiEndpoint } from '../../api/api-endpoint.ts';
import type { CaptchaChoice } from '../../api/host/site-host.ts';

/** Returns null where none is configured; nothing is loaded then. */
function configuredCaptcha(): CaptchaChoice | null {
  const [provider, siteKey = ''] = browserApiEndpoint().captcha.split(' ');
  return provider === 'hcaptcha' || provider === 'turnstile' ? { provider, siteKey } : null;
}

const loadPanel = () => import('./captcha-panel.tsx');

/**
 * Asks for a solved captcha, as an option of a call to the authentication service; none where none is configured.
 * @throws CaptchaClosedError
 */
export async function solveCaptcha(): Promise<{ captchaToken?: string }> {
  const captcha = configuredCaptcha();
  if (!captcha) return {};
  const captchaToken = await (await loadPanel()).askForCaptcha({
    captcha,
    reason: 'Programs try passwords and addresses by the thousand. A person solves this in a moment.',
    take: (token) => token,
  });
  return captchaToken === null ? {} : { captchaToken };
}

/**
 * Asks for a proof that the database takes in the place of a link by mail, once.
 * @returns null where no captcha is configured, and for somebody who rather has the link
 * @throws CaptchaClosedError
 */
export async function captchaProof(reason: string): Promise<string | null> {
  const captcha = configuredCaptcha();
  if (!captcha) return null;
  return (await loadPanel()).askForCaptcha({ captcha, reason, otherWay: 'Mail me a link instead', take: proofOf });
}

/** The name of the header that carries a proof. */
export const PROOF_HEADER = 'x-captcha-proof';

async function proofOf(token: string): Promise<string> {
  const { url, publishableKey } = browserApiEndpoint();
  const response = await fetch(`${url}/functions/v1/captcha-proof`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (response.status === 400) throw new Error('The check was not accepted. Please solve it once more.');
  if (!response.ok) throw new Error('The check cannot be completed right now. Take a link by mail instead.');
  return (await response.json()).proof;
}
