/**
 * Metadata of OpenID issuers: endpoints (by discovery) and keys. Both are cached, so that forged tokens do not cause
 * requests to the issuer.
 */
import { createHash } from 'node:crypto';
import { createRemoteJWKSet, customFetch, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import * as oauth from 'oauth4webapi';
import { type ExternalFetch, externalFetch } from '../../http/external-fetch.ts';

/** Cache time in milliseconds, as in Supabase Auth. */
const CACHE_MS = 60 * 60 * 1000;
/** Maximum number of cached issuers. Every Microsoft tenant is an issuer. */
const MAX_CACHED = 100;
const CLOCK_TOLERANCE_SECONDS = 30;

/** Asymmetric signatures only: no shared secret, and not "none". */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

export interface IdTokenClaims extends JWTPayload {
  iss: string;
  sub: string;
}

/** Issuer, and how its metadata is fetched. */
export interface IssuerSource {
  issuer: string;
  /** URL of its metadata, if not the standard one. */
  discoveryUrl?: string | undefined;
  /** Default: externalFetch. */
  fetcher?: ExternalFetch;
}

export interface OpenIdIssuers {
  /** Returns the issuer's endpoints. @throws Error if the issuer does not respond, or publishes another issuer */
  discover(source: IssuerSource): Promise<oauth.AuthorizationServer>;
  /**
   * Returns the claims of an ID token of that issuer. If an access token is passed and at_hash is present, at_hash is
   * checked. The caller checks audience and nonce.
   * @throws Error if the token is from another issuer, has expired or is not valid yet
   */
  verify(source: IssuerSource, idToken: string, accessToken?: string): Promise<IdTokenClaims>;
}

interface Issuer {
  metadata: oauth.AuthorizationServer;
  keys: ReturnType<typeof createRemoteJWKSet>;
}

export function createOpenIdIssuers(): OpenIdIssuers {
  const cache = new LRUCache<string, Promise<Issuer>>({ max: MAX_CACHED, ttl: CACHE_MS });

  function read(source: IssuerSource): Promise<Issuer> {
    const key = `${source.issuer} ${source.discoveryUrl ?? ''}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const issuer = readIssuer(source);
    cache.set(key, issuer);
    // The next request retries.
    issuer.catch(() => cache.delete(key));
    return issuer;
  }

  return {
    async discover(source) {
      return (await read(source)).metadata;
    },
    async verify(source, idToken, accessToken) {
      const { metadata, keys } = await read(source);
      const { payload } = await jwtVerify(idToken, keys, {
        issuer: metadata.issuer,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['iss', 'sub', 'aud', 'exp'],
      });
      const { sub, at_hash: hash } = payload;
      if (!sub) throw new Error('The ID token has no subject');
      if (accessToken && typeof hash === 'string' && hash !== accessTokenHash(idToken, accessToken)) {
        throw new Error('The ID token was issued for a different access token');
      }
      return { ...payload, iss: metadata.issuer, sub };
    },
  };
}

/** Returns the options of oauth4webapi for a server: our fetch, and http only for servers on this machine. */
export function requestOptions(url: string, fetcher: ExternalFetch = externalFetch) {
  return {
    [oauth.customFetch]: (url: string, init: object) => fetcher(url, init),
    [oauth.allowInsecureRequests]: new URL(url).protocol === 'http:',
  };
}

async function readIssuer({ issuer, discoveryUrl, fetcher = externalFetch }: IssuerSource): Promise<Issuer> {
  const url = new URL(issuer);
  const response = discoveryUrl
    ? await fetcher(discoveryUrl, { headers: { accept: 'application/json' } })
    : await oauth.discoveryRequest(url, requestOptions(issuer, fetcher));
  const metadata = await oauth.processDiscoveryResponse(url, response);
  if (!metadata.jwks_uri) throw new Error(`${issuer} publishes no keys`);
  const keysUrl = new URL(metadata.jwks_uri);
  if (keysUrl.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Error(`${issuer} publishes its keys without TLS`);
  return { metadata, keys: createRemoteJWKSet(keysUrl, { [customFetch]: fetcher }) };
}

/** https://openid.net/specs/openid-connect-core-1_0.html#CodeIDToken */
function accessTokenHash(idToken: string, accessToken: string): string {
  const { alg = '' } = decodeProtectedHeader(idToken);
  const bits = /(256|384|512)$/.exec(alg)?.[1] ?? '512';
  const digest = createHash(`sha${alg === 'Ed25519' ? '512' : bits}`)
    .update(accessToken)
    .digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
