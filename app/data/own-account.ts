/** Taking one's data along, and leaving. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { sessionApi } from './api.ts';

/** Everything that names the signed-in person, as JSON text. */
export const exportOwnDataMutation = mutationOptions({
  mutationFn: async (): Promise<string> => {
    const api = await sessionApi();
    const { data } = await api.rpc('my_data').throwOnError();
    return JSON.stringify(data, null, 2);
  },
});

/** Which second factor shows that it is the signed-in person: their app, one that is asked for when signing in, or none. */
export const factorToShowQuery = queryOptions({
  queryKey: ['account', 'factor-to-show'],
  // Factors come and go on other devices.
  staleTime: 0,
  queryFn: async (): Promise<'app' | 'other' | 'none'> => {
    const api = await sessionApi();
    const { data, error } = await api.auth.mfa.listFactors();
    if (error) throw error;
    if (data.totp.length > 0) return 'app';
    return data.all.some(({ status }) => status === 'verified') ? 'other' : 'none';
  },
});

export const passwordProofSchema = z.object({ password: z.string().min(1, 'Your password is required') });
export const codeProofSchema = z.object({ code: z.string().trim().min(1, 'The code from the mail is required') });

/** Shows a code of the person's authenticator app in this session. */
async function showFactorCode(code: string): Promise<void> {
  const api = await sessionApi();
  const { data, error } = await api.auth.mfa.listFactors();
  if (error) throw error;
  const [app] = data.totp;
  if (!app) throw new Error('The authenticator app was removed meanwhile. Please try again.');
  const shown = await api.auth.mfa.challengeAndVerify({ factorId: app.id, code });
  if (shown.error) throw shown.error;
}

/**
 * How it is shown that it is them: by the password, by a code that was mailed to the address, by a code of their app, or by
 * having signed in within the last five minutes.
 */
export type Proof =
  | { email: string; password: string }
  | { email: string; code: string }
  | { factorCode: string }
  | { justSignedIn: true };

/**
 * Deletes the signed-in person's account for good. A password or a mailed code opens a session of its own for it; the rest
 * counts for this session. The authentication service checks the proof, and the database that it is not older than five
 * minutes.
 * @throws AuthError, see `isWrongProof`; PostgrestError, such as for the last admin
 */
export async function deleteOwnAccount(proof: Proof): Promise<void> {
  if ('email' in proof) return deleteInPassing(proof);
  if ('factorCode' in proof) await showFactorCode(proof.factorCode);
  const api = await sessionApi();
  await api.rpc('delete_my_account').throwOnError();
}

async function deleteInPassing(proof: Extract<Proof, { email: string }>): Promise<void> {
  const { createPassingClient } = await import('./supabase.ts');
  const api = createPassingClient();
  const { email } = proof;
  const { error } =
    'password' in proof
      ? await api.auth.signInWithPassword({ email, password: proof.password })
      : await api.auth.verifyOtp({ email, token: proof.code, type: 'email' });
  if (error) throw error;
  try {
    await api.rpc('delete_my_account').throwOnError();
  } catch (refused) {
    await api.auth.signOut({ scope: 'local' });
    throw refused;
  }
}

/** Mails the code that a proof may consist of. */
export async function mailProofCode(email: string): Promise<void> {
  const { createPassingClient } = await import('./supabase.ts');
  const { error } = await createPassingClient().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
  if (error) throw error;
}

const WRONG_PROOFS: readonly unknown[] = ['invalid_credentials', 'otp_expired', 'mfa_verification_failed'];

/** Whether the password or the code was wrong. */
export function isWrongProof(error: Error): boolean {
  return 'code' in error && WRONG_PROOFS.includes(error.code);
}
