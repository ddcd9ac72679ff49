/** Default texts of the site, which the assistant also uses. {site} is the site's name. */

export const DEFAULT_CONTACT_EMAIL = 'hello@example.com';

/** Address lines in the footer of every page. */
export const DEFAULT_ADDRESS = ['{site}', 'Oslo, Norway'];

export const DEFAULT_CAREERS =
  'We hire one person at a time, for craft. If you build reliable systems or write sentences that people answer, send us something you made and why you made it that way.';
