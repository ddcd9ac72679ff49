/**
 * WebAuthn ceremonies, for second factors and passkeys. The relying party is the site: its host name and origin.
 * Browsers reject IP addresses, so the site must have a host name, such as localhost.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { AuthCall } from '../auth-call.ts';
import type { UserRow } from '../users.ts';

/** The library is loaded on first use, because it takes 28 MB of memory and a quarter of a second. */
const loadLibrary = () => import('@simplewebauthn/server');

/** Time to respond to a challenge, in seconds. */
export const CHALLENGE_SECONDS = 300;

/** Data of a ceremony, stored until its response arrives, with the names of the library that Supabase Auth uses. */
export interface CeremonyData {
  challenge: string;
  rpId: string;
  user_id?: string;
}

/** The credential of a factor as stored by Supabase Auth in web_authn_credential: bytes in base64. */
export interface StoredCredential {
  id: string;
  publicKey: string;
  attestationType: string;
  transport: string[];
  flags: { userPresent: boolean; userVerified: boolean; backupEligible: boolean; backupState: boolean };
  authenticator: { AAGUID: string; signCount: number };
}

/** A credential, with its id in base64url and its public key in COSE. */
export interface Credential {
  id: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
  aaguid: string;
  userVerified: boolean;
  backupEligible: boolean;
  backedUp: boolean;
}

/** ES256, EdDSA and RS256 as COSE numbers: the algorithms of common keys. */
const ALGORITHMS = [-7, -8, -257];

type UserVerification = 'required' | 'preferred';

/** Required fields of a browser's response. The library validates their values. */
const credential = z.looseObject({
  id: z.string().max(2000),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string() }),
});
export const registrationField = z.custom<RegistrationResponseJSON>((value) => credential.safeParse(value).success);
export const authenticationField = z.custom<AuthenticationResponseJSON>((value) => credential.safeParse(value).success);

export async function registrationOptions(
  call: AuthCall,
  user: UserRow,
  { isPasskey, exclude }: { isPasskey: boolean; exclude: string[] },
) {
  const { hostname } = new URL(call.siteUrl);
  const name = user.email || user.phone || user.id;
  return (await loadLibrary()).generateRegistrationOptions({
    rpName: hostname,
    rpID: hostname,
    userID: new TextEncoder().encode(user.id),
    userName: name,
    userDisplayName: displayName(user) ?? name,
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: exclude.map((id) => ({ id })),
    authenticatorSelection: isPasskey
      ? { residentKey: 'required', userVerification: 'required' }
      : { residentKey: 'discouraged', userVerification: 'preferred' },
  });
}

export async function authenticationOptions(call: AuthCall, allow: string[], userVerification: UserVerification) {
  return (await loadLibrary()).generateAuthenticationOptions({
    rpID: new URL(call.siteUrl).hostname,
    timeout: CHALLENGE_SECONDS * 1000,
    userVerification,
    ...(allow.length > 0 ? { allowCredentials: allow.map((id) => ({ id })) } : {}),
  });
}

/** Returns the new credential, or null if the response is invalid. */
export async function verifyRegistration(
  call: AuthCall,
  ceremony: CeremonyData,
  response: RegistrationResponseJSON,
  userVerification: UserVerification,
): Promise<Credential | null> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: ceremony.challenge,
    expectedOrigin: call.siteUrl,
    expectedRPID: ceremony.rpId,
    requireUserVerification: userVerification === 'required',
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!result?.verified) return null;
  const { credential, aaguid, userVerified, credentialDeviceType, credentialBackedUp } = result.registrationInfo;
  return {
    id: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports: credential.transports ?? [],
    aaguid,
    userVerified,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
  };
}

/** Returns the updated counter of the credential, or null if the response is invalid or the counter decreased. */
export async function verifyAuthentication(
  call: AuthCall,
  ceremony: CeremonyData,
  response: AuthenticationResponseJSON,
  credential: Pick<Credential, 'id' | 'publicKey' | 'counter'>,
  userVerification: UserVerification,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: ceremony.challenge,
    expectedOrigin: call.siteUrl,
    expectedRPID: ceremony.rpId,
    requireUserVerification: userVerification === 'required',
    credential,
  }).catch(() => null);
  return result?.verified ? result.authenticationInfo.newCounter : null;
}

export function toStored(credential: Credential): StoredCredential {
  return {
    id: Buffer.from(credential.id, 'base64url').toString('base64'),
    publicKey: Buffer.from(credential.publicKey).toString('base64'),
    attestationType: 'none',
    transport: credential.transports,
    flags: {
      userPresent: true,
      userVerified: credential.userVerified,
      backupEligible: credential.backupEligible,
      backupState: credential.backedUp,
    },
    authenticator: {
      AAGUID: Buffer.from(credential.aaguid.replaceAll('-', ''), 'hex').toString('base64'),
      signCount: credential.counter,
    },
  };
}

export function fromStored({ id, publicKey, authenticator }: StoredCredential) {
  return {
    id: Buffer.from(id, 'base64').toString('base64url'),
    publicKey: new Uint8Array(Buffer.from(publicKey, 'base64')),
    counter: authenticator.signCount,
  };
}

function displayName(user: UserRow): string | undefined {
  const name = user.raw_user_meta_data?.['name'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}
