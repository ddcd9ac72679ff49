/**
 * The headers that every answer carries. Pages are cached as one body for all visitors, so the Content-Security-Policy
 * names what is inline by its hash instead of a nonce: scripts as that very page has them, and the few styles there are.
 */

import { hash } from 'node:crypto';
import type { Config } from '@signalfjord/backend';
import { captchaSources } from './captcha.ts';

/** Scripts of these types are data: the browser does not run them and the policy does not concern them. */
const DATA_SCRIPT = /\btype="(application\/(ld\+)?json)"/;

/** The text of the style element that sonner 2.0.8 puts into the page with the first toast, which it adds empty. */
const LIBRARY_STYLES = [
  'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=',
];

/** Returns the headers of every answer. */
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
  /** The text of the style element that every page carries. */
  stylesheet: string;
  /**
   * The page's own Content-Security-Policy header: what it says of pictures, films, frames and one style of its own is
   * taken over, nothing else.
   */
  givenPolicy: string | null;
}

/** Headers of an HTML page. Only the site itself may frame it and be in it, unless the page names others. */
export function pageHeaders({ config, html, stylesheet, givenPolicy }: PageHeadersInput): Record<string, string> {
  const given = (directive: 'img-src' | 'media-src' | 'frame-src' | 'frame-ancestors') =>
    new RegExp(`(?:^|;) *${directive} ([^;]+)`).exec(givenPolicy ?? '')?.[1]?.trim() ?? "'self'";
  // The owner's accent colour. A hash and nothing else: no page can open the policy for styles.
  const ownStyle = /(?:^|;) *style-src ('sha256-[\w+/]{43}=')(?:;|$)/.exec(givenPolicy ?? '')?.slice(1) ?? [];
  const frameAncestors = given('frame-ancestors');
  const api = config.SUPABASE_URL ? [new URL(config.SUPABASE_URL).origin] : [];
  const policy = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...inlineScriptHashes(html)],
    'style-src': ["'self'", ...[sha256(stylesheet), ...LIBRARY_STYLES].map(quoted), ...ownStyle],
    'img-src': [given('img-src')],
    'media-src': [given('media-src')],
    'connect-src': ["'self'", ...api],
    'frame-src': [given('frame-src')],
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
    // A page that others frame may also be opened by them, and then talks to its opener.
    ...(frameAncestors === "'self'"
      ? { 'x-frame-options': 'SAMEORIGIN', 'cross-origin-opener-policy': 'same-origin' }
      : {}),
    ...(config.PREVIEW_GATE ? { 'x-robots-tag': 'noindex' } : {}),
  };
}

/** Works on the bytes: making a string of every page would take longer than the rest of this. */
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
  return [...hashes].map(quoted);
}

function sha256(text: string | Buffer): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}

function quoted(source: string): string {
  return `'${source}'`;
}
