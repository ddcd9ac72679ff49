/**
 * Verifies the email address of an account with an emailed link or code. Credentials set at sign-up are kept only if
 * the browser that signed up also requests the email and opens the link. Browser only.
 */
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { sessionApi } from '../api/visitor-api.ts';
import { solveCaptcha } from '../ui/captcha/captcha.ts';
import { accountQuery } from './session.ts';

export const mailedCodeSchema = z.object({ code: z.string().trim().min(1, 'Enter the code from the email') });

/** Reads the verification state of the email address. */
export const addressConfirmationQuery = queryOptions({
  queryKey: ['account', 'address-proof'],
  queryFn: async (): Promise<boolean> => {
    const api = await sessionApi();
    const { data } = await api.rpc('confirm_my_address').throwOnError();
    return data;
  },
});

/** Emails a code, and a link that returns to this page in this browser. */
export const sendLinkMutation = mutationOptions({
  mutationFn: async (email: string): Promise<void> => {
    const client = await createConfirmationClient();
    const emailRedirectTo = `${window.location.origin}${window.location.pathname}`;
    const options = { shouldCreateUser: false, emailRedirectTo, ...(await solveCaptcha()) };
    const { error } = await client.auth.signInWithOtp({ email, options });
    if (error) throw error;
  },
});

export const verifyCodeMutation = mutationOptions({
  mutationFn: async ({ email, code }: { email: string; code: string }): Promise<void> => {
    const client = await createConfirmationClient();
    const { data, error } = await client.auth.verifyOtp({ type: 'email', email, token: code });
    if (error) throw error;
    await switchSession(data.session);
  },
  onSuccess: (_data, _variables, _result, { client }) => reloadAccount(client),
});

/** Exchanges the code in the URL after the user opened the emailed link. */
export const verifyLinkMutation = mutationOptions({
  mutationFn: async (code: string): Promise<void> => {
    const client = await createConfirmationClient();
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    if (error) throw error;
    await switchSession(data.session);
  },
  onSuccess: (_data, _code, _result, { client }) => reloadAccount(client),
});

async function createConfirmationClient() {
  const [{ createPkceClient }, api] = await Promise.all([import('../api/supabase.ts'), sessionApi()]);
  const { data } = await api.auth.getSession();
  return createPkceClient(data.session?.access_token);
}

/** Replaces this browser's session with the session from the email. */
async function switchSession(session: { access_token: string; refresh_token: string } | null): Promise<void> {
  if (!session) return;
  const api = await sessionApi();
  const { data } = await api.auth.getSession();
  const { error } = await api.auth.setSession(session);
  if (error) throw error;
  if (data.session) await api.auth.admin.signOut(data.session.access_token, 'local');
}

async function reloadAccount(queryClient: QueryClient): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: addressConfirmationQuery.queryKey });
  await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
}
