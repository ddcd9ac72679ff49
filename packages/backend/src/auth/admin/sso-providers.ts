/**
 * /admin/sso/providers: the identity providers of single sign-on, with the statuses and messages of Supabase Auth
 * (internal/api/ssoadmin.go). Requires the service role.
 */
import { z } from 'zod';
import { isUniqueViolation } from '../../database/errors.ts';
import { isUuid } from '../../http/uuid.ts';
import { type AuthCall, type Endpoint, readBody, requireServiceRole } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { fetchMetadata } from '../saml/fetch-metadata.ts';
import { parseIdentityProvider } from '../saml/identity-provider.ts';
import {
  findSsoProvider,
  findSsoProviderByDomain,
  findSsoProviderByEntityId,
  findSsoProviderByResourceId,
  insertSsoProvider,
  listSsoProviders,
  replaceDomains,
  type SsoProviderRow,
  ssoProviderJson,
  updateSsoProvider,
} from '../saml/sso-providers.ts';

const NAME_ID_FORMATS = [
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
];

const attributeMapping = z.object({
  keys: z
    .record(
      z.string().max(255),
      z.object({
        name: z.string().max(1000).optional(),
        names: z.array(z.string().max(1000)).max(100).optional(),
        default: z.unknown().optional(),
        array: z.boolean().optional(),
      }),
    )
    .optional(),
});

const domainField = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(?=.{1,253}$)[^\s@/:]+$/, 'A domain must be a name such as example.com');

const body = z.object({
  type: z.string().nullish(),
  metadata_url: z.string().max(2000).nullish(),
  metadata_xml: z.string().nullish(),
  domains: z.array(domainField).max(100).nullish(),
  attribute_mapping: attributeMapping.nullish(),
  name_id_format: z.string().nullish(),
  resource_id: z.string().max(255).nullish(),
  disabled: z.boolean().nullish(),
});

type Fields = z.output<typeof body>;

export const listProviders: Endpoint = async (call) => {
  await requireServiceRole(call);
  const { searchParams } = call.url;
  const providers = await listSsoProviders(call.auth.database, {
    resourceId: searchParams.get('resource_id'),
    resourceIdPrefix: searchParams.get('resource_id_prefix'),
  });
  return Response.json({ items: providers.map((provider) => ssoProviderJson(provider, { withMetadata: false })) });
};

export const readProvider: Endpoint = async (call, { id = '' }) => {
  await requireServiceRole(call);
  return Response.json(ssoProviderJson(await requireProvider(call, id), { withMetadata: true }));
};

export const createProvider: Endpoint = async (call) => {
  await requireServiceRole(call);
  const fields = await readFields(call);
  if (fields.type !== 'saml') throw authError('validation_failed', "Only 'saml' supported for SSO provider type");
  const metadata = await readMetadata(call, fields);
  if (!metadata) throw authError('validation_failed', 'Either metadata_xml or metadata_url must be set');
  const { database } = call.auth;
  if (await findSsoProviderByEntityId(database, metadata.entityId)) throw alreadyExists(metadata.entityId);
  const domains = [...new Set(fields.domains)];
  await requireFreeDomains(call, domains, (domain, owner) => {
    return `SSO Domain '${domain}' is already assigned to an SSO identity provider (${owner})`;
  });
  const id = await database
    .transaction(async (tx) => {
      const providerId = await insertSsoProvider(tx, {
        resource_id: fields.resource_id || null,
        disabled: fields.disabled ?? null,
        entity_id: metadata.entityId,
        metadata_xml: metadata.xml,
        metadata_url: fields.metadata_url || null,
        attribute_mapping: fields.attribute_mapping ?? {},
        name_id_format: fields.name_id_format || null,
      });
      await replaceDomains(tx, providerId, domains);
      return providerId;
    })
    .catch((error: unknown) => throwConflict(error, metadata.entityId));
  return Response.json(ssoProviderJson(await requireProvider(call, id), { withMetadata: true }), { status: 201 });
};

