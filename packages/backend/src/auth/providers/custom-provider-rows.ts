/** Rows of auth.custom_oauth_providers: providers added through the admin API. */
import type { Queryable } from '../../database/database.ts';

export interface CustomProviderRow {
  id: string;
  provider_type: 'oauth2' | 'oidc';
  /** Name used by clients and in auth.identities, with the prefix `custom:`. */
  identifier: string;
  /** Display name. */
  name: string;
  client_id: string;
  client_secret: string;
  acceptable_client_ids: string[];
  scopes: string[];
  /** Claims copied unchanged to custom_claims. */
  custom_claims_allowlist: string[];
  pkce_enabled: boolean;
  /** Maps our claim names to the provider's. A value that is not a string is a constant. */
  attribute_mapping: Record<string, unknown>;
  authorization_params: Record<string, string>;
  enabled: boolean;
  email_optional: boolean;
  issuer: string | null;
  discovery_url: string | null;
  skip_nonce_check: boolean;
  /** Discovery document of the issuer, fetched when its URLs were last changed. */
  cached_discovery: Record<string, unknown> | null;
  authorization_url: string | null;
  token_url: string | null;
  userinfo_url: string | null;
  jwks_uri: string | null;
  created_at: Date;
  updated_at: Date;
}

export type CustomProviderFields = Omit<CustomProviderRow, 'id' | 'created_at' | 'updated_at'>;

const LISTS = ['acceptable_client_ids', 'scopes', 'custom_claims_allowlist'] as const;
const COLUMNS = [
  'provider_type',
  'identifier',
  'name',
  'client_id',
  'client_secret',
  ...LISTS,
  'pkce_enabled',
  'attribute_mapping',
  'authorization_params',
  'enabled',
  'email_optional',
  'issuer',
  'discovery_url',
  'skip_nonce_check',
  'cached_discovery',
  'authorization_url',
  'token_url',
  'userinfo_url',
  'jwks_uri',
] as const satisfies (keyof CustomProviderFields)[];

const isList = (column: string) => LISTS.some((list) => list === column);
const SELECTED_COLUMNS = ['id', ...COLUMNS, 'created_at', 'updated_at']
  .map((column) => (isList(column) ? `to_jsonb(${column}) as ${column}` : column))
  .join(', ');
const VALUES = COLUMNS.map((column, index) => `$${index + 1}${isList(column) ? '::text[]' : ''}`).join(', ');

const toValues = (fields: CustomProviderFields) => COLUMNS.map((column) => fields[column]);

export async function findCustomProvider(
  database: Queryable,
  identifier: string,
): Promise<CustomProviderRow | undefined> {
  const { rows } = await database.query<CustomProviderRow>(
    `select ${SELECTED_COLUMNS} from auth.custom_oauth_providers where identifier = $1`,
    [identifier],
  );
  return rows[0];
}

/** Lists providers, newest first. */
export async function listCustomProviders(
  database: Queryable,
  type: CustomProviderRow['provider_type'] | null,
): Promise<CustomProviderRow[]> {
  const { rows } = await database.query<CustomProviderRow>(
    `select ${SELECTED_COLUMNS} from auth.custom_oauth_providers where $1::text is null or provider_type = $1
     order by created_at desc, id`,
    [type],
  );
  return rows;
}

/** @throws DatabaseError 23505 if the identifier is taken */
export async function insertCustomProvider(database: Queryable, fields: CustomProviderFields): Promise<void> {
  await database.query(
    `insert into auth.custom_oauth_providers (${COLUMNS.join(', ')}, discovery_cached_at)
     values (${VALUES}, case when $${COLUMNS.indexOf('cached_discovery') + 1}::jsonb is not null then now() end)`,
    toValues(fields),
  );
}

/** @returns whether the provider existed */
export async function updateCustomProvider(database: Queryable, fields: CustomProviderFields): Promise<boolean> {
  const { rowCount } = await database.query(
    `update auth.custom_oauth_providers set (${COLUMNS.join(', ')}, discovery_cached_at, updated_at) = (${VALUES},
       case when cached_discovery is distinct from $${COLUMNS.indexOf('cached_discovery') + 1}::jsonb then now()
         else discovery_cached_at end, now())
     where identifier = $${COLUMNS.indexOf('identifier') + 1}`,
    toValues(fields),
  );
  return rowCount > 0;
}

/** @returns whether the provider existed */
export async function deleteCustomProviderRow(database: Queryable, identifier: string): Promise<boolean> {
  const { rowCount } = await database.query('delete from auth.custom_oauth_providers where identifier = $1', [
    identifier,
  ]);
  return rowCount > 0;
}

/** Formats a provider as Supabase Auth does: without the client secret and without unset URLs. */
export function customProviderJson(row: CustomProviderRow) {
  const { client_secret: _secret, cached_discovery: discovery, ...fields } = row;
  const { issuer, discovery_url, authorization_url, token_url, userinfo_url, jwks_uri, ...required } = fields;
  const urls = { issuer, discovery_url, authorization_url, token_url, userinfo_url, jwks_uri };
  return {
    ...required,
    ...Object.fromEntries(Object.entries(urls).filter(([, url]) => url !== null)),
    ...(discovery && { discovery_document: discovery }),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
