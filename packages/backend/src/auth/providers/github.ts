/** GitHub and GitHub Enterprise: OAuth without OpenID. The profile is read from its API. */
import * as oauth from 'oauth4webapi';
import { z } from 'zod';
import { USER_AGENT } from '../../http/external-fetch.ts';
import { requestOptions } from './openid-issuers.ts';
import { externalEmail } from './profiles.ts';
import type { Provider } from './provider.ts';

const GITHUB = 'https://github.com';

const person = z.object({
  id: z.number().int().positive(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
});
const addresses = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

export interface GithubSettings {
  clientId: string;
  clientSecret: string;
  /** URL of a GitHub Enterprise Server; default: github.com. */
  url: string | undefined;
}

/** @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export function createGithubProvider({ clientId, clientSecret, url: home = GITHUB }: GithubSettings): Provider {
  const api = home === GITHUB ? 'https://api.github.com' : `${home}/api/v3`;
  const as: oauth.AuthorizationServer = {
    issuer: `${home}/login/oauth`,
    authorization_endpoint: `${home}/login/oauth/authorize`,
    token_endpoint: `${home}/login/oauth/access_token`,
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
      const url = new URL(as.authorization_endpoint ?? '');
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
      const valid = oauth.validateAuthResponse(as, client, parameters, state);
      const authentication = oauth.ClientSecretPost(clientSecret);
      const options = requestOptions(home);
      const response = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        authentication,
        valid,
        redirectUri,
        codeVerifier,
        options,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
      const user = await read('/user', tokens.access_token, person);
      const emails = await read('/user/emails', tokens.access_token, addresses);
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
