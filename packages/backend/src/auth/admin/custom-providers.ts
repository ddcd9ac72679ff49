/**
 * /admin/custom-providers: providers in addition to those of the configuration. Statuses and messages are those of
 * Supabase Auth (internal/api/custom_oauth_admin.go). Requires the service role. The client secret is never returned.
 */
import { lookup } from 'node:dns/promises';
import { z } from 'zod';
import { isUniqueViolation } from '../../database/errors.ts';
import { isPrivate } from '../../http/public-address.ts';
import { type AuthCall, type Endpoint, readBody, requireServiceRole } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import {
  type CustomProviderFields,
  type CustomProviderRow,
  customProviderJson,
  deleteCustomProviderRow,
  findCustomProvider,
  insertCustomProvider,
  listCustomProviders,
  updateCustomProvider,
} from '../providers/custom-provider-rows.ts';
import { customFetcher } from '../providers/custom-providers.ts';
import { createOpenIdIssuers } from '../providers/openid-issuers.ts';

/** Authorization parameters that this server sets. */
const RESERVED_PARAMETERS = [
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'state',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'nonce',
];

/** Claims that a provider cannot set. */
const PROTECTED_CLAIMS = [
  'id',
  'aud',
  'role',
  'app_metadata',
  'created_at',
  'updated_at',
  'confirmed_at',
  'email_confirmed_at',
  'phone_confirmed_at',
  'email_verified',
  'phone_verified',
  'banned_until',
  'is_super_admin',
];

const METADATA_FIELDS = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'revocation_endpoint',
  'scopes_supported',
  'response_types_supported',
  'grant_types_supported',
  'subject_types_supported',
  'id_token_signing_alg_values_supported',
] as const;

const stringList = (entry: z.ZodType<string>) => z.array(entry).max(100).nullish();
const url = z.string().max(2048, 'A URL must be less than 2049 characters').nullish();
const flag = z.boolean().nullish();
const object = z.record(z.string().max(255), z.unknown()).nullish();

