/**
 * True if security keys and passkeys work on this page. WebAuthn requires a secure context and a domain name instead of
 * an IP address.
 */
export function supportsWebAuthn(): boolean {
  const { hostname } = window.location;
  return (
    'PublicKeyCredential' in window && window.isSecureContext && !/^[\d.]+$|:/.test(hostname.replace(/^\[|\]$/g, ''))
  );
}
