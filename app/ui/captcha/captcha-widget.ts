/** Captcha widget, loaded from the provider only when a check is needed. */
import type { CaptchaChoice } from '../../api/host/site-host.ts';

/** Part of the widget API that both providers support. */
interface WidgetApi {
  render(into: HTMLElement, options: Record<string, unknown>): string;
  remove(widget: string): void;
}

declare global {
  interface Window {
    hcaptcha?: WidgetApi;
    turnstile?: WidgetApi;
    /** Called by the provider's script when it is ready. */
    captchaIsReady?: () => void;
  }
}

const SCRIPTS = {
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit&hl=en&onload=captchaIsReady',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit&onload=captchaIsReady',
};

/** Script timeout in milliseconds. */
const TIMEOUT_MS = 15_000;

/** Minimum width of the normal widget, in px. */
const NORMAL_WIDTH = 304;

export interface CaptchaEvents {
  onSolved: (token: string) => void;
  onExpired: () => void;
  onBroken: () => void;
}

/**
 * Renders the widget in an empty element.
 * @returns a function that removes the widget
 * @throws Error if the provider's script cannot be loaded
 */
export async function drawCaptcha(
  container: HTMLElement,
  { provider, siteKey }: CaptchaChoice,
  events: CaptchaEvents,
): Promise<() => void> {
  const api = await loadWidget(provider);
  const isDark = document.documentElement.classList.contains('dark');
  const widget = api.render(container, {
    sitekey: siteKey,
    theme: isDark ? 'dark' : 'light',
    size: container.clientWidth < NORMAL_WIDTH ? 'compact' : 'normal',
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
    // Reset the promise, so that a retry loads the script again.
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
  const timer = setTimeout(() => reject(new Error('The captcha took too long to load')), TIMEOUT_MS);
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
