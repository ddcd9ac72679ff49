/**
 * POST /token?grant_type=id_token: exchanges an ID token, which the app obtained directly from the issuer, for a
 * session. Checks and error messages are those of Supabase Auth (internal/api/token_oidc.go).
 */
import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { type AuthCall, type Endpoint, readBody, requireNotSso, requireUser } from '../auth-call.ts';
import { authError, OAuthError } from '../error-codes.ts';
import { ensureAccount, type LinkTarget, linkToAccount, retryOnConflict } from '../external-accounts.ts';
import { requireSecondFactor } from '../factors/factor-rows.ts';
import type { IdTokenClaims } from '../providers/openid-issuers.ts';
import type { OpenIdSettings } from '../providers/openid-provider.ts';
import type { ExternalProfile } from '../providers/provider.ts';
import { openSession, tokenJson } from '../sessions.ts';

const textField = z.string().max(4096).default('');
const body = z.object({
  id_token: z.string().max(20_000).default(''),
  access_token: z.string().max(20_000).default(''),
  nonce: textField,
  provider: textField,
  client_id: textField,
  issuer: textField,
  link_identity: z.boolean().default(false),
});
type Fields = z.output<typeof body>;

const invalid = (description: string) => new OAuthError('invalid request', description);

export const idTokenGrant: Endpoint = async (call) => {
  const fields = await readBody(call, body);
  const { database, limits } = call.auth;
  await limits.signInPerAddress.consume(call.address);
  if (!fields.id_token) throw invalid('id_token required');
  if (!fields.provider && (!fields.client_id || !fields.issuer)) {
    throw invalid('provider or client_id and issuer required');
  }
  const linkTo = fields.link_identity ? await requireLinkTarget(call) : undefined;
  const settings = await findProvider(call, fields);
  const profile = await readProfile(call, settings, fields);
  const { user, session } = await retryOnConflict(() =>
    database.transaction(async (tx) => {
      const user = linkTo ? await linkToAccount(tx, call, linkTo, profile) : await ensureAccount(tx, call, profile);
      return { user, session: await openSession(tx, call, user, { method: 'oauth', provider: settings.name }) };
    }),
  );
  return Response.json(await tokenJson(call, user, session));
};

/**
 * Returns the account to link the identity to.
 * @throws ApiError 404 manual_linking_disabled, 422 user_sso_managed, 401, 403; OAuthError 400 without a token
 */
async function requireLinkTarget(call: AuthCall): Promise<LinkTarget> {
  if (!call.auth.config.AUTH_MANUAL_LINKING) throw authError('manual_linking_disabled');
  if (!call.request.headers.get('authorization')) {
    throw invalid('Linking requires a valid user access token in Authorization');
  }
  const signedIn = await requireUser(call);
  requireNotSso(signedIn);
  requireSecondFactor(signedIn, 'AAL2 required to link or unlink an identity');
  return { userId: signedIn.user.id, sessionId: signedIn.sessionId };
}

/** @throws ApiError 400 validation_failed or provider_disabled */
async function findProvider(call: AuthCall, { provider, issuer }: Fields): Promise<OpenIdSettings> {
  const { openId, customOpenId } = call.auth.providers;
  const name = provider.toLowerCase();
  // Clients may name the issuer instead of the provider.
  const findByIssuer = (value: string) =>
    [...openId.values()].find((entry) => entry.issuer === value || entry.acceptsIssuer?.(value));
  const settings =
    openId.get(name) ?? (issuer ? findByIssuer(issuer) : undefined) ?? (provider ? findByIssuer(provider) : undefined);
  if (settings) return settings;
  const url = KNOWN_ISSUERS[name];
  if (url) throw authError('provider_disabled', `Provider (issuer ${JSON.stringify(url)}) is not enabled`, 400);
  if (name.startsWith('custom:')) return customOpenId(name);
  throw authError('validation_failed', `Custom OIDC provider ${JSON.stringify(provider)} not allowed`);
}

const KNOWN_ISSUERS: Record<string, string> = {
  google: 'https://accounts.google.com',
  apple: 'https://appleid.apple.com',
  azure: 'https://login.microsoftonline.com/common/v2.0',
  linkedin_oidc: 'https://www.linkedin.com/oauth',
};

/** @throws OAuthError; ApiError 400 validation_failed if the token was issued by another issuer */
async function readProfile(call: AuthCall, settings: OpenIdSettings, fields: Fields): Promise<ExternalProfile> {
  const { issuers } = call.auth.providers;
  const issuer = readIssuer(settings, fields);
  const claims = await issuers
    .verify({ ...settings, issuer }, fields.id_token, fields.access_token || undefined)
    .catch((error: unknown) => {
      call.auth.log.info({ err: error, issuer }, 'an ID token was rejected');
      throw invalid('Bad ID token');
    });
  requireAudience(settings, claims);
  if (!settings.skipsNonceCheck) requireNonce(claims, fields.nonce);
  return settings.toProfile(settings.name, claims);
}

/**
 * Returns the issuer in the token, for providers with several issuers. The signature is checked with that issuer's
 * keys.
 */
function readIssuer({ issuer, acceptsIssuer }: OpenIdSettings, fields: Fields): string {
  if (!acceptsIssuer) return issuer;
  let detectedIssuer: string | undefined;
  try {
    detectedIssuer = decodeJwt(fields.id_token).iss;
  } catch {
    throw authError('validation_failed', 'Unable to detect issuer in ID token for Azure provider');
  }
  if (!detectedIssuer || !acceptsIssuer(detectedIssuer)) {
    throw authError('validation_failed', 'Detected ID token issuer is not an Azure ID token issuer');
  }
  if (fields.issuer && fields.issuer !== detectedIssuer) {
    throw authError('validation_failed', 'Provided issuer does not match ID token issuer');
  }
  return detectedIssuer;
}

function requireAudience({ clientIds }: OpenIdSettings, { aud }: IdTokenClaims): void {
  const audience = [aud ?? []].flat();
  if (!audience.some((entry) => clientIds.includes(entry))) {
    throw invalid(`Unacceptable audience in id_token: [${audience.join(' ')}]`);
  }
}

/** Compares the nonce with the digest in the token. A leaked token cannot be used, because it lacks the nonce. */
function requireNonce({ nonce: digest }: IdTokenClaims, nonce: string): void {
  if (Boolean(digest) !== Boolean(nonce)) {
    throw invalid('Passed nonce and nonce in id_token should either both exist or not.');
  }
  if (nonce && createHash('sha256').update(nonce).digest('hex') !== digest) {
    throw new OAuthError('invalid nonce', 'Nonces mismatch');
  }
}
