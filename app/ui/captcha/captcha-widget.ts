/** The widget of a captcha's provider, from the provider's own address: loaded when a person is asked, never before. */
import type { CaptchaChoice } from '../../api/host/site-host.ts';

/** Both providers have these, and call back in the same way. */
interface WidgetApi {
  render(into: HTMLElement, options: Record<string, unknown>): string;
  remove(widget: string): void;
}

declare global {
  interface Window {
    hcaptcha?: WidgetApi;
    turnstile?: WidgetApi;
    /** Called by the provider's script once the widget can be drawn. */
    captchaIsReady?: () => void;
  }
}

const SCRIPTS = {
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit&hl=en&onload=captchaIsReady',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit&onload=captchaIsReady',
};

/** Longest wait for the script, in milliseconds. */
const PATIENCE_MS = 15_000;

/** Narrower than this no normal widget fits, in px. */
const NORMAL_WIDTH = 304;

export interface CaptchaEvents {
  onSolved: (token: string) => void;
  onExpired: () => void;
  onBroken: () => void;
}

/**
 * Draws the widget in an empty element. @returns what takes it away
 * @throws Error when the provider's script does not come
 */
export async function drawCaptcha(
  place: HTMLElement,
  { provider, siteKey }: CaptchaChoice,
  events: CaptchaEvents,
): Promise<() => void> {
  const api = await loadWidget(provider);
  const isDark = document.documentElement.classList.contains('dark');
  const widget = api.render(place, {
    sitekey: siteKey,
    theme: isDark ? 'dark' : 'light',
    size: place.clientWidth < NORMAL_WIDTH ? 'compact' : 'normal',
    language: 'en',
    callback: events.onSolved,
    'expired-callback': events.onExpired,
    'chalexpired-callback': events.onExpired,
    'timeout-callback': events.onExpired,
    'error-callback': events.onBroken,
  });
  return () => api.remove(widget);
}

let loading: Promise<WidgetApi> | undefined;

function loadWidget(provider: CaptchaChoice['provider']): Promise<WidgetApi> {
  loading ??= loadScript(provider).catch((error: unknown) => {
    // The next one who is asked tries again.
    loading = undefined;
    throw error;
  });
  return loading;
}

async function loadScript(provider: CaptchaChoice['provider']): Promise<WidgetApi> {
  const script = document.createElement('script');
  script.src = SCRIPTS[provider];
  script.async = true;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error('The captcha took too long to load')), PATIENCE_MS);
  window.captchaIsReady = resolve;
  script.onerror = () => reject(new Error('The captcha could not be loaded'));
  document.head.append(script);
  try {
    await promise;
  } catch (error) {
    script.remove();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  const api = window[provider];
  if (!api) throw new Error('The captcha could not be loaded');
  return api;
}
