/** Configuration of the OAuth 2.1 server: its URLs, its scopes, and whether it is enabled. */
import type { AuthCall } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import type { UserRow } from '../users.ts';

/** Scopes for profile data of a user. `openid` also adds an ID token. */
export const SCOPES = ['openid', 'profile', 'email', 'phone'];

export const DEFAULT_SCOPE = 'email';

/** @throws ApiError 404 feature_disabled */
export function requireOAuthServer(call: AuthCall): void {
  if (!call.auth.config.AUTH_OAUTH_SERVER) throw authError('feature_disabled', 'OAuth server is disabled');
}

export function issuerUrl(call: AuthCall): string {
  return `${call.siteUrl}/auth/v1`;
}

export function splitScopes(scope: string): string[] {
  return scope.split(/\s+/).filter(Boolean);
}

/** Claims of the scope `profile`: names and pictures from the user's metadata. */
const PROFILE_METADATA = ['name', 'full_name', 'picture', 'avatar_url', 'preferred_username', 'user_name'];

/** Returns the account with the fields that these scopes allow. */
export function userForScopes(user: UserRow, scope: string): UserRow {
  const scopes = splitScopes(scope);
  const metadata = Object.entries(user.raw_user_meta_data ?? {}).filter(([name]) => PROFILE_METADATA.includes(name));
  return {
    ...user,
    ...(scopes.includes('email') ? {} : { email: null, email_confirmed_at: null }),
    ...(scopes.includes('phone') ? {} : { phone: null, phone_confirmed_at: null }),
    email_change: '',
    phone_change: '',
    raw_app_meta_data: {},
    raw_user_meta_data: scopes.includes('profile') ? Object.fromEntries(metadata) : {},
    factors: [],
    identities: [],
  };
}
