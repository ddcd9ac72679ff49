/** Tokens of signed URLs. Anyone with such a URL can access one file until the token expires. */
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { DatabaseError } from '../database/database.ts';
import type { RequestIdentity } from '../database/request-role.ts';
import { ApiError } from '../http/api-error.ts';
import { isCompactToken } from '../http/compact-token.ts';
import { SIGNING_ALGORITHMS, type SigningKeys } from '../http/keys.ts';
import { openSigner, sealSigner } from './signer.ts';
import { invalidRequest } from './storage-error.ts';

/** Audience of the JWT, so that these tokens are not accepted as access tokens. */
type Purpose = 'storage:read' | 'storage:upload';

const UPLOAD_SECONDS = 2 * 60 * 60;

/** @param url bucket and object name, such as bucket/folder/name */
export async function signRead(
  keys: SigningKeys,
  url: string,
  seconds: number,
  { transformations = null, signer }: { transformations?: string | null; signer?: RequestIdentity } = {},
): Promise<string> {
  return sign(keys, 'storage:read', seconds, {
    url,
    ...(transformations === null ? {} : { transformations }),
    ...(signer ? { signer: await sealSigner(keys, signer) } : {}),
  });
}

/**
 * Returns a token that is valid for two hours, as in Supabase. The policies are checked again when the file is written.
 */
export async function signUpload(
  keys: SigningKeys,
  signer: RequestIdentity,
  { url, upsert }: { url: string; upsert: boolean },
): Promise<string> {
  return sign(keys, 'storage:upload', UPLOAD_SECONDS, { url, upsert, signer: await sealSigner(keys, signer) });
}

async function sign(keys: SigningKeys, purpose: Purpose, seconds: number, claims: Record<string, unknown>) {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: keys.current.alg, kid: keys.current.kid })
    .setAudience(purpose)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
    .sign(keys.current.privateKey);
}

/** @throws ApiError InvalidRequest, InvalidJWT, InvalidSignature */
export async function verifyRead(
  keys: SigningKeys,
  url: string,
  token: string | null,
): Promise<{ expires: Date; transformations: string | null; signer: RequestIdentity | null }> {
  const claims = await verify(keys, 'storage:read', url, token);
  const { transformations, signer } = claims;
  return {
    expires: new Date(Number(claims.exp) * 1000),
    transformations: typeof transformations === 'string' ? transformations : null,
    signer: signer === undefined ? null : await openSigner(keys, signer),
  };
}

/** Permission that an upload token grants. */
export interface UploadPermit {
  /** Bucket and name of the only file that the token can write, as bucket/name. */
  url: string;
  /** Identity of the caller that created the token. */
  signer: RequestIdentity;
  upsert: boolean;
}

/** @throws ApiError InvalidRequest, InvalidJWT, InvalidSignature */
export async function verifyUpload(keys: SigningKeys, url: string, token: string | null): Promise<UploadPermit> {
  if (!token) throw invalidRequest("querystring must have required property 'token'");
  const permit = await readUploadToken(keys, token);
  requireSameUrl(permit.url, url);
  return permit;
}

/** Reads an upload token. The caller must check its `url` with `requireSameUrl`. @throws ApiError InvalidJWT */
export async function readUploadToken(keys: SigningKeys, token: string): Promise<UploadPermit> {
  const { url, signer, upsert } = await readClaims(keys, 'storage:upload', token);
  return { url: String(url), signer: await openSigner(keys, signer), upsert: upsert === true };
}

async function verify(keys: SigningKeys, purpose: Purpose, url: string, token: string | null) {
  if (!token) throw invalidRequest("querystring must have required property 'token'");
  const claims = await readClaims(keys, purpose, token);
  requireSameUrl(claims['url'], url);
  return claims;
}

/** @throws ApiError InvalidSignature */
export function requireSameUrl(signedUrl: unknown, url: string): void {
  if (signedUrl !== url) throw new ApiError(400, 'InvalidSignature', 'Invalid signature');
}

async function readClaims(keys: SigningKeys, purpose: Purpose, token: string): Promise<JWTPayload> {
  if (!isCompactToken(token)) throw new ApiError(400, 'InvalidJWT', 'Invalid Compact JWS');
  const { payload } = await jwtVerify(
    token,
    async ({ kid }) => {
      const key = kid && (await keys.find(kid));
      if (!key) throw new errors.JWSSignatureVerificationFailed();
      return key;
    },
    { algorithms: [...SIGNING_ALGORITHMS], audience: purpose },
  ).catch((error: unknown) => {
    if (error instanceof DatabaseError) throw error;
    const message = error instanceof Error ? error.message : 'Invalid JWT';
    throw new ApiError(400, 'InvalidJWT', message, { cause: error });
  });
  return payload;
}
