/** Tells an admin why the policy of this document keeps a picture from being shown. */
export function explainBlockedPicture(address: string): string {
  return /^\s*https:/i.test(address)
    ? 'Pictures from another site show here once this page is reloaded.'
    : 'Only pictures with an https address can be shown.';
}
