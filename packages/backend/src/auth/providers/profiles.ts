/**
 * Profiles from the claims of ID tokens, in the format of Supabase Auth's identity_data
 * (internal/api/provider/oidc.go). Only the claims listed here are stored.
 */
import { z } from 'zod';
import { EMAIL_PATTERN } from '../../http/email-pattern.ts';
import type { IdTokenClaims } from './openid-issuers.ts';
import type { ExternalEmail, ExternalProfile } from './provider.ts';

export type Claims = IdTokenClaims & Record<string, unknown>;

/** Converts the claims to that provider's profile. */
export type ProfileConverter = (provider: string, claims: Claims) => ExternalProfile;

const address = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email({ pattern: EMAIL_PATTERN }).max(255));

/** Returns an address from a provider. Empty if it is not an email address. */
export function externalEmail(email: unknown, verified: boolean, primary = true): ExternalEmail[] {
  const result = address.safeParse(email);
  return result.success ? [{ email: result.data, verified, primary }] : [];
}

export const standardProfile: ProfileConverter = (provider, claims) =>
  profile(provider, claims, isTrue(claims['email_verified']), {
    name: claims['name'] ?? fullName(claims),
    given_name: claims['given_name'],
    family_name: claims['family_name'],
    nickname: claims['nickname'],
    preferred_username: claims['preferred_username'],
    picture: claims['picture'],
    locale: claims['locale'],
  });

export const googleProfile: ProfileConverter = (provider, claims) =>
  profile(provider, claims, isTrue(claims['email_verified']), {
    name: claims['name'],
    full_name: claims['name'],
    picture: claims['picture'],
    avatar_url: claims['picture'],
    custom_claims: typeof claims['hd'] === 'string' ? { hd: claims['hd'] } : undefined,
  });

export const appleProfile: ProfileConverter = (provider, claims) =>
  profile(provider, claims, isTrue(claims['email_verified']), {
    custom_claims: 'is_private_email' in claims ? { is_private_email: isTrue(claims['is_private_email']) } : undefined,
  });

/**
 * Microsoft does not verify addresses that a tenant's admin sets, so anyone with a tenant could use any address. The
 * optional claim xms_edov marks verified addresses. If it is missing, addresses are trusted only if the configuration
 * limits sign-in to a single tenant. (Supabase Auth then trusts every tenant.)
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/migrate-off-email-claim-authorization
 */
export const azureProfile =
  (isSingleTenant: boolean): ProfileConverter =>
  (provider, claims) => {
    const edov = claims['xms_edov'];
    const isVerified = edov === undefined ? isSingleTenant : isTrue(edov) || edov === 1 || edov === '1';
    return profile(provider, claims, isVerified, {
      full_name: claims['name'],
      preferred_username: claims['preferred_username'],
      custom_claims: typeof claims['tid'] === 'string' ? { tid: claims['tid'] } : undefined,
    });
  };

function profile(
  provider: string,
  claims: Claims,
  isEmailVerified: boolean,
  optional: Record<string, unknown>,
): ExternalProfile {
  const entries = Object.entries(optional).filter(([, value]) => typeof value === 'object' || isShortText(value));
  return {
    provider,
    subject: claims.sub,
    emails: externalEmail(claims['email'], isEmailVerified),
    claims: { iss: claims.iss, sub: claims.sub, provider_id: claims.sub, ...Object.fromEntries(entries) },
  };
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 2000;
}

/** Some providers send booleans as strings. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

function fullName(claims: Claims): string {
  return [claims['given_name'], claims['family_name']].filter(isShortText).join(' ');
}
