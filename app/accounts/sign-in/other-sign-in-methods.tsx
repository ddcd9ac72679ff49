import { useQueryClient } from '@tanstack/react-query';
import { Wallet } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { ProviderMark } from '../../ui/provider-mark.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Chain, SignInMethods } from '../enabled-sign-in-methods.ts';
import { type NewUserRole, signInWithProvider, signInWithWallet } from '../sign-in-methods.ts';
import { authErrorTitle } from './auth-error-title.ts';
import { useAfterSignIn } from './use-after-sign-in.ts';

interface OtherSignInMethodsProps {
  methods: SignInMethods;
  /** Role of a new user. */
  newUserRole: NewUserRole;
  back?: string | undefined;
}

/** Buttons to sign in with the enabled providers and with the browser's wallets. */
export function OtherSignInMethods({ methods, newUserRole, back }: OtherSignInMethodsProps) {
  const queryClient = useQueryClient();
  const navigateAfterSignIn = useAfterSignIn(back);
  const redirect = useMutationWithToasts(
    { mutationFn: (name: string) => signInWithProvider(name, newUserRole, back) },
    { failure: (error) => authErrorTitle('Sign in failed', error) },
  );
  const walletSignIn = useMutationWithToasts(
    { mutationFn: (chain: Chain) => signInWithWallet(queryClient, chain, newUserRole), onSuccess: navigateAfterSignIn },
    {
      success: ['Welcome back!', 'You have been signed in successfully.'],
      failure: (error) => authErrorTitle('Sign in failed', error),
    },
  );
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="flex items-center gap-4 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {methods.providers.map(({ name, label }) => (
        <Button
          key={name}
          variant="secondary"
          className="min-w-0"
          // Busy until the browser has been redirected.
          loading={redirect.variables === name && (redirect.isPending || redirect.isSuccess)}
          onClick={() => redirect.mutate(name)}
        >
          <ProviderMark name={name} />
          <span className="truncate">Continue with {label}</span>
        </Button>
      ))}
      {methods.wallets.map((chain) => (
        <Button
          key={chain}
          variant="secondary"
          loading={walletSignIn.isPending && walletSignIn.variables === chain}
          onClick={() => walletSignIn.mutate(chain)}
        >
          <Wallet aria-hidden="true" />
          Continue with {chain === 'ethereum' ? 'an Ethereum' : 'a Solana'} wallet
        </Button>
      ))}
    </div>
  );
}
