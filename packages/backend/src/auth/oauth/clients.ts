/** Third-party applications that users sign in to with their account: rows of auth.oauth_clients. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../../database/database.ts';
import { isUuid } from '../../http/uuid.ts';

type GrantType = 'authorization_code' | 'refresh_token';
type AuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

export interface OAuthClient {
  id: string;
  client_secret_hash: string | null;
  registration_type: 'dynamic' | 'manual';
  client_type: 'public' | 'confidential';
  token_endpoint_auth_method: AuthMethod;
  redirect_uris: string[];
  grant_types: GrantType[];
  client_name: string | null;
  client_uri: string | null;
  logo_uri: string | null;
  created_at: Date;
  updated_at: Date;
}

/** Editable fields of a client. */
export type ClientFields = Pick<
  OAuthClient,
  'token_endpoint_auth_method' | 'redirect_uris' | 'grant_types' | 'client_name' | 'client_uri' | 'logo_uri'
>;

export const SELECT_CLIENTS = `
  select id, client_secret_hash, registration_type, client_type, token_endpoint_auth_method,
    string_to_array(redirect_uris, ',') as redirect_uris, string_to_array(grant_types, ',') as grant_types,
    client_name, client_uri, logo_uri, created_at, updated_at
  from auth.oauth_clients where deleted_at is null`;

export async function findClient(database: Queryable, id: string | undefined): Promise<OAuthClient | undefined> {
  if (!isUuid(id)) return undefined;
  return (await database.query<OAuthClient>(`${SELECT_CLIENTS} and id = $1`, [id])).rows[0];
}

/** @returns the client's id, and the secret of a confidential client. Only the hash of the secret is stored */
export async function insertClient(
  database: Queryable,
  fields: ClientFields,
  registration: OAuthClient['registration_type'],
): Promise<{ id: string; secret: string | undefined }> {
  const id = crypto.randomUUID();
  const isPublic = fields.token_endpoint_auth_method === 'none';
  const secret = isPublic ? undefined : newSecret();
  await database.query(
    `insert into auth.oauth_clients (
       id, client_secret_hash, registration_type, client_type, token_endpoint_auth_method, redirect_uris, grant_types,
       client_name, client_uri, logo_uri
     ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      secret && hashSecret(secret),
      registration,
      isPublic ? 'public' : 'confidential',
      fields.token_endpoint_auth_method,
      fields.redirect_uris.join(','),
      fields.grant_types.join(','),
      fields.client_name,
      fields.client_uri,
      fields.logo_uri,
    ],
  );
  return { id, secret };
}

export async function updateClient(database: Queryable, id: string, fields: ClientFields): Promise<void> {
  await database.query(
    `update auth.oauth_clients set token_endpoint_auth_method = $2, redirect_uris = $3, grant_types = $4, client_name = $5,
       client_uri = $6, logo_uri = $7, updated_at = now() where id = $1`,
    [
      id,
      fields.token_endpoint_auth_method,
      fields.redirect_uris.join(','),
      fields.grant_types.join(','),
      fields.client_name,
      fields.client_uri,
      fields.logo_uri,
    ],
  );
}

/** @returns the new secret; the old one becomes invalid */
export async function replaceSecret(database: Queryable, id: string): Promise<string> {
  const secret = newSecret();
  await database.query('update auth.oauth_clients set client_secret_hash = $2, updated_at = now() where id = $1', [
    id,
    hashSecret(secret),
  ]);
  return secret;
}

/** Deletes a client and its sessions, codes and consents. Keeps the row, as Supabase Auth does. */
export async function deleteClient(tx: Queryable, id: string): Promise<void> {
  await tx.query('update auth.oauth_clients set deleted_at = now(), updated_at = now() where id = $1', [id]);
  for (const [table, column] of [
    ['auth.sessions', 'oauth_client_id'],
    ['auth.oauth_authorizations', 'client_id'],
    ['auth.oauth_consents', 'client_id'],
  ]) {
    await tx.query(`delete from ${table} where ${column} = $1`, [id]);
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Hashes a secret as Supabase Auth stores it. */
function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

export function isClientSecret(client: OAuthClient, secret: string): boolean {
  const [actual, expected] = [Buffer.from(hashSecret(secret)), Buffer.from(client.client_secret_hash ?? '')];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Formats a client as Supabase Auth does. `secret` is passed only when it has just been created. */
export function clientJson(client: OAuthClient, secret?: string): Record<string, unknown> {
  return {
    client_id: client.id,
    ...(secret ? { client_secret: secret } : {}),
    client_type: client.client_type,
    redirect_uris: client.redirect_uris,
    token_endpoint_auth_method: client.token_endpoint_auth_method,
    grant_types: client.grant_types,
    response_types: ['code'],
    ...(client.client_name ? { client_name: client.client_name } : {}),
    ...(client.client_uri ? { client_uri: client.client_uri } : {}),
    ...(client.logo_uri ? { logo_uri: client.logo_uri } : {}),
    registration_type: client.registration_type,
    created_at: client.created_at.toISOString(),
    updated_at: client.updated_at.toISOString(),
  };
}

/** Formats a client for the consent page. */
export function publicClientJson(client: Pick<OAuthClient, 'id' | 'client_name' | 'client_uri' | 'logo_uri'>) {
  return {
    id: client.id,
    name: client.client_name ?? '',
    uri: client.client_uri ?? '',
    logo_uri: client.logo_uri ?? '',
  };
}
