import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { accountQuery, homeOf } from '../data/session.ts';

/** Leads a person who has just got a session to the page where he belongs. */
export function useEnter(): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    const account = await queryClient.fetchQuery({ ...accountQuery, staleTime: 0 });
    await navigate({ to: account ? homeOf(account) : '/auth', replace: true });
  };
}
