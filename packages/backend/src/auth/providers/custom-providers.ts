/** Providers from auth.custom_oauth_providers (internal/api/provider/custom_oauth.go of Supabase Auth). */

import { externalFetch, publicFetch } from '../../http/external-fetch.ts';
import type { CustomProviderRow } from './custom-provider-rows.ts';
import { createOauth2Provider } from './oauth2-provider.ts';
import type { OpenIdIssuers } from './openid-issuers.ts';
import { createOpenIdProvider, type OpenIdSettings } from './openid-provider.ts';
import { standardProfile } from './profiles.ts';
import type { ExternalProfile, Provider } from './provider.ts';

/** Maximum length of a user's custom claims as JSON, in characters. */
const MAX_CUSTOM_CLAIMS = 10_000;

/** Returns the fetch function for URLs set by an administrator. */
export function customFetcher(allowsPrivateNetworks: boolean) {
  return allowsPrivateNetworks ? externalFetch : publicFetch;
}

/** Returns the settings of an OpenID provider, or undefined for other providers. */
export function customOpenIdSettings(
  row: CustomProviderRow,
  allowsPrivateNetworks: boolean,
): OpenIdSettings | undefined {
  if (row.provider_type !== 'oidc' || !row.issuer) return undefined;
  return {
    name: row.identifier,
    issuer: row.issuer,
    discoveryUrl: row.discovery_url ?? undefined,
    fetcher: customFetcher(allowsPrivateNetworks),
    clientIds: [row.client_id, ...row.acceptable_client_ids],
    clientSecret: row.client_secret,
    scopes: row.scopes,
    parameters: row.authorization_params,
    usesPkce: row.pkce_enabled,
    usesNonce: !row.skip_nonce_check,
    skipsNonceCheck: row.skip_nonce_check,
    isEmailOptional: row.email_optional,
    toProfile: (_name, claims) => customProfile(row, claims),
  };
}

export function customProvider(
  row: CustomProviderRow,
  issuers: OpenIdIssuers,
  allowsPrivateNetworks: boolean,
): Provider {
  const openId = customOpenIdSettings(row, allowsPrivateNetworks);
  if (openId) return createOpenIdProvider(openId, issuers);
  return createOauth2Provider({
    authorizationUrl: row.authorization_url ?? '',
    tokenUrl: row.token_url ?? '',
    userinfoUrl: row.userinfo_url ?? '',
    clientId: row.client_id,
    clientSecret: row.client_secret,
    scopes: row.scopes,
    parameters: row.authorization_params,
    usesPkce: row.pkce_enabled,
    isEmailOptional: row.email_optional,
    fetcher: customFetcher(allowsPrivateNetworks),
    toProfile: (claims) => customProfile(row, { ...claims, iss: row.userinfo_url ?? '' }),
  });
}

/** @throws Error if no claim identifies the user */
function customProfile(row: CustomProviderRow, claims: Record<string, unknown> & { iss: string }): ExternalProfile {
  const mapped = new Map(Object.entries(claims));
  for (const [target, source] of Object.entries(row.attribute_mapping)) {
    if (typeof source !== 'string') mapped.set(target, source);
    else if (Object.hasOwn(claims, source)) mapped.set(target, claims[source]);
  }
  // The provider's `email_verified` applies to its claim `email`, not to another claim that is mapped to it.
  const providerEmail = claims['email'];
  if (providerEmail !== undefined && providerEmail !== mapped.get('email')) mapped.set('email_verified', false);
  const sub = mapped.get('sub');
  const subject = typeof sub === 'number' ? String(sub) : sub;
  if (typeof subject !== 'string' || subject === '' || subject.length > 255) {
    throw new Error(`${row.identifier} returns no user id. Map one of its claims to sub`);
  }
  const profile = standardProfile(row.identifier, {
    ...Object.fromEntries(mapped),
    iss: claims.iss,
    sub: subject,
  });
  const customClaims = allowedClaims(row, claims);
  if (customClaims) profile.claims['custom_claims'] = customClaims;
  return profile;
}

function allowedClaims(row: CustomProviderRow, claims: Record<string, unknown>) {
  const allowed = row.custom_claims_allowlist
    .filter((key) => Object.hasOwn(claims, key))
    .map((key) => [key, claims[key]]);
  if (allowed.length === 0) return undefined;
  if (JSON.stringify(allowed).length > MAX_CUSTOM_CLAIMS) throw new Error(`${row.identifier} sends too many claims`);
  return Object.fromEntries(allowed);
}
