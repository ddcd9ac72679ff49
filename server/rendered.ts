/** Turns the answer of a render into one that can be sent, and perhaps kept. */
import type { Config } from '@signalfjord/backend';
import type { Rendered } from './render-queue.ts';
import { pageHeaders } from './security-headers.ts';
import { StoredResponse } from './stored-response.ts';

/** Answers of a render that others must not get carry one of these. */
const NOT_PUBLIC = /no-store|private/;

export interface PageParts {
  config: Config;
  /** The text of the style element that every page carries. */
  stylesheet: string;
  /** Headers of every answer. */
  common: Record<string, string>;
}

/** Returns the answer of a render with its headers, and whether everybody may be given it. */
export async function toRendered(response: Response, { config, stylesheet, common }: PageParts): Promise<Rendered> {
  const headers = { ...Object.fromEntries(response.headers), ...common };
  const body = Buffer.from(await response.arrayBuffer());
  if (headers['content-type']?.startsWith('text/html')) {
    const givenPolicy = headers['content-security-policy'] ?? null;
    Object.assign(headers, pageHeaders({ config, html: body, stylesheet, givenPolicy }));
  }
  const isPublic =
    (response.status === 200 || response.status === 404) &&
    !response.headers.has('set-cookie') &&
    !NOT_PUBLIC.test(headers['cache-control'] ?? '');
  // Browsers keep pages but ask whether they still hold before showing them.
  if (isPublic) headers['cache-control'] ??= 'public, no-cache';
  // Only a CDN reads it (RFC 9213): browsers and other caches go on asking.
  if (isPublic && response.status === 200 && cdnSeconds(config) > 0) {
    headers['cdn-cache-control'] = `public, max-age=${cdnSeconds(config)}`;
  }
  return { response: new StoredResponse(response.status, headers, body), isPublic };
}

/** Returns how long a CDN keeps pages, in seconds. It keeps them longer if the server can tell it of changes. */
function cdnSeconds({ CDN_SECONDS, CDN_PURGE_URL, SUPABASE_URL }: Config): number {
  return CDN_SECONDS ?? (CDN_PURGE_URL && !SUPABASE_URL ? 3600 : 0);
}
