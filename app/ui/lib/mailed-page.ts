/**
 * Pages that are opened by a link in one of our mails: those whose address holds a token, and pages behind the sign-in that
 * a mail marks with `from=mail`. They are shown without the start-up overlay, and the preview gate lets them pass. What
 * they show is decided by their token or by the session, never by their address.
 */

/**
 * Source of a regular expression for path and query of such a page. The inline script that runs before the first paint
 * contains it, so it uses nothing that needs an import.
 */
export const MAILED_PAGE =
  '^/(approve|booking|contact/confirm)/[\\w-]+([?]|$)|^/newsletter/\\w+[?]|^/auth/(confirm[?]|reset-password)|[?&]from=mail(&|#|$)|[?&]back=[^&]*from%3Dmail';

const PATTERN = new RegExp(MAILED_PAGE);

/** Returns whether a mail links to that page. @param href path and query */
export function isMailedPage(href: string): boolean {
  return PATTERN.test(href);
}
