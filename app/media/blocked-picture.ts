/** Explains to an admin why the content security policy blocks a picture. */
export function explainBlockedPicture(address: string): string {
  return /^\s*https:/i.test(address)
    ? 'Reload this page to show pictures from that site.'
    : 'Only pictures with an https address can be shown.';
}
