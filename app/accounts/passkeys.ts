/** Calls to the authentication service for passkey sign-in and for the signed-in user's passkeys. */
import { queryOptions } from '@tanstack/react-query';
import { callAuth } from '../api/as-signed-in.ts';
import { solveCaptcha } from '../ui/captcha/captcha.ts';

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: async () => {
    const data = await callAuth((auth) => auth.passkey.list());
    return data.map((passkey) => ({
      id: passkey.id,
      name: passkey.friendly_name || 'Passkey',
      createdAt: passkey.created_at,
      lastUsedAt: passkey.last_used_at,
    }));
  },
});

/**
 * Signs in with a passkey through the browser's dialog.
 * @returns true if signed in, false if a second factor is required
 * @throws AuthError, CaptchaClosedError or the browser's error
 */
export async function signInWithPasskey(): Promise<boolean> {
  const options = await solveCaptcha();
  const data = await callAuth((auth) => auth.signInWithPasskey({ options }));
  return !data.user?.factors?.some(({ status }) => status === 'verified');
}

/**
 * Creates a passkey through the browser's dialog and then sets its name.
 * @throws AuthError or the browser's error
 */
export async function addPasskey(name: string): Promise<void> {
  const data = await callAuth((auth) => auth.registerPasskey());
  await renamePasskey({ id: data.id, name });
}

export async function renamePasskey({ id, name }: { id: string; name: string }): Promise<void> {
  await callAuth((auth) => auth.passkey.update({ passkeyId: id, friendlyName: name }));
}

export async function removePasskey(id: string): Promise<void> {
  await callAuth((auth) => auth.passkey.delete({ passkeyId: id }));
}
