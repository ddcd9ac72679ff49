/**
 * All error codes of the auth service, with the status and message of Supabase Auth. The official client maps some
 * codes to its own classes (session_not_found, weak_password).
 */
import { ApiError } from '../http/api-error.ts';

const ERRORS = {
  bad_json: [400, 'Could not parse request body as JSON'],
  validation_failed: [400, 'The request is not valid'],
  invalid_credentials: [400, 'Invalid login credentials'],
  email_not_confirmed: [400, 'Email not confirmed'],
  user_banned: [400, 'User is banned'],
  phone_not_confirmed: [400, 'Phone not confirmed'],
  phone_provider_disabled: [400, 'Phone logins are disabled'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  session_expired: [400, 'Invalid Refresh Token: Session Expired'],
  bad_code_verifier: [400, 'code challenge does not match previously saved code verifier'],
  saml_assertion_no_user_id: [
    400,
    'SAML Assertion did not contain a persistent Subject Identifier attribute or Subject NameID uniquely identifying this user',
  ],
  saml_assertion_no_email: [400, 'SAML Assertion does not contain an email address'],
  saml_metadata_fetch_failed: [400, 'SAML Metadata could not be fetched'],
  saml_entity_id_mismatch: [400, 'SAML Metadata belongs to another Identity Provider'],
  sso_domain_already_exists: [400, 'SSO Domain is already assigned to an SSO identity provider'],
  current_password_invalid: [400, 'The current password is incorrect'],
  reauthentication_needed: [400, 'Password update requires reauthentication'],
  reauthentication_not_valid: [400, 'Nonce has expired or is invalid'],
  webauthn_challenge_not_found: [400, 'Challenge not found or already used'],
  webauthn_challenge_expired: [400, 'Challenge has expired'],
  webauthn_verification_failed: [400, 'Credential verification failed'],
  web3_unsupported_chain: [400, 'Unsupported chain'],
  bad_oauth_callback: [400, 'OAuth callback with missing authorization code missing'],
  bad_oauth_state: [400, 'OAuth state not found or expired'],
  oauth_invalid_state: [400, 'OAuth state is invalid'],
  no_authorization: [401, 'This endpoint requires a valid Bearer token'],
  bad_jwt: [403, 'invalid JWT: unable to parse or verify signature'],
  session_not_found: [403, 'Session from session_id claim in JWT does not exist'],
  oauth_dynamic_client_registration_disabled: [403, 'Dynamic client registration is not enabled'],
  not_admin: [403, 'User not allowed'],
  insufficient_aal: [403, 'AAL2 required'],
  otp_expired: [403, 'Token has expired or is invalid'],
  flow_state_expired: [403, 'invalid flow state, flow state has expired'],
  flow_state_not_found: [404, 'invalid flow state, no valid flow state found'],
  user_not_found: [404, 'User not found'],
  mfa_factor_not_found: [404, 'Factor not found'],
  feature_disabled: [404, 'The feature is disabled'],
  oauth_client_not_found: [404, 'OAuth client not found'],
  oauth_authorization_not_found: [404, 'authorization not found'],
  oauth_consent_not_found: [404, 'No active grant found for this client'],
  saml_provider_disabled: [404, 'SAML 2.0 is disabled'],
  sso_provider_not_found: [404, 'No such SSO provider'],
  sso_provider_disabled: [404, 'SSO Provider assigned for this domain is currently disabled'],
  saml_idp_not_found: [404, 'A SAML connection has not been established with this Identity Provider'],
  saml_relay_state_not_found: [404, 'SAML RelayState does not exist, try logging in again?'],
  custom_provider_not_found: [404, 'Custom OAuth provider not found'],
  manual_linking_disabled: [404, 'Manual linking is disabled'],
  email_exists: [422, 'A user with this email address has already been registered'],
  phone_exists: [422, 'A user with this phone number has already been registered'],
  captcha_failed: [400, 'captcha protection: request disallowed'],
  sms_send_failed: [422, 'Error sending confirmation OTP to provider'],
  user_already_exists: [422, 'User already registered'],
  user_sso_managed: [422, 'Updating email, phone, password of a SSO account only possible via SSO'],
  saml_relay_state_expired: [422, 'SAML RelayState has expired. Try logging in again?'],
  saml_idp_already_exists: [422, 'SAML Identity Provider with this EntityID already exists'],
  conflict: [422, 'The request conflicts with another one'],
  same_password: [422, 'New password should be different from the old password.'],
  weak_password: [422, 'Password is too weak'],
  signup_disabled: [422, 'Signups not allowed for this instance'],
  anonymous_provider_disabled: [422, 'Anonymous sign-ins are disabled'],
  web3_provider_disabled: [422, 'Web3 provider is disabled'],
  too_many_enrolled_mfa_factors: [422, 'Maximum number of verified factors reached, unenroll to continue'],
  too_many_passkeys: [422, 'Maximum number of passkeys reached'],
  webauthn_credential_exists: [422, 'This credential is already registered'],
  mfa_factor_name_conflict: [422, 'A factor with this friendly name already exists'],
  mfa_verified_factor_exists: [422, 'A verified factor already exists'],
  mfa_recovery_codes_sole_factor: [422, 'At least one other verified factor is required to generate recovery codes'],
  mfa_ip_address_mismatch: [422, 'Challenge and verify IP addresses mismatch.'],
  mfa_challenge_expired: [422, 'MFA challenge has expired'],
  mfa_verification_failed: [422, 'MFA verification failed'],
  mfa_phone_verify_not_enabled: [422, 'MFA verification is disabled for Phone'],
  mfa_phone_enroll_not_enabled: [422, 'MFA enroll is disabled for Phone'],
  provider_disabled: [422, 'Provider is disabled'],
  mfa_recovery_codes_locked: [429, 'Too many failed verification attempts, try again later'],
  identity_already_exists: [422, 'Identity is already linked'],
  identity_not_found: [422, "Identity doesn't exist"],
  single_identity_not_deletable: [422, 'User must have at least 1 identity after unlinking'],
  email_conflict_identity_not_deletable: [422, 'Unable to unlink identity due to email conflict'],
  provider_email_needs_verification: [422, 'Unverified email'],
  over_request_rate_limit: [429, 'Request rate limit reached'],
  over_sms_send_rate_limit: [429, 'SMS rate limit exceeded'],
  over_email_send_rate_limit: [429, 'email rate limit exceeded'],
  unexpected_failure: [500, 'Something went wrong on our side'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type AuthErrorCode = keyof typeof ERRORS;

/** Creates an error with the default message and status of its code, unless others are passed. */
export function authError(code: AuthErrorCode, message?: string, status?: number): ApiError {
  const [defaultStatus, defaultMessage] = ERRORS[code];
  return new ApiError(status ?? defaultStatus, code, message ?? defaultMessage);
}

export type WeakPasswordReason = 'length' | 'characters';

/** 422 weak_password: the only error whose body has more than a code and a message. */
export class WeakPasswordError extends ApiError {
  readonly reasons: WeakPasswordReason[];

  constructor(message: string, reasons: WeakPasswordReason[]) {
    super(ERRORS.weak_password[0], 'weak_password', message);
    this.reasons = reasons;
  }
}

/** Errors of the id_token and web3 grants and of the OAuth server, in OAuth's format: `{error, error_description}`. */
export class OAuthError extends ApiError {
  constructor(error: string, description: string, status = 400) {
    super(status, error, description);
  }
}
