/**
 * Authentication methods, with their names in the amr claim.
 * @see https://github.com/supabase/auth/blob/master/internal/models/factor.go
 */
export type AuthenticationMethod =
  | 'password'
  | 'otp'
  | 'magiclink'
  | 'recovery'
  | 'email/signup'
  | 'invite'
  | 'email_change'
  | 'anonymous'
  | 'oauth'
  | 'oauth_provider/authorization_code'
  | 'sso/saml'
  | 'web3'
  | 'passkey'
  | 'totp'
  | 'mfa/phone'
  | 'mfa/webauthn'
  | 'mfa/recovery_code';

/** Authenticator assurance level: aal2 requires a second factor. */
export type AssuranceLevel = 'aal1' | 'aal2';
