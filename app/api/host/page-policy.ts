/**
 * Sources outside the site that a page may load from: the part of its Content-Security-Policy that depends on content.
 * A policy stays with the document through every client-side navigation, so components ask here before they load
 * anything that the browser would refuse.
 */
import { createContext, useContext } from 'react';

/** Sources of the policy beside 'self': origins, or schemes with their colon. */
export interface PagePolicy {
  pictures: readonly string[];
  frames: readonly string[];
  media: readonly string[];
}

/** The policy of a document that the server could not make one for. */
export const CLOSED_POLICY: PagePolicy = { pictures: ['data:', 'blob:'], frames: [], media: [] };

/** The policy of the document that is shown, whatever route it has come to meanwhile. */
export const DocumentPolicy = createContext(CLOSED_POLICY);

/** Returns a function that tells whether the document may load an address; those within the site are always allowed. */
export function useAllowed(kind: keyof PagePolicy): (address: string) => boolean {
  const sources = useContext(DocumentPolicy)[kind];
  return (address) => isAllowed(sources, address);
}

/**
 * Returns the directives that the server takes over into the header. `styleHash` allows one style element beside the
 * stylesheet.
 */
export function policyDirectives({ pictures, frames, media }: PagePolicy, styleHash?: string): string {
  const sources = { 'img-src': pictures, 'frame-src': frames, 'media-src': media };
  const directives = Object.entries(sources).map(([directive, origins]) => [directive, "'self'", ...origins].join(' '));
  return [...directives, ...(styleHash ? [`style-src '${styleHash}'`] : [])].join('; ');
}

/** Tells whether the text is an origin that means one host only, and so nothing else in a header either. */
export function isPlainOrigin(text: string): boolean {
  return /^https?:\/\/[\w.:[\]-]+$/.test(text);
}

/** Any base will do: an address that is still at it leads into the site. */
const THE_SITE = 'https://the-site.invalid';

function isAllowed(sources: readonly string[], address: string): boolean {
  if (!URL.canParse(address, THE_SITE)) return false;
  const { origin, protocol } = new URL(address, THE_SITE);
  return origin === THE_SITE || sources.includes(origin) || sources.includes(protocol);
}
