/**
 * POST /sso/saml/acs (the assertion consumer service): receives the response of the identity provider through the
 * browser of the user. Single sign-on accounts are separate: an email address from an identity provider never opens an
 * existing account (docs/decisions/identities.md).
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '../../database/database.ts';
import { EMAIL_PATTERN } from '../../http/email-pattern.ts';
import { isUuid } from '../../http/uuid.ts';
import { audit } from '../audit-log.ts';
import { type AuthCall, type Endpoint, requireSignUps } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { asAuthError } from '../error-response.ts';
import { retryOnConflict } from '../external-accounts.ts';
import { issueCode } from '../flow-states.ts';
import { redirectTo, redirectWithError } from '../redirect-responses.ts';
import { allowedRedirect } from '../redirects.ts';
import { openSession, tokenJson } from '../sessions.ts';
import { addClaims, claimsThatFit } from '../user-metadata.ts';
import { insertUser, readUser, type UserRow } from '../users.ts';
import { identityData, mapClaims, readEmail, readIdAndExpiry, readSessionEnd, readSubject } from './assertion.ts';
import { ASSERTION } from './namespaces.ts';
import { refreshIdentityProvider } from './refresh-metadata.ts';
import { SamlResponseError } from './response-shape.ts';
import { CLOCK_SKEW_MS, parseResponse, verifyResponse } from './service-provider.ts';
import { findSsoProvider, findSsoProviderByEntityId, providerName, type SsoProviderRow } from './sso-providers.ts';
import { childrenNamed, type XmlElement } from './xml.ts';

/** Time to sign in at the identity provider, in minutes. */
const RELAY_STATE_MINUTES = 15;

/** A pending sign-in, or one started by the identity provider. */
interface PendingSignIn {
  provider: SsoProviderRow;
  /** Page to redirect to afterwards. Errors are also shown there. */
  target: URL;
  /** Id of the request that the response belongs to. */
  requestId?: string | undefined;
  flowId?: string | null;
  isExpired?: boolean;
}

export const samlAcs: Endpoint = async (call) => {
  if (!call.auth.config.AUTH_SAML) throw authError('saml_provider_disabled');
  let target = new URL(call.siteUrl);
  try {
    await call.auth.limits.ssoPerAddress.consume(call.address);
    const form = new URLSearchParams(await call.request.text());
    const source = decode(form.get('SAMLResponse'));
    const signIn = await findPendingSignIn(call, form.get('RelayState') ?? '', source);
    target = signIn.target;
    return await completeSignIn(call, signIn, source);
  } catch (error) {
    return redirectWithError(target.href, asAuthError(error, { log: call.auth.log, request: call.request }), 303);
  }
};

/** @throws ApiError 400 validation_failed */
function decode(response: string | null): string {
  if (!response) throw authError('validation_failed', 'SAMLResponse is missing');
  const base64 = response.replaceAll(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    throw authError('validation_failed', 'SAMLResponse is not a valid Base64 string');
  }
  return Buffer.from(base64, 'base64').toString('utf8');
}

/** @throws ApiError 404 saml_relay_state_not_found or saml_idp_not_found, 400 validation_failed */
async function findPendingSignIn(call: AuthCall, relayState: string, source: string): Promise<PendingSignIn> {
  const resolveTarget = (redirect: string | null) => new URL(allowedRedirect(call.auth.config, call.siteUrl, redirect));
  if (!isUuid(relayState)) {
    if (relayState && !URL.canParse(relayState)) {
      throw authError('validation_failed', 'SAML RelayState is not a valid UUID or URL');
    }
    return { provider: await findClaimedProvider(call, source), target: resolveTarget(relayState) };
  }
  // Only one of two concurrent requests deletes and gets the row.
  const { rows } = await call.auth.database.query<{
    sso_provider_id: string;
    request_id: string;
    redirect_to: string | null;
    flow_state_id: string | null;
    is_expired: boolean;
  }>(
    `delete from auth.saml_relay_states where id = $1
     returning sso_provider_id, request_id, redirect_to, flow_state_id,
       created_at < now() - interval '${RELAY_STATE_MINUTES} minutes' as is_expired`,
    [relayState],
  );
  const [row] = rows;
  const provider = row && (await findSsoProvider(call.auth.database, row.sso_provider_id));
  if (!provider) throw authError('saml_relay_state_not_found');
  return {
    provider,
    target: resolveTarget(row.redirect_to),
    requestId: row.request_id,
    flowId: row.flow_state_id,
    isExpired: row.is_expired,
  };
}

/** Returns the provider that the response claims to be from. Nothing is verified yet. */
async function findClaimedProvider(call: AuthCall, source: string): Promise<SsoProviderRow> {
  const [issuer] = await rejectAsInvalid(call, async () => childrenNamed(parseResponse(source), 'Issuer', ASSERTION));
  const provider = await findSsoProviderByEntityId(call.auth.database, issuer?.text.trim() ?? '');
  if (!provider) throw authError('saml_idp_not_found');
  return provider;
}

