/** The captcha that the site's own forms ask for, and the hosts of its provider, which only then stand in the policy. */
import type { Config } from '@signalfjord/backend';
import type { CaptchaChoice } from '../app/api/host/site-host.ts';

/** Sources by directive, as the providers ask for them. */
const SOURCES: Record<CaptchaChoice['provider'], Record<string, readonly string[]>> = {
  hcaptcha: ofEach(
    ['script-src', 'style-src', 'connect-src', 'frame-src'],
    'https://hcaptcha.com',
    'https://*.hcaptcha.com',
  ),
  turnstile: ofEach(['script-src', 'frame-src'], 'https://challenges.cloudflare.com'),
};

/** Returns null where forms ask for none: without a site key nothing of a provider is on any page. */
export function captchaOf({ CAPTCHA_PROVIDER: provider, CAPTCHA_SITE_KEY: siteKey }: Config): CaptchaChoice | null {
  return provider && siteKey ? { provider, siteKey } : null;
}

/** Lists what a directive of the policy of every page allows for it. */
export function captchaSources(config: Config, directive: string): readonly string[] {
  const captcha = captchaOf(config);
  return captcha ? (SOURCES[captcha.provider][directive] ?? []) : [];
}

function ofEach(directives: readonly string[], ...hosts: string[]): Record<string, readonly string[]> {
  return Object.fromEntries(directives.map((directive) => [directive, hosts]));
}
