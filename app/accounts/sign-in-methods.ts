/** Sign-in with providers and wallets, and the user's linked identities. Browser only. */

import type { Provider } from '@supabase/supabase-js';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { callAuth, reloadOnSettled } from '../api/as-signed-in.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { solveCaptcha } from '../ui/captcha/captcha.ts';
import {
  type Chain,
  type EnabledSignInMethods,
  NO_METHODS,
  readEnabledSignInMethods,
  type SignInMethods,
} from './enabled-sign-in-methods.ts';
import { type Account, accountQuery } from './session.ts';

/** Sign-in methods that are enabled on this page and supported by this browser. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['ways-to-sign-in'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<SignInMethods> => {
    const enabledMethods = await readEnabledSignInMethods();
    if (enabledMethods === null) return NO_METHODS;
    const { providers, chains, linking, phone }: EnabledSignInMethods = JSON.parse(enabledMethods);
    return {
      providers: providers.map((name) => ({ name, label: providerLabel(name) })),
      wallets: chains.filter((chain) => chain in window),
      linking,
      phone,
    };
  },
});

const LABELS: Record<string, string> = {
  azure: 'Microsoft',
  email: 'Email and password',
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
  linkedin_oidc: 'LinkedIn',
  phone: 'Phone number',
  web3: 'Wallet',
  workos: 'WorkOS',
};

/** Returns the display name of a provider. Custom providers use the configured name. */
export function providerLabel(name: string): string {
  const label = LABELS[name];
  if (label) return label;
  const words = name
    .replace(/^(custom|sso):/, '')
    .replace(/_oidc$/, '')
    .split(/[-_]/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}

/** Role of a new user. */
export type NewUserRole = 'client' | 'team';

/** Returns the redirect URL for a provider. */
function returnUrl(role: NewUserRole, back: string | undefined): string {
  const query = new URLSearchParams({ join: role, ...(back && { back }) });
  return `${window.location.origin}/auth?${query}`;
}

/** Casts a name, because the client's type lists only Supabase's built-in providers. */
function toProvider(name: string): Provider {
  return name as Provider;
}

/**
 * Redirects to the provider.
 * @throws AuthError
 */
export async function signInWithProvider(name: string, role: NewUserRole, back: string | undefined): Promise<void> {
  await callAuth((auth) =>
    auth.signInWithOAuth({
      provider: toProvider(name),
      options: { redirectTo: returnUrl(role, back) },
    }),
  );
}

/**
 * Requests a signature from the browser's wallet.
 * @throws Error with a message for the user
 */
export async function signInWithWallet(queryClient: QueryClient, chain: Chain, role: NewUserRole): Promise<void> {
  const options = await solveCaptcha();
  const args = { statement: 'Sign in to this site.', options };
  await callAuth((auth) =>
    // The client's type differs by chain.
    chain === 'ethereum' ? auth.signInWithWeb3({ chain, ...args }) : auth.signInWithWeb3({ chain, ...args }),
  );
  const account = await queryClient.fetchQuery({ ...accountQuery, staleTime: 0 });
  if (account) await assignRole(queryClient, account, role);
}

/**
 * Assigns the chosen role to a new user, or client by default. Existing roles are kept.
 * @returns the updated account
 */
export async function assignRole(queryClient: QueryClient, account: Account, role: NewUserRole): Promise<Account> {
  if (account.registration !== 'none') return account;
  const api = await sessionApi();
  const { error } = await api.rpc('register_with_role', { _user_id: account.id, _role: role });
  if (error) return account;
  return (await queryClient.fetchQuery({ ...accountQuery, staleTime: 0 })) ?? account;
}

export interface LinkedIdentity {
  id: string;
  provider: string;
  label: string;
  /** Address or name at the provider, or empty. */
  accountName: string;
}

export const identitiesQuery = queryOptions({
  queryKey: ['account', 'identities'],
  queryFn: async (): Promise<LinkedIdentity[]> => {
    const data = await callAuth((auth) => auth.getUserIdentities());
    return data.identities.map(({ identity_id: id, provider, identity_data: profile }) => ({
      id,
      provider,
      label: providerLabel(provider),
      accountName: String(
        profile?.['email'] || profile?.['phone'] || profile?.['user_name'] || profile?.['custom_claims']?.address || '',
      ),
    }));
  },
});

/**
 * Redirects to the provider, which returns to the account page.
 * @throws AuthError
 */
export const linkMutation = mutationOptions({
  mutationFn: async (name: string): Promise<void> => {
    const options = { redirectTo: `${window.location.origin}/account` };
    await callAuth((auth) => auth.linkIdentity({ provider: toProvider(name), options }));
  },
});

export const unlinkMutation = mutationOptions({
  mutationFn: async (id: string): Promise<void> => {
    const api = await sessionApi();
    const data = await callAuth((auth) => auth.getUserIdentities());
    const identity = data.identities.find((linked) => linked.identity_id === id);
    // The identity is already unlinked.
    if (!identity) return;
    const unlinked = await api.auth.unlinkIdentity(identity);
    if (unlinked.error) throw unlinked.error;
  },
  ...reloadOnSettled(['account', 'identities']),
});
