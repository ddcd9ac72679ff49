/** Passkeys of the signed-in person, and signing in with one: the calls to the authentication service. */
import { queryOptions } from '@tanstack/react-query';
import { sessionApi } from '../api/visitor-api.ts';

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: async () => {
    const api = await sessionApi();
    const { data, error } = await api.auth.passkey.list();
    if (error) throw error;
    return data.map((passkey) => ({
      id: passkey.id,
      name: passkey.friendly_name || 'Passkey',
      createdAt: passkey.created_at,
      lastUsedAt: passkey.last_used_at,
    }));
  },
});

/**
 * Signs in with a passkey that the browser asks for.
 * @returns whether that is all: false when a second factor is to follow
 * @throws AuthError or the browser's refusal
 */
export async function signInWithPasskey(): Promise<boolean> {
  const api = await sessionApi();
  const { data, error } = await api.auth.signInWithPasskey();
  if (error) throw error;
  return !data.user?.factors?.some(({ status }) => status === 'verified');
}

/** Adds a passkey that the browser makes; it gets the name afterwards. @throws AuthError or the browser's refusal */
export async function addPasskey(name: string): Promise<void> {
  const api = await sessionApi();
  const { data, error } = await api.auth.registerPasskey();
  if (error) throw error;
  await renamePasskey({ id: data.id, name });
}

export async function renamePasskey({ id, name }: { id: string; name: string }): Promise<void> {
  const api = await sessionApi();
  const { error } = await api.auth.passkey.update({ passkeyId: id, friendlyName: name });
  if (error) throw error;
}

export async function removePasskey(id: string): Promise<void> {
  const api = await sessionApi();
  const { error } = await api.auth.passkey.delete({ passkeyId: id });
  if (error) throw error;
}
