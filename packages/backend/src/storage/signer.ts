/**
 * The identity that signed a URL, encrypted in its token, so that the policies can be checked again when the URL is
 * used. It is encrypted because claims contain an email address and the header contains the secret of an approval link.
 */
import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { z } from 'zod';
import type { RequestIdentity } from '../database/request-role.ts';
import { ApiError } from '../http/api-error.ts';
import type { SigningKeys } from '../http/keys.ts';

/** The only request header that policies of storage.objects read. */
const LINK_HEADER = 'x-approval-link';

/**
 * Excluded claims: the user metadata, and the lifetime of the access token. The signed URL has its own lifetime.
 */
const OMITTED_CLAIMS = new Set(['exp', 'iat', 'nbf', 'jti', 'user_metadata']);

const signerSchema = z.object({
  role: z.enum(['anon', 'authenticated', 'service_role']),
  claims: z.record(z.string(), z.unknown()),
  link: z.string().optional(),
});

export async function sealSigner(keys: SigningKeys, { role, claims, headers }: RequestIdentity): Promise<string> {
  const signedClaims = Object.fromEntries(Object.entries(claims).filter(([name]) => !OMITTED_CLAIMS.has(name)));
  const signer: z.input<typeof signerSchema> = { role, claims: signedClaims, link: headers[LINK_HEADER] };
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(signer)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(sealingKey(keys));
}

/** @throws ApiError InvalidJWT for a token of an earlier version, which has no signer */
export async function openSigner(keys: SigningKeys, sealed: unknown): Promise<RequestIdentity> {
  try {
    const { plaintext } = await compactDecrypt(String(sealed), sealingKey(keys));
    const { role, claims, link } = signerSchema.parse(JSON.parse(new TextDecoder().decode(plaintext)));
    const headers: Record<string, string> = link === undefined ? {} : { [LINK_HEADER]: link };
    return { role, claims, headers, method: 'POST', path: '/storage/v1' };
  } catch (error) {
    throw new ApiError(400, 'InvalidJWT', 'The signature does not identify its signer', { cause: error });
  }
}

function sealingKey({ secretKey }: SigningKeys): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, '', 'signer of a storage URL', 32));
}
