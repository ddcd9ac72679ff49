/**
 * Address of the API, and the captcha that stands before some of it. The server tells the browser by meta tags in the head
 * of every page.
 */
import { createIsomorphicFn } from '@tanstack/react-start';
import { requireSiteHost } from './host/site-host.ts';

export interface ApiEndpoint {
  /** Origin of the Supabase API, without a trailing slash. */
  url: string;
  publishableKey: string;
  /** The provider of the captcha and its site key; empty where none is configured. */
  captcha: string;
}

/** Names of the meta tags. */
const URL_META = 'supabase-url';
const KEY_META = 'supabase-key';
const CAPTCHA_META = 'captcha';

/**
 * Reads the endpoint for the browser; on the server, the one that the page tells it. Without a scheme it is a path of
 * the site's own origin.
 */
const readEndpoint = createIsomorphicFn()
  .server((): ApiEndpoint => {
    const { publicApiUrl: url, publishableKey, captcha } = requireSiteHost();
    return { url, publishableKey, captcha: captcha ? `${captcha.provider} ${captcha.siteKey}` : '' };
  })
  .client(
    (): ApiEndpoint => ({
      url: readMeta(URL_META),
      publishableKey: readMeta(KEY_META),
      captcha: readMeta(CAPTCHA_META),
    }),
  );

/** Returns the meta tags of every page's head that are read back in the browser. */
export function apiMetaTags(): { name: string; content: string }[] {
  const { url, publishableKey, captcha } = readEndpoint();
  return [
    { name: URL_META, content: url },
    { name: KEY_META, content: publishableKey },
    ...(captcha ? [{ name: CAPTCHA_META, content: captcha }] : []),
  ];
}

/** Returns the endpoint with its full address. Browser only. */
export function browserApiEndpoint(): ApiEndpoint {
  const endpoint = readEndpoint();
  const { url } = endpoint;
  return { ...endpoint, url: url.includes(':') ? url : window.location.origin + url };
}

/** Tells whether the API is that of a Supabase project, which has an origin of its own. Browser only. */
export function isOnProject(): boolean {
  return readEndpoint().url.includes(':');
}

function readMeta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
