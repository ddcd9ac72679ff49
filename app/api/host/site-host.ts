/**
 * Surroundings that the server hands to the application: where the Supabase API is and how the site is configured. One
 * for the process, and one for each request of a preview. It travels on globalThis, because in development modules are
 * evaluated again on every edit.
 */
export interface SiteHost {
  /** Origin of the Supabase API for calls from this process, without a trailing slash. */
  apiUrl: string;
  /** Address of the Supabase API for the browser: an origin, a path of the site, or empty for the site's own origin. */
  publicApiUrl: string;
  /** fetch that reaches the API: in process for the built-in backend, the network otherwise. */
  fetch: (request: Request) => Response | Promise<Response>;
  publishableKey: string;
  /** The result of reading as a visitor, which may be that of an earlier reading with the same key. */
  remember: <T>(key: string, read: () => Promise<T>) => Promise<T>;
  /** True when this server can keep figures of visits. */
  countsVisits: boolean;
  /** The text of the stylesheet, which every page carries. Empty in development, where Vite serves it. */
  stylesheet: string;
  /** SITE_URL, or null for the origin of the request. */
  siteUrl: string | null;
  /** The preview gate, or null when it is off. */
  gate: GateChallenge | null;
  /** The captcha that forms ask for where they need one, or null. */
  captcha: CaptchaChoice | null;
  /** Preview link that is rendered; null for everybody else. */
  preview: ShownPreview | null;
}

export interface CaptchaChoice {
  provider: 'hcaptcha' | 'turnstile';
  /** The name by which the provider knows the site; no secret. */
  siteKey: string;
}

/** A preview while it is rendered. */
export interface ShownPreview {
  /** Beginning of every address inside: /preview/{id}. */
  base: string;
  /** The HTML of the bar that says what this is. */
  bar: string;
}

/** PBKDF2-SHA-256 of the passcode; both texts are base64. The passcode itself never leaves the server. */
export interface GateChallenge {
  salt: string;
  iterations: number;
  digest: string;
  /** The same for the same passcode on every start and in every copy of the server; another for another passcode. */
  version: string;
}

declare global {
  var signalfjordHost: (() => Readonly<SiteHost>) | undefined;
}

/**
 * Hands the host to the application, before its first request. `ofRequest` tells the host of a request that has one of its
 * own, such as that of a preview.
 * @returns the way to take it back, for when its server has stopped
 * @throws Error when there is a host already
 */
export function publishSiteHost(host: SiteHost, ofRequest: () => SiteHost | undefined = () => undefined): () => void {
  if (globalThis.signalfjordHost) throw new Error('The site host is set already.');
  const shared = Object.freeze(host);
  globalThis.signalfjordHost = () => ofRequest() ?? shared;
  return () => {
    globalThis.signalfjordHost = undefined;
  };
}

/**
 * Returns the host of the request that is answered. @throws Error in the browser, and when the server did not set it
 */
export function requireSiteHost(): Readonly<SiteHost> {
  const host = globalThis.signalfjordHost?.();
  if (!host) throw new Error('The site host is not set: start the application through server/main.ts.');
  return host;
}
