/** Fields of a client's registration, with the messages of Supabase Auth (internal/api/oauthserver/service.go). */
import { z } from 'zod';
import { authError } from '../error-codes.ts';
import type { ClientFields, OAuthClient } from './clients.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** URL of a page about the client. It is shown, never fetched. */
const pageField = (name: string) =>
  z
    .string()
    .max(2048, `${name} cannot exceed 2048 characters`)
    .refine(
      (value) => value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value)),
      `${name} must be a valid URL`,
    );

const fields = {
  redirect_uris: z
    .array(z.string().max(2048, 'redirect_uri cannot exceed 2048 characters'))
    .min(1, 'redirect_uris cannot be empty')
    .max(10, 'redirect_uris cannot exceed 10 items'),
  grant_types: z
    .array(
      z.enum(
        ['authorization_code', 'refresh_token'],
        "grant_types must only contain 'authorization_code' and/or 'refresh_token'",
      ),
    )
    .min(1, 'grant_types cannot be empty'),
  token_endpoint_auth_method: z.enum(
    ['none', 'client_secret_basic', 'client_secret_post'],
    'token_endpoint_auth_method must be one of: [none client_secret_basic client_secret_post]',
  ),
  client_type: z.enum(['public', 'confidential'], "client_type must be 'public' or 'confidential'"),
  client_name: z.string().max(1024, 'client_name cannot exceed 1024 characters'),
  client_uri: pageField('client_uri'),
  logo_uri: pageField('logo_uri'),
};

export const registrationBody = z.object({
  redirect_uris: z.preprocess((value) => value ?? [], fields.redirect_uris),
  grant_types: fields.grant_types.nullish(),
  token_endpoint_auth_method: fields.token_endpoint_auth_method.nullish(),
  client_type: fields.client_type.nullish(),
  client_name: fields.client_name.nullish(),
  client_uri: fields.client_uri.nullish(),
  logo_uri: fields.logo_uri.nullish(),
});

export const updateBody = z.object({
  redirect_uris: fields.redirect_uris.nullish(),
  grant_types: fields.grant_types.nullish(),
  token_endpoint_auth_method: fields.token_endpoint_auth_method.nullish(),
  client_name: fields.client_name.nullish(),
  client_uri: fields.client_uri.nullish(),
  logo_uri: fields.logo_uri.nullish(),
});

/** @throws ApiError 400 validation_failed */
export function newClientFields(body: z.output<typeof registrationBody>): ClientFields {
  requireRedirectUris(body.redirect_uris);
  const { client_type: type, token_endpoint_auth_method: method } = body;
  if (type && method && (type === 'public') !== (method === 'none')) {
    const expected = method === 'none' ? 'public' : 'confidential';
    throw authError(
      'validation_failed',
      `client_type '${type}' is inconsistent with token_endpoint_auth_method '${method}' (expected client_type '${expected}')`,
    );
  }
  return {
    token_endpoint_auth_method: method ?? (type === 'public' ? 'none' : 'client_secret_basic'),
    redirect_uris: body.redirect_uris,
    grant_types: body.grant_types ?? ['authorization_code', 'refresh_token'],
    client_name: body.client_name || null,
    client_uri: body.client_uri || null,
    logo_uri: body.logo_uri || null,
  };
}

/**
 * Returns the updated fields of a client. Omitted fields are unchanged, and its type cannot change. @throws ApiError
 * 400 validation_failed
 */
export function changedClientFields(client: OAuthClient, body: z.output<typeof updateBody>): ClientFields {
  if (Object.values(body).every((value) => value === undefined || value === null)) {
    throw authError('validation_failed', 'No fields provided for update');
  }
  if (body.redirect_uris) requireRedirectUris(body.redirect_uris);
  const method = body.token_endpoint_auth_method ?? client.token_endpoint_auth_method;
  if ((method === 'none') !== (client.client_type === 'public')) {
    throw authError(
      'validation_failed',
      `token_endpoint_auth_method '${method}' is not allowed for a ${client.client_type} client`,
    );
  }
  const textOr = (value: string | null | undefined, current: string | null) =>
    typeof value === 'string' ? value || null : current;
  return {
    token_endpoint_auth_method: method,
    redirect_uris: body.redirect_uris ?? client.redirect_uris,
    grant_types: body.grant_types ?? client.grant_types,
    client_name: textOr(body.client_name, client.client_name),
    client_uri: textOr(body.client_uri, client.client_uri),
    logo_uri: textOr(body.logo_uri, client.logo_uri),
  };
}

function requireRedirectUris(uris: string[]): void {
  for (const uri of uris) {
    const problem = redirectUriProblem(uri);
    if (problem) throw authError('validation_failed', `invalid redirect_uri '${uri}': ${problem}`);
  }
}

/**
 * Allows HTTPS, HTTP on loopback, and private-use schemes in reverse domain notation: com.example.app (RFC 8252).
 * Other schemes could run scripts.
 */
function redirectUriProblem(uri: string): string | undefined {
  if (uri === '') return 'redirect URI cannot be empty';
  // The list is stored comma-separated.
  if (!URL.canParse(uri) || /[\s,]/.test(uri)) return 'invalid URL format';
  const url = new URL(uri);
  if (uri.includes('#')) return 'fragment not allowed in redirect URI';
  if (url.username || url.password) return 'must not contain a user name or password';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') {
    return LOOPBACK.has(url.hostname) ? undefined : 'HTTP scheme only allowed for localhost';
  }
  const isApp = /^[a-z0-9-]+(\.[a-z0-9-]+)+:$/.test(url.protocol) || uri.startsWith('cursor://anysphere.cursor-mcp/');
  return isApp ? undefined : 'scheme must be HTTPS or HTTP (localhost only)';
}