/** Updates a provider. Omitted fields are unchanged, except name_id_format, which is cleared as in Supabase Auth. */
export const changeProvider: Endpoint = async (call, { id = '' }) => {
  await requireServiceRole(call);
  const provider = await requireProvider(call, id);
  const fields = await readFields(call);
  const metadata = await readMetadata(call, fields);
  if (metadata && metadata.entityId !== provider.entity_id) {
    throw authError(
      'saml_entity_id_mismatch',
      `SAML Metadata can be updated only if the EntityID matches for the provider; expected '${provider.entity_id}' but got '${metadata.entityId}'`,
    );
  }
  const domains = fields.domains && [...new Set(fields.domains)];
  await requireFreeDomains(call, domains ?? [], (domain, owner) => {
    return owner === provider.id ? undefined : `SSO domain '${domain}' already assigned to another provider (${owner})`;
  });
  await call.auth.database
    .transaction(async (tx) => {
      const updatedProvider = {
        ...provider,
        resource_id: typeof fields.resource_id === 'string' ? fields.resource_id || null : provider.resource_id,
        disabled: fields.disabled ?? provider.disabled,
        metadata_xml: metadata?.xml ?? provider.metadata_xml,
        // Uploaded metadata is not replaced by a fetch from the previous URL.
        metadata_url: metadata ? fields.metadata_url || null : provider.metadata_url,
        attribute_mapping: fields.attribute_mapping?.keys ? fields.attribute_mapping : provider.attribute_mapping,
        name_id_format: fields.name_id_format || null,
      };
      await updateSsoProvider(tx, updatedProvider, { isFetched: metadata !== undefined });
      if (domains) await replaceDomains(tx, provider.id, domains);
    })
    .catch((error: unknown) => throwConflict(error, provider.entity_id));
  return Response.json(ssoProviderJson(await requireProvider(call, provider.id), { withMetadata: true }));
};

/** Deletes a provider. Its users keep their accounts but can no longer sign in. */
export const deleteProvider: Endpoint = async (call, { id = '' }) => {
  await requireServiceRole(call);
  const provider = await requireProvider(call, id);
  await call.auth.database.query('delete from auth.sso_providers where id = $1', [provider.id]);
  return Response.json(ssoProviderJson(provider, { withMetadata: true }));
};

/** Returns a provider by its id, or by `resource_` and its resource id. @throws ApiError 404 sso_provider_not_found */
async function requireProvider(call: AuthCall, id: string): Promise<SsoProviderRow> {
  const { database } = call.auth;
  const resourceId = /^resource_(.+)$/s.exec(id)?.[1];
  const provider = resourceId
    ? await findSsoProviderByResourceId(database, resourceId)
    : isUuid(id)
      ? await findSsoProvider(database, id)
      : undefined;
  if (!provider) throw authError('sso_provider_not_found', 'SSO Identity Provider not found');
  return provider;
}

async function readFields(call: AuthCall): Promise<Fields> {
  const fields = await readBody(call, body);
  if (fields.metadata_url && fields.metadata_xml) {
    throw authError('validation_failed', 'Only one of metadata_xml or metadata_url needs to be set');
  }
  if (fields.name_id_format && !NAME_ID_FORMATS.includes(fields.name_id_format)) {
    throw authError('validation_failed', `name_id_format must be unspecified or one of ${NAME_ID_FORMATS.join(', ')}`);
  }
  return fields;
}

async function readMetadata(call: AuthCall, fields: Fields): Promise<{ xml: string; entityId: string } | undefined> {
  const { metadata_url: metadataUrl, metadata_xml: metadataXml } = fields;
  if (!metadataUrl && !metadataXml) return undefined;
  const xml = metadataXml || (await fetchMetadata(metadataUrl ?? '', call.auth.config.AUTH_SAML_PRIVATE_NETWORKS));
  return { xml, entityId: parseIdentityProvider(xml).entityId };
}

/**
 * Throws sso_domain_already_exists (400) if a domain belongs to another provider. `messageFor` returns the error
 * message, or undefined to accept the domain.
 */
async function requireFreeDomains(
  call: AuthCall,
  domains: string[],
  messageFor: (domain: string, owner: string) => string | undefined,
): Promise<void> {
  for (const domain of domains) {
    const owner = await findSsoProviderByDomain(call.auth.database, domain);
    const message = owner && messageFor(domain, owner.id);
    if (message) throw authError('sso_domain_already_exists', message);
  }
}

function alreadyExists(entityId: string) {
  return authError('saml_idp_already_exists', `SAML Identity Provider with this EntityID (${entityId}) already exists`);
}

/** Throws unique violations (a concurrent request, or an existing resource id) as API errors. Rethrows other errors. */
function throwConflict(error: unknown, entityId: string): never {
  if (!isUniqueViolation(error)) throw error;
  if (error.constraint === 'saml_providers_entity_id_key') throw alreadyExists(entityId);
  if (error.constraint === 'sso_domains_domain_idx') throw authError('sso_domain_already_exists');
  throw authError('conflict', 'Another SSO provider already has this resource_id');
}
