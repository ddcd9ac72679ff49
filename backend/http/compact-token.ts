/**
 * Whether the parts of a signed token are spelled as they are written: in base64url without padding, spare bits at
 * their end zero (RFC 7515, 2). Otherwise a token has many spellings, of which each is remembered and refused by itself.
 */
export function isCompactToken(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
