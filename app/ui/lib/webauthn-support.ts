/**
 * Tells whether security keys and passkeys can be used at this address: browsers want WebAuthn, a secure page, and a
 * name rather than an IP address.
 */
export function supportsWebAuthn(): boolean {
  const { hostname } = window.location;
  return (
    'PublicKeyCredential' in window && window.isSecureContext && !/^[\d.]+$|:/.test(hostname.replace(/^\[|\]$/g, ''))
  );
}
