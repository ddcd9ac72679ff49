/** A browser for sign-ins at a provider. It follows redirects and keeps cookies. */
import type { TestBackend } from './test-backend.ts';

/** SITE_URL of the sites that these browsers visit. */
export const SITE = 'https://signalfjord.example.com';

export interface TestBrowser {
  /** fetch with the browser's cookies, for pages of the site. Does not follow redirects. */
  fetch: typeof fetch;
  /** Opens a URL and follows redirects up to the first page of the site. @returns the URL of that page */
  open(url: string): Promise<URL>;
  /** Follows redirects up to the site's callback, without opening it. */
  openUntilCallback(url: string): Promise<URL>;
}

export function newBrowser(site: TestBackend): TestBrowser {
  const cookies = new Map<string, Map<string, string>>();

  const fetchWithCookies: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const jar = cookies.get(url.host) ?? new Map<string, string>();
    cookies.set(url.host, jar);
    const headers = new Headers(request.headers);
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(new Request(request, { headers, redirect: 'manual' }));
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return response;
  };

  async function follow(start: string, isDestination: (url: URL) => boolean): Promise<URL> {
    let url = toLocalUrl(site, start);
    for (let steps = 0; steps < 12; steps++) {
      if (isDestination(url)) return url;
      const response = await fetchWithCookies(url);
      const location = response.headers.get('location');
      if (!location) throw new Error(`${url} returned ${response.status}: ${await response.text()}`);
      url = toLocalUrl(site, new URL(location, url).href);
    }
    throw new Error(`${start} redirects endlessly`);
  }

  const isOnSite = (url: URL) => url.origin === new URL(site.url).origin;
  return {
    fetch: fetchWithCookies,
    open: (url) => follow(url, (page) => isOnSite(page) && !page.pathname.startsWith('/auth/v1/')),
    openUntilCallback: (url) => follow(url, ({ pathname }) => pathname === '/auth/v1/callback'),
  };
}

/** Replaces the public origin of the site with its local one. */
function toLocalUrl(site: TestBackend, url: string): URL {
  return new URL(url.replace(SITE, site.url));
}

/** Parses the #fragment of a URL. */
export function parseFragment(url: URL): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.hash.slice(1)));
}
