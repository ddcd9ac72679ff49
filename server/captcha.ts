/** Captcha of the site's forms, and the sources that its provider needs in the Content-Security-Policy. */
import type { Config } from '@signalfjord/backend';
import type { CaptchaChoice } from '../app/api/host/site-host.ts';

/** CSP sources by directive, from the providers' documentation. */
const SOURCES: Record<CaptchaChoice['provider'], Record<string, readonly string[]>> = {
  hcaptcha: sourcesByDirective(
    ['script-src', 'style-src', 'connect-src', 'frame-src'],
    'https://hcaptcha.com',
    'https://*.hcaptcha.com',
  ),
  turnstile: sourcesByDirective(['script-src', 'frame-src'], 'https://challenges.cloudflare.com'),
};

/** Returns the captcha, or null without a site key. Pages then load nothing from the provider. */
export function getCaptchaChoice({
  CAPTCHA_PROVIDER: provider,
  CAPTCHA_SITE_KEY: siteKey,
}: Config): CaptchaChoice | null {
  return provider && siteKey ? { provider, siteKey } : null;
}

/** Returns the captcha sources to allow in a directive of the Content-Security-Policy. */
export function captchaSources(config: Config, directive: string): readonly string[] {
  const captcha = getCaptchaChoice(config);
  return captcha ? (SOURCES[captcha.provider][directive] ?? []) : [];
}

function sourcesByDirective(directives: readonly string[], ...hosts: string[]): Record<string, readonly string[]> {
  return Object.fromEntries(directives.map((directive) => [directive, hosts]));
}
