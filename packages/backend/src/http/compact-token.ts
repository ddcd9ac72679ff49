/**
 * Returns whether a signed token is in its canonical form: base64url without padding, with zeros in the unused bits of
 * each part (RFC 7515, 2). Otherwise one token could be encoded in many ways, and each encoding would be cached
 * and revoked separately.
 */
export function isCompactToken(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
