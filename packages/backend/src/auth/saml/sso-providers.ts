/** Identity providers: rows of auth.sso_providers with their SAML metadata and domains. */
import type { Queryable } from '../../database/database.ts';

/** Mapping of assertion attributes to claims, as stored by Supabase Auth. */
export interface AttributeMapping {
  keys?: Record<string, { name?: string; names?: string[]; default?: unknown; array?: boolean }>;
}

export interface SsoProviderRow {
  id: string;
  resource_id: string | null;
  disabled: boolean | null;
  created_at: Date;
  updated_at: Date;
  entity_id: string;
  metadata_xml: string;
  metadata_url: string | null;
  attribute_mapping: AttributeMapping | null;
  name_id_format: string | null;
  /** Time when the metadata was last fetched or changed. */
  metadata_updated_at: Date;
  domains: string[];
}

const SELECT = `
  select p.id, p.resource_id, p.disabled, p.created_at, p.updated_at, s.entity_id, s.metadata_xml, s.metadata_url,
    s.attribute_mapping, s.name_id_format, s.updated_at as metadata_updated_at,
    coalesce((select jsonb_agg(d.domain order by d.domain) from auth.sso_domains d where d.sso_provider_id = p.id), '[]')
      as domains
  from auth.sso_providers p join auth.saml_providers s on s.sso_provider_id = p.id`;

async function findOne(database: Queryable, where: string, value: string): Promise<SsoProviderRow | undefined> {
  return (await database.query<SsoProviderRow>(`${SELECT} where ${where}`, [value])).rows[0];
}

export function findSsoProvider(database: Queryable, id: string): Promise<SsoProviderRow | undefined> {
  return findOne(database, 'p.id = $1', id);
}

/** Resource ids are compared case-insensitively. */
export function findSsoProviderByResourceId(database: Queryable, id: string): Promise<SsoProviderRow | undefined> {
  return findOne(database, 'lower(p.resource_id) = lower($1)', id);
}

export function findSsoProviderByEntityId(database: Queryable, id: string): Promise<SsoProviderRow | undefined> {
  return findOne(database, 's.entity_id = $1', id);
}

export function findSsoProviderByDomain(database: Queryable, domain: string): Promise<SsoProviderRow | undefined> {
  return findOne(
    database,
    'p.id = (select d.sso_provider_id from auth.sso_domains d where lower(d.domain) = lower($1))',
    domain,
  );
}

/** Lists all providers, or those whose resource id equals or starts with a text. */
export async function listSsoProviders(
  database: Queryable,
  filter: { resourceId?: string | null; resourceIdPrefix?: string | null },
): Promise<SsoProviderRow[]> {
  const { rows } = await database.query<SsoProviderRow>(
    `${SELECT} where ($1::text is null or p.resource_id = $1) and ($2::text is null or starts_with(p.resource_id, $2))
     order by p.created_at, p.id`,
    [filter.resourceId || null, filter.resourceIdPrefix || null],
  );
  return rows;
}

export type NewSsoProvider = Pick<
  SsoProviderRow,
  'resource_id' | 'disabled' | 'entity_id' | 'metadata_xml' | 'metadata_url' | 'attribute_mapping' | 'name_id_format'
>;

/** @returns the provider's id. @throws DatabaseError 23505 if the entity id or resource id is taken */
export async function insertSsoProvider(database: Queryable, provider: NewSsoProvider): Promise<string> {
  const id = crypto.randomUUID();
  await database.query('insert into auth.sso_providers (id, resource_id, disabled) values ($1, $2, $3)', [
    id,
    provider.resource_id,
    provider.disabled,
  ]);
  await database.query(
    `insert into auth.saml_providers (
       id, sso_provider_id, entity_id, metadata_xml, metadata_url, attribute_mapping, name_id_format
     ) values (gen_random_uuid(), $1, $2, $3, $4, $5, $6)`,
    [
      id,
      provider.entity_id,
      provider.metadata_xml,
      provider.metadata_url,
      provider.attribute_mapping ?? {},
      provider.name_id_format,
    ],
  );
  return id;
}

/** Stores all fields of a provider except its domains. @throws DatabaseError 23505 if the resource id is taken */
export async function updateSsoProvider(
  database: Queryable,
  provider: NewSsoProvider & { id: string },
  { isFetched }: { isFetched: boolean },
): Promise<void> {
  await database.query(
    'update auth.sso_providers set resource_id = $2, disabled = $3, updated_at = now() where id = $1',
    [provider.id, provider.resource_id, provider.disabled],
  );
  await database.query(
    `update auth.saml_providers set metadata_xml = $2, metadata_url = $3, attribute_mapping = $4, name_id_format = $5,
       updated_at = case when $6 then now() else updated_at end
     where sso_provider_id = $1`,
    [
      provider.id,
      provider.metadata_xml,
      provider.metadata_url,
      provider.attribute_mapping ?? {},
      provider.name_id_format,
      isFetched,
    ],
  );
}

/** Replaces the domains of a provider. @throws DatabaseError 23505 if one belongs to another provider */
export async function replaceDomains(database: Queryable, id: string, domains: string[]): Promise<void> {
  await database.query('delete from auth.sso_domains where sso_provider_id = $1 and domain <> all ($2::text[])', [
    id,
    domains,
  ]);
  await database.query(
    `insert into auth.sso_domains (id, sso_provider_id, domain)
     select gen_random_uuid(), $1, entry.domain from unnest($2::text[]) as entry (domain)
     where not exists (select from auth.sso_domains d where d.sso_provider_id = $1 and d.domain = entry.domain)`,
    [id, domains],
  );
}

/** The provider's name in auth.identities and sessions. */
export function providerName(provider: Pick<SsoProviderRow, 'id'>): string {
  return `sso:${provider.id}`;
}

/** Formats a provider as Supabase Auth does: without metadata in lists, and without unset fields. */
export function ssoProviderJson(provider: SsoProviderRow, { withMetadata }: { withMetadata: boolean }) {
  return {
    id: provider.id,
    ...(provider.resource_id ? { resource_id: provider.resource_id } : {}),
    disabled: provider.disabled,
    saml: {
      entity_id: provider.entity_id,
      ...(withMetadata ? { metadata_xml: provider.metadata_xml } : {}),
      ...(provider.metadata_url ? { metadata_url: provider.metadata_url } : {}),
      attribute_mapping: provider.attribute_mapping ?? {},
      ...(provider.name_id_format ? { name_id_format: provider.name_id_format } : {}),
    },
    domains: provider.domains.map((domain) => ({ domain })),
    created_at: provider.created_at.toISOString(),
    updated_at: provider.updated_at.toISOString(),
  };
}
