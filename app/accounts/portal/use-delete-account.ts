import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { deleteOwnAccount, isWrongProof } from '../own-account.ts';
import type { Account } from '../session.ts';
import { signOut } from '../session-end.ts';

/**
 * Deletes the account, signs out, and navigates to the home page. If the password or code is wrong, no toast is shown,
 * because the form shows the error.
 */
export function useDeleteAccount(account: Account) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutationWithToasts(
    {
      mutationFn: deleteOwnAccount,
      onSuccess: async () => {
        await signOut(queryClient, account);
        await navigate({ to: '/' });
      },
    },
    {
      success: ['Account deleted', 'You have been signed out everywhere.'],
      failure: (error) => (isWrongProof(error) ? null : 'Could not delete your account'),
    },
  );
}
