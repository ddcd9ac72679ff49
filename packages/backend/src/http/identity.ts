/** Identity of a request: its API key and access token, verified once for all services. */
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { DatabaseError } from '../database/database.ts';
import type { RequestIdentity } from '../database/request-role.ts';
import { isCompactToken } from './compact-token.ts';
import { PUBLISHABLE_KEY, SIGNING_ALGORITHMS, type SigningKeys } from './keys.ts';

/** Reasons to reject an access token. */
type IdentityFault = 'malformed' | 'expired' | 'unknown key' | 'bad signature' | 'unknown role';

/** Thrown for a rejected token. Each service responds with its own message and status. */
export class IdentityError extends Error {
  readonly fault: IdentityFault;

  constructor(fault: IdentityFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IdentityError';
    this.fault = fault;
  }
}

/**
 * Maximum number of cached tokens. A verified token is cached until it expires, so that it is not verified again for
 * each request. The least recently used token is evicted.
 */
const MAX_CACHED = 1000;

export interface TokenVerifier {
  /** Returns the claims of an access token. @throws IdentityError with PostgREST's message */
  verify(token: string): Promise<JWTPayload>;
}

/** Claims and signing key of a verified token. The key can be revoked. It is null for JWT_SECRET. */
interface VerifiedToken {
  claims: JWTPayload;
  kid: string | null;
}

export function createTokenVerifier(keys: Pick<SigningKeys, 'find'>, legacySecret?: string): TokenVerifier {
  const tokens = new LRUCache<string, VerifiedToken>({ max: MAX_CACHED });
  const secret = legacySecret ? new TextEncoder().encode(legacySecret) : undefined;

  return {
    async verify(token) {
      const entry = tokens.get(token);
      const isValid = entry && (entry.claims.exp === undefined || entry.claims.exp * 1000 > Date.now());
      if (isValid && (entry.kid === null || (await keys.find(entry.kid)))) return entry.claims;
      const verifiedToken = await verifyToken(token, keys, secret);
      tokens.set(token, verifiedToken);
      return verifiedToken.claims;
    },
  };
}

async function verifyToken(
  token: string,
  keys: Pick<SigningKeys, 'find'>,
  secret: Uint8Array | undefined,
): Promise<VerifiedToken> {
  if (token.split('.').length !== 3) {
    throw new IdentityError('malformed', `Expected 3 parts in JWT; got ${token.split('.').length}`);
  }
  if (!isCompactToken(token)) throw new IdentityError('malformed', 'JWSError CompactDecodeError');
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    if (alg === 'HS256' && secret) {
      return { claims: (await jwtVerify(token, secret, { algorithms: ['HS256'] })).payload, kid: null };
    }
    const key = kid && (await keys.find(kid));
    if (!key) throw new IdentityError('unknown key', 'No suitable key or wrong key type');
    const { payload: claims } = await jwtVerify(token, key, { algorithms: [...SIGNING_ALGORITHMS] });
    // The same key signs file URLs and ID tokens, which are for other audiences and have no role.
    if (claims['role'] === undefined) throw new IdentityError('unknown role', 'The token is not an access token');
    return { claims, kid };
  } catch (error) {
    // A DatabaseError means that the key could not be loaded.
    if (error instanceof IdentityError || error instanceof DatabaseError) throw error;
    if (error instanceof errors.JWTExpired) throw new IdentityError('expired', 'JWT expired', { cause: error });
    throw new IdentityError('bad signature', 'JWSError JWSInvalidSignature', { cause: error });
  }
}

/** Returns the bearer token of a request, or null. The scheme is case-insensitive. */
export function bearerToken(headers: Headers): string | null {
  return /^bearer\s+(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null;
}

/**
 * Returns the role and claims for the request's transaction. API keys are not tokens: the publishable key leaves the
 * request anonymous, and the secret key makes it service_role.
 * @throws IdentityError
 */
export async function identifyRequest(
  request: Request,
  keys: SigningKeys,
  verifier: TokenVerifier,
): Promise<RequestIdentity> {
  const url = new URL(request.url);
  const base = { headers: Object.fromEntries(request.headers), method: request.method, path: url.pathname };
  const apiKey = request.headers.get('apikey');
  const token = bearerToken(request.headers);
  if (token && token !== PUBLISHABLE_KEY && token !== keys.secretKey) {
    const claims = await verifier.verify(token);
    return { ...base, role: requireRole(claims), claims };
  }
  const isService = token === keys.secretKey || (token === null && apiKey === keys.secretKey);
  const role = isService ? 'service_role' : 'anon';
  return { ...base, role, claims: { role } };
}

function requireRole(claims: JWTPayload): RequestIdentity['role'] {
  const role = claims['role'] ?? 'anon';
  if (role === 'anon' || role === 'authenticated' || role === 'service_role') return role;
  throw new IdentityError('unknown role', `role "${String(role)}" does not exist`);
}
