/** Sign-in with an OpenID Connect issuer: the code flow, and ID tokens that an app obtained itself. */
import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import { type IssuerSource, type OpenIdIssuers, requestOptions } from './openid-issuers.ts';
import type { ProfileConverter } from './profiles.ts';
import type { Provider } from './provider.ts';

export interface OpenIdSettings extends IssuerSource {
  /** Name in auth.identities and for clients. */
  name: string;
  /** The first id is used for redirect sign-in. ID tokens with any of these ids as audience are accepted. */
  clientIds: string[];
  clientSecret: string | undefined;
  /** True for an issuer that accepts the secret only in the body, without publishing that. */
  sendsSecretInBody?: boolean;
  /** Scopes in addition to openid. */
  scopes: string[];
  toProfile: ProfileConverter;
  /** Parameters required by the issuer in every request. */
  parameters?: Record<string, string>;
  /** False for an issuer that rejects a code verifier. */
  usesPkce?: boolean;
  /** False for an issuer without a nonce in its ID tokens. */
  usesNonce?: boolean;
  /** True if the nonce of an ID token is not checked when an app obtained the token itself. */
  skipsNonceCheck?: boolean;
  /** True if users without an email address can sign in. */
  isEmailOptional?: boolean;
  /** Endpoints of an issuer whose discovery document names another issuer. */
  metadata?: oauth.AuthorizationServer;
  /** Returns whether ID tokens of that issuer are accepted. Default: only those of `issuer`. */
  acceptsIssuer?(issuer: string): boolean;
}

export function createOpenIdProvider(settings: OpenIdSettings, issuers: OpenIdIssuers): Provider {
  const { name, clientIds, toProfile } = settings;
  const client: oauth.Client = { client_id: clientIds[0] ?? '' };
  const server = async () => settings.metadata ?? issuers.discover(settings);

  return {
    isEmailOptional: settings.isEmailOptional ?? false,

    async authorizationUrl({ redirectUri, state, codeVerifier, scopes, parameters }) {
      const { authorization_endpoint: endpoint } = await server();
      if (!endpoint) throw new Error(`${settings.issuer} publishes no authorization endpoint`);
      const url = new URL(endpoint);
      const query = {
        ...parameters,
        ...settings.parameters,
        client_id: client.client_id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: [...new Set(['openid', ...settings.scopes, ...scopes])].join(' '),
        state,
        ...(settings.usesNonce !== false && { nonce: deriveNonce(codeVerifier) }),
        ...(settings.usesPkce !== false && {
          code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        }),
      };
      for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
      return url;
    },

    async signIn({ parameters, redirectUri, state, codeVerifier }) {
      const authorizationServer = await server();
      const callbackParameters = oauth.validateAuthResponse(authorizationServer, client, parameters, state);
      const response = await oauth.authorizationCodeGrantRequest(
        authorizationServer,
        client,
        clientAuthentication(authorizationServer, settings),
        callbackParameters,
        redirectUri,
        settings.usesPkce === false ? oauth.nopkce : codeVerifier,
        requestOptions(settings.issuer, settings.fetcher),
      );
      const { issuer, tokenResponse } = await withIssuer(settings, authorizationServer, response);
      const tokens = await oauth.processAuthorizationCodeResponse(
        { ...authorizationServer, issuer },
        client,
        tokenResponse,
        {
          requireIdToken: true,
          expectedNonce: settings.usesNonce === false ? oauth.expectNoNonce : deriveNonce(codeVerifier),
        },
      );
      // TLS already authenticates the token. Its signature and at_hash are checked as well.
      const claims = await issuers.verify({ ...settings, issuer }, tokens.id_token ?? '', tokens.access_token);
      const userInfo = claims['email']
        ? {}
        : await readUserInfo(authorizationServer, client, claims.sub, tokens.access_token, settings);
      return {
        profile: toProfile(name, { ...userInfo, ...claims }),
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token,
      };
    },
  };
}

/** Derives the nonce from the code verifier, which browsers never see, so that the nonce does not have to be stored. */
function deriveNonce(codeVerifier: string): string {
  return createHash('sha256').update(`nonce ${codeVerifier}`).digest('base64url');
}

function clientAuthentication(
  authorizationServer: oauth.AuthorizationServer,
  settings: OpenIdSettings,
): oauth.ClientAuth {
  const {
    clientSecret,
    sendsSecretInBody = authorizationServer.token_endpoint_auth_methods_supported?.includes('client_secret_post'),
  } = settings;
  if (!clientSecret) return oauth.None();
  return sendsSecretInBody ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret);
}

/** Returns the issuer of the ID token in the response if several are accepted. @throws Error if it is not accepted */
async function withIssuer(
  settings: OpenIdSettings,
  authorizationServer: oauth.AuthorizationServer,
  response: Response,
) {
  if (!settings.acceptsIssuer) return { issuer: authorizationServer.issuer, tokenResponse: response };
  const text = await response.text();
  const tokenResponse = new Response(text, { status: response.status, headers: response.headers });
  const { id_token: idToken }: { id_token?: unknown } = JSON.parse(text);
  const issuer = typeof idToken === 'string' ? decodeJwt(idToken).iss : undefined;
  if (issuer === undefined) return { issuer: authorizationServer.issuer, tokenResponse };
  if (!settings.acceptsIssuer(issuer)) throw new Error(`${issuer} is not an issuer of ${settings.name}`);
  return { issuer, tokenResponse };
}

/** Reads the userinfo endpoint, for issuers without an email address in their ID tokens. */
async function readUserInfo(
  authorizationServer: oauth.AuthorizationServer,
  client: oauth.Client,
  sub: string,
  accessToken: string,
  { fetcher }: OpenIdSettings,
) {
  if (!authorizationServer.userinfo_endpoint) return {};
  const response = await oauth.userInfoRequest(
    authorizationServer,
    client,
    accessToken,
    requestOptions(authorizationServer.issuer, fetcher),
  );
  return oauth.processUserInfoResponse(authorizationServer, client, sub, response);
}
