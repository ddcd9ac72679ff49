/** Address of the API. The server tells it the browser by two meta tags in the head of every page. */
import { createIsomorphicFn } from '@tanstack/react-start';
import { requireSiteHost } from '../../host/site-host.ts';

export interface ApiEndpoint {
  /** Origin of the Supabase API, without a trailing slash. */
  url: string;
  publishableKey: string;
}

/** Names of the meta tags. */
const URL_META = 'supabase-url';
const KEY_META = 'supabase-key';

/**
 * Reads the endpoint for the browser; on the server, the one that the page tells it. Without a scheme it is a path of
 * the site's own origin.
 */
const readEndpoint = createIsomorphicFn()
  .server((): ApiEndpoint => {
    const host = requireSiteHost();
    return { url: host.publicApiUrl, publishableKey: host.publishableKey };
  })
  .client(
    (): ApiEndpoint => ({
      url: readMeta(URL_META),
      publishableKey: readMeta(KEY_META),
    }),
  );

/** Returns the meta tags of every page's head that are read back in the browser. */
export function apiMetaTags(): { name: string; content: string }[] {
  const { url, publishableKey } = readEndpoint();
  return [
    { name: URL_META, content: url },
    { name: KEY_META, content: publishableKey },
  ];
}

/** Returns the endpoint with its full address. Browser only. */
export function browserApiEndpoint(): ApiEndpoint {
  const { url, publishableKey } = readEndpoint();
  return { url: url.includes(':') ? url : window.location.origin + url, publishableKey };
}

function readMeta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
