/** Data export and account deletion for the signed-in user. */
import { mutationOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { errorCode } from '../api/error-code.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { solveCaptcha } from '../ui/captcha/captcha.ts';

/** Exports all data about the signed-in user as JSON text. */
export const exportOwnDataMutation = mutationOptions({
  mutationFn: async (): Promise<string> => {
    const api = await sessionApi();
    const { data } = await api.rpc('my_data').throwOnError();
    return JSON.stringify(data, null, 2);
  },
});

export const passwordProofSchema = z.object({ password: z.string().min(1, 'Enter your password') });
export const codeProofSchema = z.object({ code: z.string().trim().min(1, 'Enter the code from the email') });

/** Proof of identity: the password, an emailed code, or a sign-in or second factor within the last five minutes. */
export type Proof =
  | { email: string; password: string }
  | { email: string; code: string }
  | { isRecentlyVerified: true };

/**
 * Permanently deletes the signed-in user's account. A password or emailed code opens a separate session for the
 * deletion. The other proofs use the current session. The authentication service checks the proof, and the database
 * checks that it is at most five minutes old.
 * @throws AuthError, see `isWrongProof`, or PostgrestError, for example for the last admin
 */
export async function deleteOwnAccount(proof: Proof): Promise<void> {
  if ('email' in proof) return deleteWithProofSession(proof);
  const api = await sessionApi();
  await api.rpc('delete_my_account').throwOnError();
}

async function deleteWithProofSession(proof: Extract<Proof, { email: string }>): Promise<void> {
  const { createTransientClient } = await import('../api/supabase.ts');
  const api = createTransientClient();
  const { email } = proof;
  const { error } =
    'password' in proof
      ? await api.auth.signInWithPassword({ email, password: proof.password, options: await solveCaptcha() })
      : await api.auth.verifyOtp({ email, token: proof.code, type: 'email' });
  if (error) throw error;
  try {
    await api.rpc('delete_my_account').throwOnError();
  } catch (failure) {
    await api.auth.signOut({ scope: 'local' });
    throw failure;
  }
}

/** Emails a code that proves the user's identity. */
export async function mailProofCode(email: string): Promise<void> {
  const { createTransientClient } = await import('../api/supabase.ts');
  const options = { shouldCreateUser: false, ...(await solveCaptcha()) };
  const { error } = await createTransientClient().auth.signInWithOtp({ email, options });
  if (error) throw error;
}

const WRONG_PROOFS = ['invalid_credentials', 'otp_expired'];

/** True if the password or code was wrong. */
export function isWrongProof(error: Error): boolean {
  return WRONG_PROOFS.includes(errorCode(error));
}
