/** Environment that the server passes to the application, with the API endpoint and the site configuration. There is one per process, and one per preview request. Stored on globalThis because development servers reevaluate modules on every edit.
 */
export interface SiteHost {
  /** Origin of the Supabase API for calls from this process, without a trailing slash. */
  apiUrl: string;
  /** URL of the API for the browser: an origin, a path of the site, or empty for the site's origin. */
  publicApiUrl: string;
  /** Sends a request to the API, in-process for the built-in backend, otherwise over the network. */
  fetch: (request: Request) => Response | Promise<Response>;
  publishableKey: string;
  /** Caches the result of an anonymous read by key. */
  remember: <T>(key: string, read: () => Promise<T>) => Promise<T>;
  /** True if page views are recorded. */
  countsVisits: boolean;
  /** Text of the stylesheet, inlined in every page. Empty in development, where Vite serves it. */
  stylesheet: string;
  /** SITE_URL, or null for the origin of the request. */
  siteUrl: string | null;
  /** Preview gate, or null if off. */
  gate: GateChallenge | null;
  /** Captcha for forms, or null. */
  captcha: CaptchaChoice | null;
  /** Preview being rendered, or null. */
  preview: RenderedPreview | null;
}

export interface CaptchaChoice {
  provider: 'hcaptcha' | 'turnstile';
  /** Public site key. */
  siteKey: string;
}

/** A preview that is being rendered. */
export interface RenderedPreview {
  /** Base path: /preview/{id}. */
  base: string;
  /** HTML of the preview bar. */
  bar: string;
}

/** PBKDF2-SHA-256 of the passcode, base64. The passcode itself never leaves the server. */
export interface GateChallenge {
  salt: string;
  iterations: number;
  digest: string;
  /** Derived from the passcode, so it is stable across restarts and server instances. */
  version: string;
}

declare global {
  var signalfjordHost: (() => Readonly<SiteHost>) | undefined;
}

/**
 * Sets the host before the first request. `requestHost` returns the host of a request that has its own, such as a
 * preview.
 * @returns a function to call after the server has stopped, which unsets the host
 * @throws Error if a host is already set
 */
export function setSiteHost(host: SiteHost, requestHost: () => SiteHost | undefined = () => undefined): () => void {
  if (globalThis.signalfjordHost) throw new Error('The site host is already set.');
  const shared = Object.freeze(host);
  globalThis.signalfjordHost = () => requestHost() ?? shared;
  return () => {
    globalThis.signalfjordHost = undefined;
  };
}

/**
 * Returns the host of the current request.
 * @throws Error in the browser, or if the server did not set it
 */
export function requireSiteHost(): Readonly<SiteHost> {
  const host = globalThis.signalfjordHost?.();
  if (!host) throw new Error('The site host is not set: start the application through server/main.ts.');
  return host;
}
