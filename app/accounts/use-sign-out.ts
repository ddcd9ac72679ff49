import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Account } from './session.ts';
import { signOut } from './session-end.ts';

/** Ends the session everywhere, then navigates to the home page. */
export function useSignOut(account: Account) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    networkMode: 'always',
    mutationFn: () => signOut(queryClient, account),
    // Skip the unsaved-changes prompt, because nothing can be saved without a session.
    onSettled: () => navigate({ to: '/', ignoreBlocker: true }),
  });
}
