/** Calls to the authentication service for the signed-in user's second factors. */
import { queryOptions } from '@tanstack/react-query';
import { callAuth } from '../api/as-signed-in.ts';
import { errorCode } from '../api/error-code.ts';
import { sessionApi } from '../api/visitor-api.ts';

export interface Factor {
  id: string;
  type: 'totp' | 'webauthn' | 'phone';
  name: string;
  createdAt: string;
}

export interface Factors {
  /** Verified factors. */
  factors: Factor[];
  hasRecoveryCodes: boolean;
}

/** Pass `staleTime: 0` if factors may have changed on other devices. */
export const factorsQuery = queryOptions({
  queryKey: ['account', 'factors'],
  queryFn: async (): Promise<Factors> => {
    const data = await callAuth((auth) => auth.mfa.listFactors());
    const verified = [...data.totp, ...data.webauthn, ...data.phone];
    return {
      factors: verified.map((factor) => ({
        id: factor.id,
        type: factor.factor_type,
        name: factor.friendly_name || NAMES[factor.factor_type],
        createdAt: factor.created_at,
      })),
      hasRecoveryCodes: data.recovery_code.length > 0,
    };
  },
});

/** Default names of factors. */
const NAMES: Record<Factor['type'], string> = { totp: 'Authenticator app', webauthn: 'Security key', phone: 'Phone' };

/** Reads the number of unused recovery codes, or null if none have been created. */
export const recoveryCodesQuery = queryOptions({
  queryKey: ['account', 'recovery-codes'],
  queryFn: async (): Promise<{ total: number; remaining: number } | null> => {
    try {
      return await callAuth((auth) => auth.mfa.recoveryCodes.getStatus());
    } catch (error) {
      if (errorCode(error) === 'mfa_factor_not_found') return null;
      throw error;
    }
  },
});

export interface NewApp {
  id: string;
  /** Secret for manual entry. */
  secret: string;
  /** URI encoded in the QR code. */
  uri: string;
}

/**
 * Starts the enrolment of an authenticator app.
 * @throws AuthError, for example if the name is already used
 */
export async function enrolApp(name: string): Promise<NewApp> {
  await removeUnfinishedEnrolment('totp');
  const data = await callAuth((auth) => auth.mfa.enroll({ factorType: 'totp', friendlyName: name }));
  return { id: data.id, secret: data.totp.secret, uri: data.totp.uri };
}

/**
 * Enrols a security key through the browser's dialog.
 * @throws AuthError or the browser's error
 */
export async function enrolKey(name: string): Promise<void> {
  await removeUnfinishedEnrolment('webauthn');
  await callAuth((auth) => auth.mfa.webauthn.register({ friendlyName: name }));
}

export interface NewPhone {
  id: string;
  /** E.164 without the plus sign, as stored. */
  number: string;
  /** Challenge ID of the code that was sent. */
  challengeId: string;
}

/**
 * Starts the enrolment of a phone by sending a code. A failed enrolment is removed.
 * @param number E.164. Spaces are ignored
 * @throws AuthError. See `isNameTaken`
 */
export async function enrolPhone({ name, number }: { name: string; number: string }): Promise<NewPhone> {
  await removeUnfinishedEnrolment('phone');
  const data = await callAuth((auth) => auth.mfa.enroll({ factorType: 'phone', phone: number, friendlyName: name }));
  try {
    const challengeId = await sendPhoneCode(data.id);
    return { id: data.id, number: number.replace(/^\+|\s/g, ''), challengeId };
  } catch (failure) {
    await cancelEnrolment(data.id);
    throw failure;
  }
}

/** Cancels an enrolment. If the request fails, the next enrolment removes it. */
export async function cancelEnrolment(factorId: string): Promise<void> {
  const api = await sessionApi();
  await api.auth.mfa.unenroll({ factorId });
}

/** Removes unfinished enrolments, which would block their names. */
async function removeUnfinishedEnrolment(type: Factor['type']): Promise<void> {
  const api = await sessionApi();
  const { data } = await api.auth.mfa.listFactors();
  const unfinished = data?.all.filter((factor) => factor.factor_type === type && factor.status === 'unverified') ?? [];
  for (const { id } of unfinished) await api.auth.mfa.unenroll({ factorId: id });
}

