/**
 * Headers of every response. Pages are cached for all visitors, so the Content-Security-Policy uses hashes of inline
 * scripts and styles instead of a nonce.
 */

import { hash } from 'node:crypto';
import type { Config } from '@signalfjord/backend';
import { captchaSources } from './captcha.ts';

/** Data blocks, which browsers do not execute and the CSP does not apply to. */
const DATA_SCRIPT = /\btype="(application\/(ld\+)?json)"/;

/** Hashes of the style element that sonner 2.0.8 adds with the first toast. */
const LIBRARY_STYLES = [
  'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=',
];

/** Returns the headers of every response. */
export function commonHeaders(config: Config): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(config.SITE_URL?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

export interface PageHeadersInput {
  config: Config;
  html: Buffer;
  /** Content of the style element of every page. */
  stylesheet: string;
  /**
   * Content-Security-Policy set by the page. Only its sources for images, media, frames and one style hash are used.
   */
  pagePolicy: string | null;
}

/**
 * Returns the headers of an HTML page. Framing is allowed from the same origin only, unless the page names other
 * origins.
 */
export function pageHeaders({ config, html, stylesheet, pagePolicy }: PageHeadersInput): Record<string, string> {
  const pageSources = (directive: 'img-src' | 'media-src' | 'frame-src' | 'frame-ancestors') =>
    new RegExp(`(?:^|;) *${directive} ([^;]+)`).exec(pagePolicy ?? '')?.[1]?.trim() ?? "'self'";
  // Hash of the accent colour style. Only a hash is accepted, so that no page can allow arbitrary styles.
  const pageStyle = /(?:^|;) *style-src ('sha256-[\w+/]{43}=')(?:;|$)/.exec(pagePolicy ?? '')?.slice(1) ?? [];
  const frameAncestors = pageSources('frame-ancestors');
  const api = config.SUPABASE_URL ? [new URL(config.SUPABASE_URL).origin] : [];
  const policy = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...inlineScriptHashes(html)],
    'style-src': ["'self'", ...[sha256(stylesheet), ...LIBRARY_STYLES].map(quote), ...pageStyle],
    'img-src': [pageSources('img-src')],
    'media-src': [pageSources('media-src')],
    'connect-src': ["'self'", ...api],
    'frame-src': [pageSources('frame-src')],
    'frame-ancestors': [frameAncestors],
    'form-action': ["'self'"],
    'base-uri': ["'self'"],
    'object-src': ["'none'"],
  };
  return {
    'content-security-policy': Object.entries(policy)
      .map(([directive, sources]) => [directive, ...sources, ...captchaSources(config, directive)].join(' '))
      .join('; '),
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // A frameable page may also be opened as a popup and talk to its opener.
    ...(frameAncestors === "'self'"
      ? { 'x-frame-options': 'SAMEORIGIN', 'cross-origin-opener-policy': 'same-origin' }
      : {}),
    ...(config.PREVIEW_GATE ? { 'x-robots-tag': 'noindex' } : {}),
  };
}

/** Searches the bytes, because converting every page to a string is slower than hashing. */
function inlineScriptHashes(html: Buffer): string[] {
  const hashes = new Set<string>();
  for (let start = html.indexOf('<script'); start >= 0; start = html.indexOf('<script', start)) {
    const codeStart = html.indexOf('>', start) + 1;
    const codeEnd = html.indexOf('</script>', codeStart);
    if (codeStart === 0 || codeEnd < 0) break;
    const tag = html.toString('latin1', start, codeStart);
    if (!/\ssrc=/.test(tag) && !DATA_SCRIPT.test(tag)) hashes.add(sha256(html.subarray(codeStart, codeEnd)));
    start = codeEnd;
  }
  return [...hashes].map(quote);
}

function sha256(text: string | Buffer): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}

function quote(source: string): string {
  return `'${source}'`;
}
