/**
 * Pages that emails link to. They have a token in the URL, or are signed-in pages marked with `from=mail`. They skip
 * the start-up overlay and the gate. Access still requires a valid token or session.
 */

/**
 * Regular expression source for the path and query of such a page. Inlined in the first script, so it must not use imports.
 */
export const MAILED_PAGE =
  '^/(approve|booking|lead|result|contact/confirm)/[\\w-]+([?]|$)|^/newsletter/\\w+[?]|^/auth/(confirm[?]|reset-password)|[?&]from=mail(&|#|$)|[?&]back=[^&]*from%3Dmail';

const PATTERN = new RegExp(MAILED_PAGE);

/**
 * True if emails link to the page.
 * @param href path and query
 */
export function isMailedPage(href: string): boolean {
  return PATTERN.test(href);
}
