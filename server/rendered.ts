/** Converts a rendered Response to a StoredResponse, which can be sent and cached. */
import type { Config } from '@signalfjord/backend';
import type { Rendered } from './render-queue.ts';
import { pageHeaders } from './security-headers.ts';
import { StoredResponse } from './stored-response.ts';

/** Responses with one of these directives must not be shared. */
const NOT_PUBLIC = /no-store|private/;

export interface PageDependencies {
  config: Config;
  /** Content of the style element of every page. */
  stylesheet: string;
  /** Headers of every response. */
  common: Record<string, string>;
}

/** Returns the response with its headers, and whether it may be shared. */
export async function toRendered(
  response: Response,
  { config, stylesheet, common }: PageDependencies,
): Promise<Rendered> {
  const headers = { ...Object.fromEntries(response.headers), ...common };
  const body = Buffer.from(await response.arrayBuffer());
  if (headers['content-type']?.startsWith('text/html')) {
    const pagePolicy = headers['content-security-policy'] ?? null;
    Object.assign(headers, pageHeaders({ config, html: body, stylesheet, pagePolicy }));
  }
  const isPublic =
    (response.status === 200 || response.status === 404) &&
    !response.headers.has('set-cookie') &&
    !NOT_PUBLIC.test(headers['cache-control'] ?? '');
  // Browsers cache pages but revalidate them.
  if (isPublic) headers['cache-control'] ??= 'public, no-cache';
  // CDN-Cache-Control (RFC 9213) is only read by CDNs. Browsers and other caches still revalidate.
  if (isPublic && response.status === 200 && cdnSeconds(config) > 0) {
    headers['cdn-cache-control'] = `public, max-age=${cdnSeconds(config)}`;
  }
  return { response: new StoredResponse(response.status, headers, body), isPublic };
}

/** Returns the CDN cache time in seconds. The time is longer if the server can purge the CDN. */
function cdnSeconds({ CDN_SECONDS, CDN_PURGE_URL, SUPABASE_URL }: Config): number {
  return CDN_SECONDS ?? (CDN_PURGE_URL && !SUPABASE_URL ? 3600 : 0);
}
