/**
 * Tells whether a signed token is in its one canonical spelling: base64url without padding, spare bits at the end of
 * each part zero (RFC 7515, 2). Otherwise a token has many spellings, each of which is remembered and refused by
 * itself.
 */
export function isCompactToken(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
