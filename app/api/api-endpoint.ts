/** API endpoint and captcha configuration, which the server passes to the browser in meta tags. */
import { createIsomorphicFn } from '@tanstack/react-start';
import { requireSiteHost } from './host/site-host.ts';

export interface ApiEndpoint {
  /** Origin of the Supabase API, without a trailing slash. */
  url: string;
  publishableKey: string;
  /** Captcha provider and site key. Empty if no captcha is configured. */
  captcha: string;
}

const URL_META = 'supabase-url';
const KEY_META = 'supabase-key';
const CAPTCHA_META = 'captcha';

/**
 * Reads the endpoint from the meta tags in the browser and from the configuration on the server. A URL without a scheme
 * is a path on the site's own origin.
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

/** Returns the meta tags with the endpoint. */
export function apiMetaTags(): { name: string; content: string }[] {
  const { url, publishableKey, captcha } = readEndpoint();
  return [
    { name: URL_META, content: url },
    { name: KEY_META, content: publishableKey },
    ...(captcha ? [{ name: CAPTCHA_META, content: captcha }] : []),
  ];
}

/** Returns the endpoint with its absolute URL. Browser only. */
export function browserApiEndpoint(): ApiEndpoint {
  const endpoint = readEndpoint();
  const { url } = endpoint;
  return { ...endpoint, url: url.includes(':') ? url : window.location.origin + url };
}

/** True if the API is a hosted Supabase project with its own origin. Browser only. */
export function isHostedSupabase(): boolean {
  return readEndpoint().url.includes(':');
}

function readMeta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
