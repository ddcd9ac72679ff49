/** Calls to the authentication service for sign-up, sign-in, passwords, email addresses and sessions. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { callAuth, changeAsSignedIn, readAsSignedIn, reloadOnSettled } from '../api/as-signed-in.ts';
import { errorCode } from '../api/error-code.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { solveCaptcha } from '../ui/captcha/captcha.ts';
import type { Credentials, Registration } from './credentials.ts';
import { announceSessionEnd } from './session-hint.ts';

/**
 * @returns true if signed in, false if a second factor is required
 * @throws AuthError with the server's message, CaptchaClosedError
 */
export async function signIn(credentials: Credentials): Promise<boolean> {
  const options = await solveCaptcha();
  const data = await callAuth((auth) => auth.signInWithPassword({ ...credentials, options }));
  return !data.user.factors?.some(({ status }) => status === 'verified');
}

/**
 * Registers the user and assigns the chosen role. If the address must be confirmed first, there is no session yet, and
 * the choice is stored in the user's metadata until the first sign-in. If the role cannot be assigned, signs out and
 * throws. The next sign-in assigns the role.
 * @throws AuthError or PostgrestError with the server's message
 */
export async function signUp({ email, password, role }: Registration): Promise<{ signedIn: boolean }> {
  const api = await sessionApi();
  const captcha = await solveCaptcha();
  const data = await callAuth((auth) =>
    auth.signUp({
      email,
      password,
      options: { data: { role }, emailRedirectTo: `${window.location.origin}/`, ...captcha },
    }),
  );
  if (!data.session || !data.user) return { signedIn: false };
  try {
    await api.rpc('register_with_role', { _user_id: data.user.id, _role: role }).throwOnError();
  } catch (error) {
    await api.auth.signOut({ scope: 'local' });
    announceSessionEnd();
    throw error;
  }
  return { signedIn: true };
}

/**
 * Emails a link for a new password. Does not reveal whether the address is registered.
 * @param back path to open after the user followed the link
 */
export async function requestPasswordReset(email: string, back?: string): Promise<void> {
  const captcha = await solveCaptcha();
  await callAuth((auth) =>
    auth.resetPasswordForEmail(email, {
      redirectTo: returnUrl('/auth/reset-password', back),
      ...captcha,
    }),
  );
}

/**
 * Emails a sign-in link. Does not create an account.
 * @param back path to open after the user followed the link
 */
export async function requestMagicLink(email: string, back?: string): Promise<void> {
  const captcha = await solveCaptcha();
  await callAuth((auth) =>
    auth.signInWithOtp({
      email,
      options: { shouldCreateUser: false, emailRedirectTo: returnUrl('/auth', back), ...captcha },
    }),
  );
}

function returnUrl(path: string, back: string | undefined): string {
  const url = new URL(path, window.location.origin);
  if (back) url.searchParams.set('back', back);
  return url.href;
}

/**
 * Returns true if this session began with a password. A user who signed in with an email link may have forgotten the
 * password or never set one.
 */
export async function hasSignedInWithPassword(): Promise<boolean> {
  const api = await sessionApi();
  const { data } = await api.auth.mfa.getAuthenticatorAssuranceLevel();
  const methods = data?.currentAuthenticationMethods ?? [];
  return methods.some((entry) => (typeof entry === 'string' ? entry : entry.method) === 'password');
}

/** @throws AuthError. See `isWrongPassword` and `isSignInTooOld` */
export async function changePassword({ password, current }: { password: string; current?: string }): Promise<void> {
  await callAuth((auth) => auth.updateUser({ password, ...(current ? { current_password: current } : {}) }));
}

/** True if a password change failed because the current password is wrong. */
export function isWrongPassword(error: Error): boolean {
  return errorCode(error) === 'current_password_invalid';
}

/** True if a password change requires the current password because the last sign-in is too old. */
export function isSignInTooOld(error: Error): boolean {
  return errorCode(error) === 'reauthentication_needed';
}

/** Sends a link to both the old and the new address. The change takes effect once both links have been opened. */
export async function changeEmail(email: string): Promise<void> {
  const options = { emailRedirectTo: `${window.location.origin}/account` };
  await callAuth((auth) => auth.updateUser({ email }, options));
}

export async function changeName(name: string): Promise<void> {
  await callAuth((auth) => auth.updateUser({ data: { name } }));
}

/** Reads the sessions of the signed-in user, newest first. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: readAsSignedIn((api) => api.rpc('my_sessions')),
});

export const endSessionMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api, id: string) => api.rpc('end_my_session', { _session_id: id })),
  ...reloadOnSettled(sessionsQuery.queryKey),
});

/** Ends all other sessions and invalidates emailed links. */
export const endOtherSessionsMutation = mutationOptions({
  mutationFn: changeAsSignedIn((api) => api.rpc('end_my_other_sessions')),
  ...reloadOnSettled(sessionsQuery.queryKey),
});
