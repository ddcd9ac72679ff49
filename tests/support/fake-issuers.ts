/**
 * Google, Microsoft and others, faked at the network: each issuer publishes its endpoints and keys at its real address,
 * signs ID tokens, and gives one for every code.
 */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { vi } from 'vitest';

export interface FakeIssuer {
  issuer: string;
  /** An ID token; `claims` replace those of a token that is in order, undefined ones leave them out. */
  idToken(claims: JWTPayload, header?: { alg?: string; kid?: string }): Promise<string>;
  /** Worth of the next code: claims of the ID token, beside those of the request. */
  person: JWTPayload;
  /** Forms that were posted to the token endpoint. */
  forms: URLSearchParams[];
  /** Number of times that its discovery was read. */
  discoveries: number;
}

const issuers = new Map<string, FakeIssuer & { answer(path: string, body: string): Promise<Response | undefined> }>();

/** Lets the backend reach issuers that this file fakes, and loopback. Everything else is no server at all. */
export function fakeTheNetwork(): void {
  const real = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.hostname === '127.0.0.1') return real(input, init);
    for (const issuer of issuers.values()) {
      if (!url.href.startsWith(`${issuer.issuer}/`)) continue;
      const answer = await issuer.answer(url.href.slice(issuer.issuer.length), String(init?.body ?? ''));
      if (answer) return answer;
    }
    throw new TypeError(`fetch failed: nobody is at ${url.origin}`);
  });
}

export async function fakeIssuer(issuer: string, { audience }: { audience: string }): Promise<FakeIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key', alg: 'RS256', use: 'sig' };
  const fake = {
    issuer,
    person: {} as JWTPayload,
    forms: [] as URLSearchParams[],
    discoveries: 0,
    async idToken(claims: JWTPayload, header: { alg?: string; kid?: string } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: issuer, aud: audience, sub: crypto.randomUUID(), iat: now, exp: now + 300 };
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'key', ...header })
        .sign(privateKey);
    },
    async answer(path: string, body: string): Promise<Response | undefined> {
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
