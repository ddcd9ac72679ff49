/**
 * GET /.well-known/oauth-authorization-server (RFC 8414) and /.well-known/openid-configuration (OpenID Connect
 * Discovery): the endpoints and supported features.
 */
import type { Endpoint } from '../auth-call.ts';
import { issuerUrl, requireOAuthServer, SCOPES } from './server.ts';

export const discovery: Endpoint = async (call) => {
  requireOAuthServer(call);
  const issuer = issuerUrl(call);
  const document = {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    ...(call.auth.config.AUTH_OAUTH_REGISTRATION ? { registration_endpoint: `${issuer}/oauth/clients/register` } : {}),
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [call.auth.keys.current.alg],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    claims_supported: [
      ...['sub', 'aud', 'iss', 'exp', 'iat', 'nonce', 'email', 'email_verified', 'phone_number'],
      ...['phone_number_verified', 'name', 'picture', 'preferred_username', 'updated_at'],
    ],
    code_challenge_methods_supported: ['S256', 'plain'],
    // RFC 9207: clients of several servers can check which server a response is from.
    authorization_response_iss_parameter_supported: true,
  };
  return Response.json(document, { headers: { 'cache-control': 'public, max-age=600' } });
};
