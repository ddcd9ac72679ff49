/**
 * The headers that every answer carries. Pages are cached as one body for all visitors, so the Content-Security-Policy
 * names the inline scripts of that very page by their hash instead of a nonce.
 */
import { hash } from 'node:crypto';
import type { Config } from '../backend/config.ts';

/** Scripts of these types are data: the browser does not run them and the policy does not concern them. */
const DATA_SCRIPT = /\btype="(application\/(ld\+)?json)"/;

/** Headers of everything, whoever answers it. */
export function commonHeaders(config: Config): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(config.SITE_URL?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

/**
 * Headers of an HTML page. `frameAncestors` are the origins that may frame it: the page's own wish, taken from its
 * Content-Security-Policy header, else only the site itself.
 */
export function pageHeaders(config: Config, html: Buffer, givenPolicy: string | null): Record<string, string> {
  const frameAncestors = /frame-ancestors ([^;]+)/.exec(givenPolicy ?? '')?.[1]?.trim() ?? "'self'";
  const api = config.SUPABASE_URL ? ` ${new URL(config.SUPABASE_URL).origin}` : '';
  const policy = [
    "default-src 'self'",
    `script-src 'self'${inlineScriptHashes(html)}`,
    // React sets style attributes, and charts and motion need them.
    "style-src 'self' 'unsafe-inline'",
    // Editors may paste the address of a picture on another host.
    `img-src 'self' data: blob: https:${api}`,
    `media-src 'self' blob: https:${api}`,
    `connect-src 'self'${api}`,
    // The scheduling page of the booking section.
    "frame-src 'self' https:",
    `frame-ancestors ${frameAncestors}`,
    "form-action 'self'",
    "base-uri 'self'",
    "object-src 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(frameAncestors === "'self'" ? { 'x-frame-options': 'SAMEORIGIN' } : {}),
    ...(config.PREVIEW_GATE ? { 'x-robots-tag': 'noindex' } : {}),
  };
}

/** Works on the bytes: making a string of every page would take longer than the rest of this. */
function inlineScriptHashes(html: Buffer): string {
  const hashes = new Set<string>();
  for (let start = html.indexOf('<script'); start >= 0; start = html.indexOf('<script', start)) {
    const codeStart = html.indexOf('>', start) + 1;
    const codeEnd = html.indexOf('</script>', codeStart);
    if (codeStart === 0 || codeEnd < 0) break;
    const tag = html.toString('latin1', start, codeStart);
    if (!/\ssrc=/.test(tag) && !DATA_SCRIPT.test(tag)) {
      hashes.add(hash('sha256', html.subarray(codeStart, codeEnd), 'base64'));
    }
    start = codeEnd;
  }
  return [...hashes].map((digest) => ` 'sha256-${digest}'`).join('');
}
