/**
 * Replaces `fetch` with fake versions of Google, Microsoft and other issuers. Each issuer publishes its endpoints and
 * keys at its real URL. It exchanges any code for a signed ID token.
 */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { vi } from 'vitest';

export interface FakeIssuer {
  issuer: string;
  /** Returns an ID token. `claims` replace those of a valid token, and undefined claims are left out. */
  idToken(claims: JWTPayload, header?: { alg?: string; kid?: string }): Promise<string>;
  /** Claims that are added to the next ID token. */
  person: JWTPayload;
  /** Forms posted to the token endpoint. */
  forms: URLSearchParams[];
  /** Number of requests for its discovery document. */
  discoveries: number;
}

const issuers = new Map<string, FakeIssuer & { respond(path: string, body: string): Promise<Response | undefined> }>();

/** Lets the backend connect only to the fake issuers and to loopback. All other connections fail. */
export function stubIssuerRequests(): void {
  const originalFetch = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.hostname === '127.0.0.1') return originalFetch(input, init);
    for (const issuer of issuers.values()) {
      if (!url.href.startsWith(`${issuer.issuer}/`)) continue;
      const response = await issuer.respond(url.href.slice(issuer.issuer.length), String(init?.body ?? ''));
      if (response) return response;
    }
    throw new TypeError(`fetch failed: no server at ${url.origin}`);
  });
}

export async function createFakeIssuer(issuer: string, { audience }: { audience: string }): Promise<FakeIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key', alg: 'RS256', use: 'sig' };
  const fake = {
    issuer,
    person: {} as JWTPayload,
    forms: [] as URLSearchParams[],
    discoveries: 0,
    async idToken(claims: JWTPayload, header: { alg?: string; kid?: string } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const defaults = { iss: issuer, aud: audience, sub: crypto.randomUUID(), iat: now, exp: now + 300 };
      return new SignJWT({ ...defaults, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'key', ...header })
        .sign(privateKey);
    },
    async respond(path: string, body: string): Promise<Response | undefined> {
      if (path === '/.well-known/openid-configuration') {
        fake.discoveries += 1;
        return Response.json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
        });
      }
      if (path === '/keys') return Response.json({ keys: [jwk] });
      if (!path.endsWith('/token')) return undefined;
      fake.forms.push(new URLSearchParams(body));
      return Response.json({
        access_token: 'an-access-token',
        token_type: 'Bearer',
        refresh_token: 'a-refresh-token',
        id_token: await fake.idToken(fake.person),
      });
    },
  };
  issuers.set(issuer, fake);
  return fake;
}
