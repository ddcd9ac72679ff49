import type { RequestIdentity } from '../../database/request-role.ts';
import { ApiError } from '../../http/api-error.ts';
import { addressKey } from '../../limits/networks.ts';
import { type StorageHonoContext, toOwner } from '../request-input.ts';
import { readUploadToken, requireSameUrl } from '../signed-urls.ts';
import type { Storage } from '../storage.ts';

/** Caller that starts or continues an upload. */
export interface Uploader {
  identity: RequestIdentity;
  ownerId: string | null;
  credentials: RequestIdentity['role'] | 'signature';
  /** Key of the counter of unfinished uploads. Null if they are not limited. */
  countedAs: string | null;
  upsert: boolean;
  /** @throws ApiError InvalidSignature if a signature is for another file */
  requireMatchingFile(file: { bucketId: string; name: string }): void;
}

/** Returns the uploader of the request's key or token. */
export function identifyUploader(context: StorageHonoContext): Uploader {
  const identity = context.get('identity');
  const ownerId = toOwner(identity);
  return {
    identity,
    ownerId,
    credentials: identity.role,
    countedAs: identity.role === 'service_role' ? null : (ownerId ?? addressKey(context.env.address)),
    upsert: context.req.header('x-upsert') === 'true',
    requireMatchingFile: () => undefined,
  };
}

/** Returns the uploader of a token of createSignedUploadUrl() in the header x-signature. @throws ApiError InvalidJWT */
export async function identifySignedUploader({ keys }: Storage, context: StorageHonoContext): Promise<Uploader> {
  const token = context.req.header('x-signature');
  if (!token) throw new ApiError(400, 'InvalidSignature', 'Missing x-signature header');
  const { url, signer, upsert } = await readUploadToken(keys, token);
  const ownerId = toOwner(signer);
  return {
    identity: signer,
    ownerId,
    credentials: 'signature',
    countedAs: ownerId ?? addressKey(context.env.address),
    upsert,
    requireMatchingFile: ({ bucketId, name }) => requireSameUrl(url, `${bucketId}/${name}`),
  };
}
