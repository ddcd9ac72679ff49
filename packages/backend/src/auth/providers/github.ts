/** GitHub and GitHub Enterprise: OAuth without OpenID. The profile is read from the API. */
import * as oauth from 'oauth4webapi';
import { z } from 'zod';
import { USER_AGENT } from '../../http/external-fetch.ts';
import { requestOptions } from './openid-issuers.ts';
import { externalEmail } from './profiles.ts';
import type { Provider } from './provider.ts';

const GITHUB = 'https://github.com';

const userSchema = z.object({
  id: z.number().int().positive(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
});
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

export interface GithubSettings {
  clientId: string;
  clientSecret: string;
  /** URL of a GitHub Enterprise Server; default: github.com. */
  url: string | undefined;
}

/** @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export function createGithubProvider({ clientId, clientSecret, url: serverUrl = GITHUB }: GithubSettings): Provider {
  const api = serverUrl === GITHUB ? 'https://api.github.com' : `${serverUrl}/api/v3`;
  const authorizationServer: oauth.AuthorizationServer = {
    issuer: `${serverUrl}/login/oauth`,
    authorization_endpoint: `${serverUrl}/login/oauth/authorize`,
    token_endpoint: `${serverUrl}/login/oauth/access_token`,
  };
  const client: oauth.Client = { client_id: clientId };

  async function read<Schema extends z.ZodType>(path: string, accessToken: string, schema: Schema) {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': USER_AGENT });
    const url = new URL(`${api}${path}`);
    const response = await oauth.protectedResourceRequest(accessToken, 'GET', url, headers, null, requestOptions(api));
    if (!response.ok) throw new Error(`GitHub responded with status ${response.status} for ${path}`);
    return schema.parse(await response.json());
  }

  return {
    async authorizationUrl({ redirectUri, state, codeVerifier, scopes, parameters }) {
      const url = new URL(authorizationServer.authorization_endpoint ?? '');
      const query = {
        ...parameters,
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: [...new Set(['user:email', ...scopes])].join(' '),
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      };
      for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
      return url;
    },

    async signIn({ parameters, redirectUri, state, codeVerifier }) {
      const callbackParameters = oauth.validateAuthResponse(authorizationServer, client, parameters, state);
      const authentication = oauth.ClientSecretPost(clientSecret);
      const options = requestOptions(serverUrl);
      const response = await oauth.authorizationCodeGrantRequest(
        authorizationServer,
        client,
        authentication,
        callbackParameters,
        redirectUri,
        codeVerifier,
        options,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(authorizationServer, client, response);
      const user = await read('/user', tokens.access_token, userSchema);
      const emails = await read('/user/emails', tokens.access_token, emailsSchema);
      const subject = String(user.id);
      return {
        profile: {
          provider: 'github',
          subject,
          emails: emails.flatMap(({ email, verified, primary }) => externalEmail(email, verified, primary)),
          claims: {
            iss: api,
            sub: subject,
            provider_id: subject,
            user_name: user.login,
            preferred_username: user.login,
            ...(user.name && { name: user.name, full_name: user.name }),
            ...(user.avatar_url && { avatar_url: user.avatar_url }),
          },
        },
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token,
      };
    },
  };
}
