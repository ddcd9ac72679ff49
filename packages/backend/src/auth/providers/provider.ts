export interface ExternalEmail {
  /** Lower case. */
  email: string;
  /** True if the provider has verified the address. */
  verified: boolean;
  primary: boolean;
}

/** User profile of a provider. */
export interface ExternalProfile {
  /** The provider's name in auth.identities. */
  provider: string;
  /** The user's permanent id at the provider. */
  subject: string;
  emails: ExternalEmail[];
  /**
   * Claims that are stored as identity_data and merged into the account's user_metadata. The email address is not
   * included.
   */
  claims: Record<string, unknown>;
}

/** Authorization request that the browser sends to a provider. */
export interface AuthorizationRequest {
  /** Redirect URI: GET /callback. */
  redirectUri: string;
  state: string;
  /** Code verifier. It is stored here, and sent to the provider with the code. */
  codeVerifier: string;
  /** Scopes beyond those that the provider's sign-in needs. */
  scopes: string[];
  /** Parameters of the provider, such as prompt or login_hint. */
  parameters: Record<string, string>;
}

/** Callback parameters of the provider. */
export interface AuthorizationResponse {
  parameters: URLSearchParams;
  redirectUri: string;
  state: string;
  codeVerifier: string;
}

/** Profile and provider tokens returned by the OAuth callback. */
export interface ProviderSignIn {
  profile: ExternalProfile;
  accessToken: string;
  refreshToken: string | undefined;
}

/** An OAuth or OpenID Connect provider (redirect sign-in). */
export interface Provider {
  /** True if users without an email address can sign in. */
  isEmailOptional?: boolean;
  /** @throws Error if the provider does not respond */
  authorizationUrl(request: AuthorizationRequest): Promise<URL>;
  /** @throws Error if the response is not from the provider, or the provider rejects the code */
  signIn(response: AuthorizationResponse): Promise<ProviderSignIn>;
}
