/**
 * External sources that a page may load from. They are the part of the Content-Security-Policy that depends on the
 * content. A document keeps its policy during client-side navigation, so components check it before they load an
 * external source.
 */
import { createContext, useContext } from 'react';

/** Sources in addition to 'self': origins, or schemes with a colon. */
export interface PagePolicy {
  pictures: readonly string[];
  frames: readonly string[];
  media: readonly string[];
}

/** Fallback policy. */
export const CLOSED_POLICY: PagePolicy = { pictures: ['data:', 'blob:'], frames: [], media: [] };

/** Policy of the current document, which client-side navigation does not change. */
export const DocumentPolicy = createContext(CLOSED_POLICY);

/** Returns a predicate for URLs that the document may load. URLs on the site are always allowed. */
export function useAllowed(kind: keyof PagePolicy): (url: string) => boolean {
  const sources = useContext(DocumentPolicy)[kind];
  return (url) => isAllowed(sources, url);
}

/** Returns the directives that the server adds to the header. `styleHash` allows one inline style. */
export function policyDirectives({ pictures, frames, media }: PagePolicy, styleHash?: string): string {
  const sources = { 'img-src': pictures, 'frame-src': frames, 'media-src': media };
  const directives = Object.entries(sources).map(([directive, origins]) => [directive, "'self'", ...origins].join(' '));
  return [...directives, ...(styleHash ? [`style-src '${styleHash}'`] : [])].join('; ');
}

/** True for an origin with exactly one host, which is safe to put into a header. */
export function isPlainOrigin(text: string): boolean {
  return /^https?:\/\/[\w.:[\]-]+$/.test(text);
}

/** Placeholder base URL. URLs that resolve to its origin are on the site. */
const BASE = 'https://the-site.invalid';

function isAllowed(sources: readonly string[], url: string): boolean {
  if (!URL.canParse(url, BASE)) return false;
  const { origin, protocol } = new URL(url, BASE);
  return origin === BASE || sources.includes(origin) || sources.includes(protocol);
}
