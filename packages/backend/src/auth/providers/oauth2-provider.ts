/** OAuth sign-in without OpenID: the endpoints are configured, and the userinfo endpoint returns the profile. */
import * as oauth from 'oauth4webapi';
import { z } from 'zod';
import { type ExternalFetch, USER_AGENT } from '../../http/external-fetch.ts';
import { requestOptions } from './openid-issuers.ts';
import type { ExternalProfile, Provider } from './provider.ts';

export interface Oauth2Settings {
  authorizationUrl: string;
  tokenUrl: string;
  /** Returns a JSON object of claims. */
  userinfoUrl: string;
  clientId: string;
  clientSecret: string;
  scopes: string[];
  /** Parameters of every request. */
  parameters: Record<string, string>;
  usesPkce: boolean;
  isEmailOptional: boolean;
  fetcher: ExternalFetch;
  toProfile(claims: Record<string, unknown>): ExternalProfile;
}

const claimsObject = z.record(z.string(), z.unknown());

export function createOauth2Provider(settings: Oauth2Settings): Provider {
  const { clientId, clientSecret, fetcher, tokenUrl, userinfoUrl } = settings;
  const authorizationServer: oauth.AuthorizationServer = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl };
  const client: oauth.Client = { client_id: clientId };

  return {
    isEmailOptional: settings.isEmailOptional,

    async authorizationUrl({ redirectUri, state, codeVerifier, scopes, parameters }) {
      const url = new URL(settings.authorizationUrl);
      const scope = [...new Set([...settings.scopes, ...scopes])].join(' ');
      const query = {
        ...parameters,
        ...settings.parameters,
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        ...(scope && { scope }),
        state,
        ...(settings.usesPkce && {
          code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        }),
      };
      for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
      return url;
    },

    async signIn({ parameters, redirectUri, state, codeVerifier }) {
      const withoutIssuer = new URLSearchParams(parameters);
      // The issuer's name is unknown, so it cannot be compared.
      withoutIssuer.delete('iss');
      const callbackParameters = oauth.validateAuthResponse(authorizationServer, client, withoutIssuer, state);
      const redeem = (authentication: oauth.ClientAuth) =>
        oauth.authorizationCodeGrantRequest(
          authorizationServer,
          client,
          authentication,
          callbackParameters,
          redirectUri,
          settings.usesPkce ? codeVerifier : oauth.nopkce,
          requestOptions(tokenUrl, fetcher),
        );
      let response = await redeem(oauth.ClientSecretBasic(clientSecret));
      // Some providers accept the secret only in the body, and their metadata does not say so.
      if (!response.ok) response = await redeem(oauth.ClientSecretPost(clientSecret));
      const tokens = await oauth.processAuthorizationCodeResponse(
        authorizationServer,
        client,
        await withoutIdToken(response),
      );
      const claims = await readClaims(tokens.access_token);
      return {
        profile: settings.toProfile(claims),
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token,
      };
    },
  };

  async function readClaims(accessToken: string): Promise<Record<string, unknown>> {
    const headers = new Headers({ accept: 'application/json', 'user-agent': USER_AGENT });
    const options = requestOptions(userinfoUrl, fetcher);
    const url = new URL(userinfoUrl);
    const response = await oauth.protectedResourceRequest(accessToken, 'GET', url, headers, null, options);
    if (!response.ok) throw new Error(`${url.origin} responded with status ${response.status} to a userinfo request`);
    return claimsObject.parse(await response.json());
  }
}

/**
 * Removes the ID token. It is not needed, because the userinfo endpoint returns the profile, and it cannot be
 * validated, because the issuer is unknown.
 */
async function withoutIdToken(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const { id_token: _idToken, ...tokens } = claimsObject.parse(await response.json());
  return Response.json(tokens);
}
