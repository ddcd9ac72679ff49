import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { accountQuery, getStartPage } from '../session.ts';

/** Returns a function that navigates to `back` or to the user's start page. Call it after a sign-in. */
export function useAfterSignIn(back?: string): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    const account = await queryClient.fetchQuery({ ...accountQuery, staleTime: 0 });
    if (account && back) await navigate({ href: back, replace: true });
    else await navigate({ to: account ? getStartPage(account) : '/auth', replace: true });
  };
}
