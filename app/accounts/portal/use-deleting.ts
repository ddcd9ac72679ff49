import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { deleteOwnAccount, isWrongProof } from '../own-account.ts';
import type { Account } from '../session.ts';
import { signOut } from '../session-end.ts';

/** Deletes the account, forgets it in this browser, and leads to the start page. A wrong proof is the form's to tell. */
export function useDeleting(account: Account) {
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
      success: ['Your account is deleted', 'You are signed out everywhere.'],
      failure: (error) => (isWrongProof(error) ? null : 'Your account was not deleted'),
    },
  );
}
