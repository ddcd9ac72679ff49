/** GET /.well-known/jwks.json: the public keys that verify access tokens. */
import type { Endpoint } from './auth-call.ts';

export const jwks: Endpoint = async ({ auth }) =>
  Response.json(auth.keys.jwks, { headers: { 'cache-control': 'public, max-age=600' } });
