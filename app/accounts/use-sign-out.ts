import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Account } from './session.ts';
import { signOut } from './session-end.ts';

/** Signing out, everywhere: ends the session, then leads to the start page. `isPending` meanwhile. */
export function useSignOut(account: Account) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    networkMode: 'always',
    mutationFn: () => signOut(queryClient, account),
    // Without the session nothing on the page could be saved any more, so nothing is asked.
    onSettled: () => navigate({ to: '/', ignoreBlocker: true }),
  });
}
