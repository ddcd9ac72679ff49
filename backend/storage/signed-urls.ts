/** Tokens in URLs that open one file to whoever has the URL, until they expire. They are signed with our own key. */
import { errors, jwtVerify, SignJWT } from 'jose';
import { ApiError } from '../http/api-error.ts';
import { SIGNING_ALGORITHMS, type SigningKeys } from '../http/keys.ts';
import { invalidRequest } from './storage-error.ts';

/** An access token is no such token and the other way round: the audiences differ. */
type Purpose = 'storage:read' | 'storage:upload';

const UPLOAD_SECONDS = 2 * 60 * 60;

/** @param url bucket and name, as bucket/folder/name */
export async function signRead(
  keys: SigningKeys,
  url: string,
  seconds: number,
  transformations: string | null = null,
): Promise<string> {
  return sign(keys, 'storage:read', seconds, { url, ...(transformations === null ? {} : { transformations }) });
}

/** Good for two hours, as with Supabase. */
export async function signUpload(
  keys: SigningKeys,
  claims: { url: string; owner: string | null; upsert: boolean },
): Promise<string> {
  return sign(keys, 'storage:upload', UPLOAD_SECONDS, claims);
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
): Promise<{ expires: Date; transformations: string | null }> {
  const claims = await verify(keys, 'storage:read', url, token);
  const transformations = claims['transformations'];
  return {
    expires: new Date(Number(claims.exp) * 1000),
    transformations: typeof transformations === 'string' ? transformations : null,
  };
}

/** @throws ApiError InvalidRequest, InvalidJWT, InvalidSignature */
export async function verifyUpload(
  keys: SigningKeys,
  url: string,
  token: string | null,
): Promise<{ ownerId: string | null; upsert: boolean }> {
  const claims = await verify(keys, 'storage:upload', url, token);
  const owner = claims['owner'];
  return { ownerId: typeof owner === 'string' ? owner : null, upsert: claims['upsert'] === true };
}

async function verify(keys: SigningKeys, purpose: Purpose, url: string, token: string | null) {
  if (!token) throw invalidRequest("querystring must have required property 'token'");
  const { payload } = await jwtVerify(
    token,
    ({ kid }) => {
      const key = keys.verifying.get(kid ?? '');
      if (!key) throw new errors.JWSSignatureVerificationFailed();
      return key;
    },
    { algorithms: [...SIGNING_ALGORITHMS], audience: purpose },
  ).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : 'Invalid JWT';
    throw new ApiError(400, 'InvalidJWT', message, { cause: error });
  });
  if (payload['url'] !== url) throw new ApiError(400, 'InvalidSignature', 'Invalid signature');
  return payload;
}