/**
 * Maps any error to a generic rejection. The reason is logged for the owner, but the sender only learns that the
 * response is invalid.
 */
async function rejectAsInvalid<T>(call: AuthCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SamlResponseError)) throw error;
    call.auth.log.warn({ reason: error.message }, 'a SAML response was rejected');
    throw invalidAssertion();
  }
}

/** Signs in the subject of the response, or issues a code. */
async function completeSignIn(call: AuthCall, signIn: PendingSignIn, source: string): Promise<Response> {
  const { provider, target, requestId, flowId } = signIn;
  if (signIn.isExpired) throw authError('saml_relay_state_expired');
  if (provider.disabled) throw authError('sso_provider_disabled');
  const identityProvider = await refreshIdentityProvider(call, provider);
  const assertion = await rejectAsInvalid(call, () => verifyResponse(call, identityProvider, source, requestId));
  const profile = readProfile(provider, assertion);
  const sessionEnd = readSessionEnd(assertion);
  if (sessionEnd && sessionEnd.getTime() <= Date.now()) throw invalidAssertion();
  // If two first sign-ins run concurrently, one of them fails. The retry finds the account.
  const outcome = await retryOnConflict(() =>
    call.auth.database.transaction(async (tx) => {
      await redeemAssertion(tx, provider, assertion);
      const user = await ensureUser(tx, call, provider, profile);
      if (flowId) return { kind: 'code', code: await issueCode(tx, flowId, { userId: user.id }) } as const;
      const session = await openSession(tx, call, user, { method: 'sso/saml', provider: providerName(provider) });
      if (sessionEnd) {
        await tx.query('update auth.sessions set not_after = $2 where id = $1', [session.id, sessionEnd]);
      }
      return { kind: 'session', user, session } as const;
    }),
  );
  if (outcome.kind === 'code') target.searchParams.set('code', outcome.code);
  else {
    const { user: _user, ...tokens } = await tokenJson(call, outcome.user, outcome.session);
    const entries = Object.entries(tokens).map(([name, value]): [string, string] => [name, String(value)]);
    target.hash = new URLSearchParams(entries).toString();
  }
  return redirectTo(target, 303);
}

function invalidAssertion() {
  return authError('validation_failed', 'SAML Assertion is not valid');
}

interface Profile {
  subject: string;
  email: string;
  data: Record<string, unknown>;
}

const emailAddress = z.email({ pattern: EMAIL_PATTERN }).max(255);

/** @throws ApiError 400 saml_assertion_no_user_id, saml_assertion_no_email */
function readProfile(provider: SsoProviderRow, assertion: XmlElement): Profile {
  const subject = readSubject(assertion);
  if (!subject) throw authError('saml_assertion_no_user_id');
  const claims = mapClaims(assertion, provider.attribute_mapping);
  const email = readEmail(assertion, claims);
  if (!email || !emailAddress.safeParse(email).success) throw authError('saml_assertion_no_email');
  return { subject, email, data: identityData(provider.entity_id, subject, email, claims) };
}

/** Accepts an assertion once, even if it is sent twice at the same time. @throws ApiError 400 validation_failed */
async function redeemAssertion(tx: Queryable, provider: SsoProviderRow, assertion: XmlElement): Promise<void> {
  const { id, expiresAt } = readIdAndExpiry(assertion);
  const { rowCount } = await tx.query(
    'insert into backend.saml_assertions (assertion_hash, expires_at) values ($1, $2) on conflict do nothing',
    [
      createHash('sha256')
        .update(JSON.stringify([provider.entity_id, id]))
        .digest('hex'),
      new Date(expiresAt + CLOCK_SKEW_MS),
    ],
  );
  if (rowCount === 0) throw invalidAssertion();
}

/**
 * Returns the account of a provider's user with updated claims. Creates it at the first sign-in.
 * @throws ApiError 422 signup_disabled
 */
async function ensureUser(tx: Queryable, call: AuthCall, provider: SsoProviderRow, profile: Profile): Promise<UserRow> {
  const { subject: providerId, email, data } = profile;
  const name = providerName(provider);
  const { rows } = await tx.query<{ user_id: string }>(
    `with known as (
      update auth.identities set identity_data = $3, updated_at = now()
      where provider = $1 and provider_id = $2 returning user_id
    )
    update auth.users set email = $4, updated_at = now()
    from known where id = known.user_id returning id as user_id`,
    [name, providerId, data, email],
  );
  if (rows[0]) {
    await addClaims(tx, rows[0].user_id, data);
    return readUser(tx, rows[0].user_id);
  }
  requireSignUps(call);
  const user = await insertUser(tx, {
    email,
    isEmailConfirmed: true,
    encryptedPassword: null,
    isSsoUser: true,
    userMetadata: claimsThatFit(data),
    identities: [{ provider: name, providerId, data }],
  });
  await audit(tx, 'user_signedup', { id: user.id, email }, call.address, { provider: name });
  return user;
}