/**
 * Verifies a code from an authenticator app.
 * @throws AuthError. See `isWrongCode`
 */
export async function verifyAppCode({ factorId, code }: { factorId: string; code: string }): Promise<void> {
  await callAuth((auth) => auth.mfa.challengeAndVerify({ factorId, code: code.replace(/\s+/g, '') }));
}

/**
 * Sends a code to a phone.
 * @returns the challenge ID
 */
export async function sendPhoneCode(factorId: string): Promise<string> {
  const data = await callAuth((auth) => auth.mfa.challenge({ factorId }));
  return data.id;
}

/** @throws AuthError. See `isWrongCode` */
export async function verifyPhoneCode(input: { factorId: string; challengeId: string; code: string }): Promise<void> {
  await callAuth((auth) => auth.mfa.verify({ ...input, code: input.code.replace(/\s+/g, '') }));
}

/**
 * Verifies a security key through the browser's dialog.
 * @throws AuthError or the browser's error
 */
export async function verifySecurityKey(factorId: string): Promise<void> {
  await callAuth((auth) => auth.mfa.webauthn.authenticate({ factorId }));
}

/** @throws AuthError. See `isWrongCode` */
export async function verifyRecoveryCode(code: string): Promise<void> {
  await callAuth((auth) => auth.mfa.recoveryCodes.verify({ code }));
}

/** Refreshes the local user after factors were removed elsewhere. */
export async function refreshUser(): Promise<void> {
  const api = await sessionApi();
  await api.auth.refreshSession();
}

/**
 * Removes a factor. Recovery codes are removed with the last factor.
 * @throws Error with a message for the user if they signed in with a recovery code
 */
export async function removeFactor({ id, isLast }: { id: string; isLast: boolean }): Promise<void> {
  const api = await sessionApi();
  if (isLast && (await hasUsedRecoveryCode())) {
    throw new Error('You signed in with a recovery code. Add your new app or key first, then remove the old one.');
  }
  if (isLast) {
    const { error } = await api.auth.mfa.recoveryCodes.unenroll();
    if (error && error.code !== 'mfa_factor_not_found') throw error;
  }
  await callAuth((auth) => auth.mfa.unenroll({ factorId: id }));
  await api.auth.refreshSession();
}

/**
 * True if the last verified factor was a recovery code. Deleting the codes would lower the session to aal1, but
 * removing a factor requires aal2.
 */
async function hasUsedRecoveryCode(): Promise<boolean> {
  const api = await sessionApi();
  const { data } = await api.auth.mfa.getAuthenticatorAssuranceLevel();
  const methods = (data?.currentAuthenticationMethods ?? []).map((entry) =>
    typeof entry === 'string' ? entry : entry.method,
  );
  return methods.find((method) => method === 'totp' || method.startsWith('mfa/')) === 'mfa/recovery_code';
}

/**
 * Creates a new set of recovery codes. The server stores only hashes.
 * @throws AuthError
 */
export async function createRecoveryCodes(replacesCodes: boolean): Promise<string[]> {
  const { codes } = await callAuth(({ mfa: { recoveryCodes } }) =>
    replacesCodes ? recoveryCodes.regenerate() : recoveryCodes.generate(),
  );
  return codes;
}

/** True if a code was rejected because it is wrong or already used. */
export function isWrongCode(error: Error): boolean {
  return errorCode(error) === 'mfa_verification_failed';
}

/** True if another of the user's factors has the same name. */
export function isNameTaken(error: Error): boolean {
  return errorCode(error) === 'mfa_factor_name_conflict';
}

/** True if the user cancelled the browser's dialog, or the dialog timed out. */
export function isKeyCancelled(error: Error): boolean {
  const cause = 'cause' in error ? error.cause : undefined;
  return [error.name, cause instanceof Error ? cause.name : ''].some((name) =>
    ['NotAllowedError', 'AbortError'].includes(name),
  );
}
