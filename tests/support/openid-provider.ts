/** A real OpenID provider (oidc-provider from npm) on loopback. The test sets the signed-in user. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type ClientMetadata } from 'oidc-provider';

export interface ProviderPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface TestProvider {
  issuer: string;
  /** An entry of AUTH_PROVIDERS. */
  settings: { name: string; issuer: string; client_id: string; client_secret: string };
  /** The user who signs in next. Null if the user declines. */
  person: ProviderPerson | null;
  close(): Promise<void>;
}

interface Options {
  /** Adds the email address to ID tokens. Otherwise only the userinfo endpoint returns it. */
  claimsInIdToken?: boolean;
  /** Shows a page with a link to continue, for tests in a browser. */
  showsContinueLink?: boolean;
}

export async function startOpenIdProvider(
  name: string,
  { claimsInIdToken = false, showsContinueLink = false }: Options = {},
): Promise<TestProvider> {
  const server = createServer((request, response) => void handleRequest(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The provider has no port');
  const issuer = `http://127.0.0.1:${address.port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const client: ClientMetadata = {
    client_id: `${name}-client`,
    client_secret: `${name}-secret-${crypto.randomUUID()}`,
    // A placeholder, because the site's port is not known yet. `redirectUriAllowed` accepts every URL.
    redirect_uris: ['https://signalfjord.example.com/auth/v1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
  };
  const people = new Map<string, ProviderPerson>();
  const oidc = new Provider(issuer, {
    clients: [client],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: name, use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a-key-for-tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: !claimsInIdToken,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    findAccount: async (_context, id) => ({ accountId: id, claims: async () => ({ ...people.get(id), sub: id }) }),
    // Every user counts as having consented.
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client?.clientId,
        accountId: context.oidc.session?.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  });
  oidc.Client.prototype.redirectUriAllowed = () => true;
  const handleOidc = oidc.callback();

  async function handleRequest(request: IncomingMessage, response: ServerResponse) {
    if (!request.url?.startsWith('/interaction/')) return handleOidc(request, response);
    if (showsContinueLink && !request.url.endsWith('?continue')) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      return response.end(
        `<!doctype html><html lang="en"><title>${name}</title><link rel="icon" href="data:,"><a href="?continue">Continue</a>`,
      );
    }
    const { person } = provider;
    if (!person) {
      const error = { error: 'access_denied', error_description: 'The user declined' };
      return oidc.interactionFinished(request, response, error);
    }
    people.set(person.sub, person);
    await oidc.interactionFinished(request, response, { login: { accountId: person.sub, remember: false } });
  }

  const provider: TestProvider = {
    issuer,
    settings: {
      name,
      issuer,
      client_id: client.client_id,
      client_secret: client.client_secret ?? '',
    },
    person: null,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return provider;
}