const body = z.object({
  provider_type: z.string().nullish(),
  identifier: z.string().nullish(),
  name: z.string().max(100, 'name must be less than 101 characters').nullish(),
  client_id: z.string().max(512, 'client_id must be less than 513 characters').nullish(),
  client_secret: z.string().max(4096, 'client_secret must be less than 4097 characters').nullish(),
  acceptable_client_ids: stringList(z.string().min(1).max(512)),
  scopes: stringList(z.string().regex(/^[!#-[\]-~]{1,255}$/, 'A scope must not contain spaces, quotes or backslashes')),
  custom_claims_allowlist: stringList(
    z.string().max(255).regex(/\S/, 'custom_claims_allowlist entries must be non-empty strings'),
  ),
  pkce_enabled: flag,
  attribute_mapping: object,
  authorization_params: object,
  enabled: flag,
  email_optional: flag,
  issuer: url,
  discovery_url: url,
  skip_nonce_check: flag,
  authorization_url: url,
  token_url: url,
  userinfo_url: url,
  jwks_uri: url,
});

type Fields = z.output<typeof body>;

const invalid = (message: string) => authError('validation_failed', message);

export const listCustom: Endpoint = async (call) => {
  await requireServiceRole(call);
  const type = call.url.searchParams.get('type') || null;
  if (type !== null && !isType(type)) throw invalid("type must be either 'oauth2' or 'oidc'");
  const rows = await listCustomProviders(call.auth.database, type);
  return Response.json({ providers: rows.map(customProviderJson) });
};

export const readCustomProvider: Endpoint = async (call, { identifier = '' }) => {
  await requireServiceRole(call);
  return Response.json(customProviderJson(await requireRow(call, identifier)));
};

export const createCustomProvider: Endpoint = async (call) => {
  await requireServiceRole(call);
  const fields = await readBody(call, body);
  const { provider_type: type } = fields;
  if (!isType(type)) throw invalid("provider_type must be either 'oauth2' or 'oidc'");
  const { identifier, ...required } = requireAll(fields, type);
  requireAllowed(fields);
  const row = merge(DEFAULTS, { ...fields, ...required }, type, identifier);
  await requirePublicUrls(call, row);
  const { database, providers } = call.auth;
  const alreadyExists = () => authError('conflict', 'A custom OAuth provider with this identifier already exists', 400);
  if (providers.openId.has(identifier) || (await findCustomProvider(database, identifier))) throw alreadyExists();
  await insertCustomProvider(database, { ...row, cached_discovery: await discover(call, row) }).catch(
    (error: unknown) => {
      throw isUniqueViolation(error) ? alreadyExists() : error;
    },
  );
  return Response.json(customProviderJson(await requireRow(call, identifier)), { status: 201 });
};

/** Updates a provider. Omitted fields and empty required fields are unchanged. Type and identifier cannot change. */
export const changeCustomProvider: Endpoint = async (call, { identifier = '' }) => {
  await requireServiceRole(call);
  requireIdentifier(identifier);
  const fields = await readBody(call, body);
  requireAllowed(fields);
  const row = await requireRow(call, identifier);
  const updatedRow = merge(row, fields, row.provider_type, row.identifier);
  await requirePublicUrls(call, updatedRow);
  const hasNewIssuer = updatedRow.issuer !== row.issuer || updatedRow.discovery_url !== row.discovery_url;
  const cached_discovery = hasNewIssuer ? await discover(call, updatedRow) : row.cached_discovery;
  if (!(await updateCustomProvider(call.auth.database, { ...updatedRow, cached_discovery }))) {
    throw authError('custom_provider_not_found');
  }
  return Response.json(customProviderJson(await requireRow(call, identifier)));
};

/** Deletes a provider. Its users keep their accounts but can no longer sign in with it. */
export const deleteCustomProvider: Endpoint = async (call, { identifier = '' }) => {
  await requireServiceRole(call);
  requireIdentifier(identifier);
  if (!(await deleteCustomProviderRow(call.auth.database, identifier))) throw authError('custom_provider_not_found');
  return new Response(null, { status: 204 });
};

function isType(type: unknown): type is CustomProviderRow['provider_type'] {
  return type === 'oauth2' || type === 'oidc';
}

function requireIdentifier(identifier: string): void {
  if (!identifier.startsWith('custom:')) {
    throw invalid(`identifier must start with 'custom:' prefix, e.g. 'custom:${identifier}'`);
  }
}

/** @throws ApiError 404 custom_provider_not_found, 400 validation_failed */
async function requireRow(call: AuthCall, identifier: string): Promise<CustomProviderRow> {
  requireIdentifier(identifier);
  const row = await findCustomProvider(call.auth.database, identifier);
  if (!row) throw authError('custom_provider_not_found');
  return row;
}

/** Returns the required fields of a new provider. */
function requireAll(fields: Fields, type: CustomProviderRow['provider_type']) {
  const { identifier, name, client_id, client_secret } = fields;
  if (!identifier) throw invalid('identifier is required');
  requireIdentifier(identifier);
  if (!/^custom:(?=.{0,43}$)[a-z0-9:-]*[a-z0-9]$/.test(identifier)) {
    throw invalid('identifier must have at most 50 characters: lowercase letters, digits, colons and hyphens');
  }
  if (!name) throw invalid('name is required');
  if (!client_id) throw invalid('client_id is required');
  if (!client_secret) throw invalid('client_secret is required');
  const requiredUrls =
    type === 'oidc' ? (['issuer'] as const) : (['authorization_url', 'token_url', 'userinfo_url'] as const);
  for (const field of requiredUrls) {
    if (!fields[field]) throw invalid(`${field} is required for ${type === 'oidc' ? 'OIDC' : 'OAuth2'} providers`);
  }
  return { identifier, name, client_id, client_secret };
}

function requireAllowed({ authorization_params: parameters, attribute_mapping: mapping }: Fields): void {
  for (const [key, value] of Object.entries(parameters ?? {})) {
    if (RESERVED_PARAMETERS.includes(key)) throw invalid(`Cannot override reserved OAuth parameter: ${key}`);
    if (typeof value !== 'string') throw invalid(`Authorization parameter ${JSON.stringify(key)} must be a string`);
  }
  const target = Object.keys(mapping ?? {}).find((key) => PROTECTED_CLAIMS.includes(key));
  if (target !== undefined) throw invalid(`Cannot map to protected system field: ${target}`);
}

const DEFAULTS: CustomProviderFields = {
  provider_type: 'oidc',
  identifier: '',
  name: '',
  client_id: '',
  client_secret: '',
  acceptable_client_ids: [],
  scopes: [],
  custom_claims_allowlist: [],
  pkce_enabled: true,
  attribute_mapping: {},
  authorization_params: {},
  enabled: true,
  email_optional: false,
  issuer: null,
  discovery_url: null,
  skip_nonce_check: false,
  cached_discovery: null,
  authorization_url: null,
  token_url: null,
  userinfo_url: null,
  jwks_uri: null,
};

/** Merges the new fields into the existing ones. Fields of the other provider type are dropped. */
function merge(
  current: CustomProviderFields,
  fields: Fields,
  type: CustomProviderRow['provider_type'],
  identifier: string,
): CustomProviderFields {
  const isOpenId = type === 'oidc';
  const scopes = fields.scopes ?? current.scopes;
  return {
    provider_type: type,
    identifier,
    name: fields.name || current.name,
    client_id: fields.client_id || current.client_id,
    client_secret: fields.client_secret || current.client_secret,
    acceptable_client_ids: fields.acceptable_client_ids ?? current.acceptable_client_ids,
    scopes: isOpenId && !scopes.includes('openid') ? ['openid', ...scopes] : scopes,
    custom_claims_allowlist: fields.custom_claims_allowlist ?? current.custom_claims_allowlist,
    pkce_enabled: fields.pkce_enabled ?? current.pkce_enabled,
    attribute_mapping: fields.attribute_mapping ?? current.attribute_mapping,
    authorization_params: (fields.authorization_params as Record<string, string>) ?? current.authorization_params,
    enabled: fields.enabled ?? current.enabled,
    email_optional: fields.email_optional ?? current.email_optional,
    issuer: isOpenId ? fields.issuer || current.issuer : null,
    discovery_url: isOpenId ? fields.discovery_url || current.discovery_url : null,
    skip_nonce_check: isOpenId ? (fields.skip_nonce_check ?? current.skip_nonce_check) : false,
    cached_discovery: current.cached_discovery,
    authorization_url: isOpenId ? null : fields.authorization_url || current.authorization_url,
    token_url: isOpenId ? null : fields.token_url || current.token_url,
    userinfo_url: isOpenId ? null : fields.userinfo_url || current.userinfo_url,
    jwks_uri: isOpenId ? null : fields.jwks_uri || current.jwks_uri,
  };
}

/** Rejects private addresses when the provider is saved. Each connection checks them again. */
async function requirePublicUrls(call: AuthCall, fields: CustomProviderFields): Promise<void> {
  const { issuer, discovery_url, authorization_url, token_url, userinfo_url, jwks_uri } = fields;
  for (const url of [issuer, discovery_url, authorization_url, token_url, userinfo_url, jwks_uri]) {
    if (url) await requirePublicUrl(url, call.auth.config.AUTH_CUSTOM_PROVIDERS_PRIVATE_NETWORKS);
  }
}

/** @throws ApiError 400 validation_failed with Supabase Auth's messages (internal/utilities/url_validator.go) */
async function requirePublicUrl(url: string, allowsPrivateNetworks: boolean): Promise<void> {
  if (!URL.canParse(url)) throw invalid('Invalid URL format');
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !(allowsPrivateNetworks && protocol === 'http:')) throw invalid('URL must use HTTPS');
  if (allowsPrivateNetworks) return;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (/^(?:.+\.)?localhost$|^127\.0\.0\.1$|^0\.0\.0\.0$|^::1?$/.test(host)) {
    throw invalid('URL cannot point to localhost or loopback addresses');
  }
  const addresses = await lookup(host, { all: true }).catch(() => {
    throw invalid('Unable to resolve hostname');
  });
  if (addresses.some(({ address }) => isPrivate(address))) {
    throw invalid('URL cannot resolve to private network addresses');
  }
}

/** Fetches the issuer's metadata. Returns null without an issuer. @throws ApiError 400 validation_failed */
async function discover(call: AuthCall, { issuer, discovery_url }: CustomProviderFields) {
  if (!issuer) return null;
  const source = {
    issuer,
    discoveryUrl: discovery_url ?? undefined,
    fetcher: customFetcher(call.auth.config.AUTH_CUSTOM_PROVIDERS_PRIVATE_NETWORKS),
  };
  // Bypass the cache, because cached metadata may be outdated.
  const metadata = await createOpenIdIssuers()
    .discover(source)
    .catch((error: unknown) => {
      const from = discovery_url ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
      const reason = error instanceof Error ? error.message : 'no response';
      throw invalid(`OIDC discovery from ${JSON.stringify(from)} failed: ${reason}`);
    });
  const missing = (['authorization_endpoint', 'token_endpoint'] as const).filter((field) => !metadata[field]);
  if (missing.length > 0) throw invalid(`OIDC discovery document is missing required fields: ${missing.join(', ')}`);
  return Object.fromEntries(METADATA_FIELDS.flatMap((field) => (metadata[field] ? [[field, metadata[field]]] : [])));
}
