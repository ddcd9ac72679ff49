/** Second factors of the signed-in person: the calls to the authentication service. */
import { queryOptions } from '@tanstack/react-query';
import { askAuth } from '../api/as-signed-in.ts';
import { errorCode } from '../api/error-code.ts';
import { sessionApi } from '../api/visitor-api.ts';

export interface Factor {
  id: string;
  type: 'totp' | 'webauthn' | 'phone';
  name: string;
  createdAt: string;
}

export interface Factors {
  /** The verified ones. */
  factors: Factor[];
  hasRecoveryCodes: boolean;
}

/** Asked anew each time, because factors come and go on other devices. */
export const factorsQuery = queryOptions({
  queryKey: ['account', 'factors'],
  queryFn: async (): Promise<Factors> => {
    const data = await askAuth((auth) => auth.mfa.listFactors());
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

/** Names of factors that their owner gave no name. */
const NAMES: Record<Factor['type'], string> = { totp: 'Authenticator app', webauthn: 'Security key', phone: 'Phone' };

/** Counts the recovery codes that are left; null without any. */
export const recoveryCodesQuery = queryOptions({
  queryKey: ['account', 'recovery-codes'],
  queryFn: async (): Promise<{ total: number; remaining: number } | null> => {
    try {
      return await askAuth((auth) => auth.mfa.recoveryCodes.getStatus());
    } catch (error) {
      if (errorCode(error) === 'mfa_factor_not_found') return null;
      throw error;
    }
  },
});

export interface NewApp {
  id: string;
  /** Secret to type into the app. */
  secret: string;
  /** Address for the app's camera. */
  uri: string;
}

/** Begins the enrolment of an authenticator app. @throws AuthError, such as for a name that is taken */
export async function enrolApp(name: string): Promise<NewApp> {
  await dropUnfinished('totp');
  const data = await askAuth((auth) => auth.mfa.enroll({ factorType: 'totp', friendlyName: name }));
  return { id: data.id, secret: data.totp.secret, uri: data.totp.uri };
}

/** Enrols a security key: the browser asks for it. @throws AuthError or the browser's refusal */
export async function enrolKey(name: string): Promise<void> {
  await dropUnfinished('webauthn');
  await askAuth((auth) => auth.mfa.webauthn.register({ friendlyName: name }));
}

export interface NewPhone {
  id: string;
  /** As it is stored: E.164 without the plus sign. */
  number: string;
  /** Challenge of the code that was sent. */
  challengeId: string;
}

/**
 * Begins the enrolment of a phone: sends a code to it. Nothing stays of it when that fails.
 * @param number E.164; spaces do not matter
 * @throws AuthError; see `isNameTaken`
 */
export async function enrolPhone({ name, number }: { name: string; number: string }): Promise<NewPhone> {
  await dropUnfinished('phone');
  const data = await askAuth((auth) => auth.mfa.enroll({ factorType: 'phone', phone: number, friendlyName: name }));
  try {
    const challengeId = await sendPhoneCode(data.id);
    return { id: data.id, number: number.replace(/^\+|\s/g, ''), challengeId };
  } catch (failure) {
    await cancelEnrolment(data.id);
    throw failure;
  }
}

/** Ends an enrolment that was begun. One that cannot be reached now ends by itself at the next. */
export async function cancelEnrolment(factorId: string): Promise<void> {
  const api = await sessionApi();
  await api.auth.mfa.unenroll({ factorId });
}

/** Removes an enrolment that was begun and never finished, because it holds its name. */
async function dropUnfinished(type: Factor['type']): Promise<void> {
  const api = await sessionApi();
  const { data } = await api.auth.mfa.listFactors();
  const unfinished = data?.all.filter((factor) => factor.factor_type === type && factor.status === 'unverified') ?? [];
  for (const { id } of unfinished) await api.auth.mfa.unenroll({ factorId: id });
}

/** Shows a code of an authenticator app. @throws AuthError; see `isWrongCode` */
export async function showCode({ factorId, code }: { factorId: string; code: string }): Promise<void> {
  await askAuth((auth) => auth.mfa.challengeAndVerify({ factorId, code: code.replace(/\s+/g, '') }));
}

/** Sends a code to a phone. @returns the id of the challenge that it answers */
export async function sendPhoneCode(factorId: string): Promise<string> {
  const data = await askAuth((auth) => auth.mfa.challenge({ factorId }));
  return data.id;
}

/** @throws AuthError; see `isWrongCode` */
export async function showPhoneCode(answer: { factorId: string; challengeId: string; code: string }): Promise<void> {
  await askAuth((auth) => auth.mfa.verify({ ...answer, code: answer.code.replace(/\s+/g, '') }));
}

/** Shows a security key: the browser asks for it. @throws AuthError or the browser's refusal */
export async function showKey(factorId: string): Promise<void> {
  await askAuth((auth) => auth.mfa.webauthn.authenticate({ factorId }));
}

/** @throws AuthError; see `isWrongCode` */
export async function showRecoveryCode(code: string): Promise<void> {
  await askAuth((auth) => auth.mfa.recoveryCodes.verify({ code }));
}

/** Brings the browser's idea of the person up to date, after their factors were removed elsewhere. */
export async function forgetFactors(): Promise<void> {
  const api = await sessionApi();
  await api.auth.refreshSession();
}

/**
 * Removes a factor; the recovery codes go with the last one, because they cannot stay alone.
 * @throws Error in words when that would take from the person what they signed in with, and leave the factor
 */
export async function removeFactor({ id, isLast }: { id: string; isLast: boolean }): Promise<void> {
  const api = await sessionApi();
  if (isLast && (await hasLastShownRecoveryCode())) {
    throw new Error('You signed in with a recovery code. Add your new app or key first, then remove this one.');
  }
  if (isLast) {
    const { error } = await api.auth.mfa.recoveryCodes.unenroll();
    if (error && error.code !== 'mfa_factor_not_found') throw error;
  }
  await askAuth((auth) => auth.mfa.unenroll({ factorId: id }));
  await api.auth.refreshSession();
}

/**
 * Tells whether the latest factor was a recovery code. It holds the session at its level: without the codes it could
 * not remove anything more.
 */
async function hasLastShownRecoveryCode(): Promise<boolean> {
  const api = await sessionApi();
  const { data } = await api.auth.mfa.getAuthenticatorAssuranceLevel();
  const methods = (data?.currentAuthenticationMethods ?? []).map((entry) =>
    typeof entry === 'string' ? entry : entry.method,
  );
  return methods.find((method) => method === 'totp' || method.startsWith('mfa/')) === 'mfa/recovery_code';
}

/** Makes a fresh set of recovery codes, of which the server keeps only digests. @throws AuthError */
export async function makeRecoveryCodes(replaces: boolean): Promise<string[]> {
  const { codes } = await askAuth(({ mfa: { recoveryCodes } }) =>
    replaces ? recoveryCodes.regenerate() : recoveryCodes.generate(),
  );
  return codes;
}

/** Tells whether a code was refused because it is wrong or was used before. */
export function isWrongCode(error: Error): boolean {
  return errorCode(error) === 'mfa_verification_failed';
}

/** Tells whether another factor of the person has that name. */
export function isNameTaken(error: Error): boolean {
  return errorCode(error) === 'mfa_factor_name_conflict';
}

/** Tells whether the person closed the browser's question, or let it wait too long. */
export function isKeyRefused(error: Error): boolean {
  const cause = 'cause' in error ? error.cause : undefined;
  return [error.name, cause instanceof Error ? cause.name : ''].some((name) =>
    ['NotAllowedError', 'AbortError'].includes(name),
  );
}
