/**
 * Authentication of clients at the token endpoint (RFC 6749, 2.3): with HTTP Basic, or with fields in the request
 * body. Public clients send only their id.
 */
import type { AuthCall } from '../auth-call.ts';
import { OAuthError } from '../error-codes.ts';
import { findClient, isClientSecret, type OAuthClient } from './clients.ts';

/** @throws OAuthError 401 invalid_client, 400 invalid_request */
export async function authenticateClient(call: AuthCall, form: Map<string, string>): Promise<OAuthClient> {
  await call.auth.limits.oauthTokenPerAddress.consume(call.address);
  const { id, secret } = readCredentials(call, form);
  const client = await findClient(call.auth.database, id);
  if (!client) throw invalidClient('Invalid client credentials');
  if (client.client_type === 'public') {
    if (secret) throw invalidClient('public clients must not provide client_secret');
    return client;
  }
  if (!secret || !isClientSecret(client, secret)) throw invalidClient('Invalid client credentials');
  return client;
}

function readCredentials(call: AuthCall, form: Map<string, string>): { id: string; secret: string | undefined } {
  const basic = /^basic\s+(\S+)$/i.exec(call.request.headers.get('authorization') ?? '')?.[1];
  const [id, secret] = [form.get('client_id'), form.get('client_secret')];
  if (basic === undefined) {
    if (!id) throw invalidClient('Client authentication required');
    return { id, secret };
  }
  const [, name, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic, 'base64').toString('utf8')) ?? [];
  if (name === undefined || password === undefined) throw invalidClient('invalid basic auth format');
  if (secret || (id && id !== decode(name))) {
    throw new OAuthError('invalid_request', 'Send client credentials in the header or the body, not both');
  }
  return { id: decode(name), secret: decode(password) };
}

/** Decodes a form-encoded client id or secret. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidClient('invalid basic auth encoding');
  }
}

function invalidClient(description: string): OAuthError {
  return new OAuthError('invalid_client', description, 401);
}
