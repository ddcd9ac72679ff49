export interface ExternalEmail {
  /** In lower case. */
  email: string;
  /** True when the provider vouches for the address. */
  verified: boolean;
  primary: boolean;
}

/** Person as a provider describes them. */
export interface ExternalProfile {
  /** As auth.identities names it. */
  provider: string;
  /** The person's id at the provider, which never changes. */
  subject: string;
  emails: ExternalEmail[];
  /** Becomes identity_data, and is merged into the account's user_metadata. Without the e-mail address. */
  claims: Record<string, unknown>;
}

/** Request that the browser carries to a provider. */
export interface AuthorizationRequest {
  /** Address that the provider sends the browser back to: GET /callback. */
  redirectUri: string;
  state: string;
  /** Kept here, and shown to the provider with the code. */
  codeVerifier: string;
  /** Beyond what the provider's sign-in needs anyway. */
  scopes: string[];
  /** Parameters that the provider's documentation knows, such as prompt or login_hint. */
  parameters: Record<string, string>;
}

/** Callback parameters of the provider. */
export interface AuthorizationAnswer {
  parameters: URLSearchParams;
  redirectUri: string;
  state: string;
  codeVerifier: string;
}

/** Person who came back, and the provider's own tokens, which the client may want to use. */
export interface ProviderSignIn {
  profile: ExternalProfile;
  accessToken: string;
  refreshToken: string | undefined;
}

/** An OAuth or OpenID Connect provider (redirect sign-in). */
export interface Provider {
  /** True when people without an e-mail address may come. */
  emailOptional?: boolean;
  /** @throws Error when the provider does not answer */
  authorizationUrl(request: AuthorizationRequest): Promise<URL>;
  /** @throws Error when the answer is not the provider's, or the provider does not take its code */
  signIn(answer: AuthorizationAnswer): Promise<ProviderSignIn>;
}
