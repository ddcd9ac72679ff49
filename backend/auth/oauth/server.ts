/** The OAuth 2.1 server as a whole: whether it is on, its addresses, and its scopes. */
import type { AuthCall } from '../auth-call.ts';
import { authError } from '../error-codes.ts';

/** What a client may be told about a person; all but the first need nothing else. */
export const SCOPES = ['openid', 'profile', 'email', 'phone'];

export const DEFAULT_SCOPE = 'email';

/** @throws ApiError 404 feature_disabled */
export function requireOAuthServer(call: AuthCall): void {
  if (!call.auth.config.AUTH_OAUTH_SERVER) throw authError('feature_disabled', 'OAuth server is disabled');
}

export function issuerOf(call: AuthCall): string {
  return `${call.siteUrl}/auth/v1`;
}

export function splitScopes(scope: string): string[] {
  return scope.split(/\s+/).filter(Boolean);
}
