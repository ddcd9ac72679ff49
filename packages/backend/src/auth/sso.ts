/** POST /sso: returns the sign-in URL of an organisation's identity provider. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import { isUuid } from '../http/uuid.ts';
import { type AuthCall, type Endpoint, readBody } from './auth-call.ts';
import { authError } from './error-codes.ts';
import { type CodeChallenge, challengeFields, readChallenge } from './flow-states.ts';
import { parseIdentityProvider } from './saml/identity-provider.ts';
import { signInUrl } from './saml/service-provider.ts';
import { findSsoProvider, findSsoProviderByDomain, providerName, type SsoProviderRow } from './saml/sso-providers.ts';

const body = z.object({
  provider_id: z.string().nullish(),
  domain: z.string().trim().max(253).nullish(),
  redirect_to: z.string().max(2000).nullish(),
  skip_http_redirect: z.boolean().nullish(),
  ...challengeFields,
});

type Fields = z.output<typeof body>;

export const sso: Endpoint = async (call) => {
  if (!call.auth.config.AUTH_SAML) throw authError('saml_provider_disabled');
  await call.auth.limits.ssoPerAddress.consume(call.address);
  const fields = await readBody(call, body);
  const challenge = readChallenge(fields);
  const provider = await requireProvider(call, fields);
  if (provider.disabled) throw authError('sso_provider_disabled');
  const { database } = call.auth;

  const relayState = crypto.randomUUID();
  const requestId = `_${randomBytes(20).toString('hex')}`;
  const url = await signInUrl(call, parseIdentityProvider(provider.metadata_xml), {
    requestId,
    relayState,
    nameIdFormat: provider.name_id_format,
  });
  await database.transaction(async (tx) => {
    const flowId = challenge && (await startFlow(tx, provider, challenge));
    await tx.query(
      `insert into auth.saml_relay_states (id, sso_provider_id, request_id, redirect_to, flow_state_id)
       values ($1, $2, $3, $4, $5)`,
      [relayState, provider.id, requestId, fields.redirect_to ?? '', flowId],
    );
  });
  if (fields.skip_http_redirect) return Response.json({ url });
  return new Response(null, { status: 303, headers: { location: url } });
};

/** Stores the challenge until the identity provider has identified the user. */
async function startFlow(tx: Queryable, provider: SsoProviderRow, challenge: CodeChallenge): Promise<string> {
  const id = crypto.randomUUID();
  await tx.query(
    `insert into auth.flow_state (
       id, code_challenge_method, code_challenge, provider_type, authentication_method, created_at, updated_at
     ) values ($1, $2, $3, $4, 'sso/saml', now(), now())`,
    [id, challenge.method, challenge.challenge, providerName(provider)],
  );
  return id;
}

/** @throws ApiError 400 validation_failed, 404 sso_provider_not_found */
async function requireProvider(call: AuthCall, { provider_id: id, domain }: Fields): Promise<SsoProviderRow> {
  const { database } = call.auth;
  if (id && domain) throw authError('validation_failed', 'Only one of provider_id or domain supported');
  if (id) {
    const provider = isUuid(id) ? await findSsoProvider(database, id) : undefined;
    if (!provider) throw authError('sso_provider_not_found', 'No such SSO provider');
    return provider;
  }
  if (!domain) throw authError('validation_failed', 'A provider_id or domain needs to be provided');
  const provider = await findSsoProviderByDomain(database, domain);
  if (!provider) throw authError('sso_provider_not_found', 'No SSO provider assigned for this domain');
  return provider;
}
