/** Taking one's data along, and leaving. */
import { mutationOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { errorCode } from '../api/error-code.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { solveCaptcha } from '../ui/captcha/captcha.ts';

/** Everything that names the signed-in person, as JSON text. */
export const exportOwnDataMutation = mutationOptions({
  mutationFn: async (): Promise<string> => {
    const api = await sessionApi();
    const { data } = await api.rpc('my_data').throwOnError();
    return JSON.stringify(data, null, 2);
  },
});

export const passwordProofSchema = z.object({ password: z.string().min(1, 'Your password is required') });
export const codeProofSchema = z.object({ code: z.string().trim().min(1, 'The code from the mail is required') });

/**
 * Proof that the account's owner acts: the password, a code that was mailed to the address, or a sign-in or second
 * factor within the last five minutes.
 */
export type Proof = { email: string; password: string } | { email: string; code: string } | { justShown: true };

/**
 * Deletes the signed-in person's account for good. A password or a mailed code opens a session of its own for it; the rest
 * counts for this session. The authentication service checks the proof, and the database that it is not older than five
 * minutes.
 * @throws AuthError, see `isWrongProof`; PostgrestError, such as for the last admin
 */
export async function deleteOwnAccount(proof: Proof): Promise<void> {
  if ('email' in proof) return deleteInPassing(proof);
  const api = await sessionApi();
  await api.rpc('delete_my_account').throwOnError();
}

async function deleteInPassing(proof: Extract<Proof, { email: string }>): Promise<void> {
  const { createPassingClient } = await import('../api/supabase.ts');
  const api = createPassingClient();
  const { email } = proof;
  const { error } =
    'password' in proof
      ? await api.auth.signInWithPassword({ email, password: proof.password, options: await solveCaptcha() })
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
  const { createPassingClient } = await import('../api/supabase.ts');
  const options = { shouldCreateUser: false, ...(await solveCaptcha()) };
  const { error } = await createPassingClient().auth.signInWithOtp({ email, options });
  if (error) throw error;
}

const WRONG_PROOFS = ['invalid_credentials', 'otp_expired'];

/** Tells whether the password or the code was wrong. */
export function isWrongProof(error: Error): boolean {
  return WRONG_PROOFS.includes(errorCode(error));
}
