/** Explains to an admin why the content security policy blocks a picture. */
export function explainBlockedPicture(url: string): string {
  return /^\s*https:/i.test(url)
    ? 'Reload this page to show pictures from that site.'
    : 'Only pictures with an https URL can be shown.';
}
