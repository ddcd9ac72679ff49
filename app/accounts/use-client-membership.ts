import { useQuery, useQueryClient } from '@tanstack/react-query';
import { sessionApi } from '../api/visitor-api.ts';
import { type Account, accountQuery } from './session.ts';

/** Polling interval for changes to the user's clients, in milliseconds. */
export const MEMBERSHIP_POLL_MS = 10_000;

/**
 * Keeps `account.hasClient` up to date in an open window. The value is part of the session, so the session is refreshed
 * if the server returns a different value. The first request is sent after `MEMBERSHIP_POLL_MS` or on window focus, not
 * on page load.
 */
export function useClientMembership(account: Account): void {
  const queryClient = useQueryClient();
  useQuery({
    queryKey: ['has-client', account.id],
    queryFn: async () => {
      const { auth } = await sessionApi();
      const { data } = await auth.getUser();
      const hasClient = data.user ? data.user.app_metadata['has_client'] === true : account.hasClient;
      if (hasClient !== account.hasClient) {
        await auth.refreshSession();
        await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true });
      }
      return hasClient;
    },
    initialData: account.hasClient,
    refetchOnMount: false,
    refetchOnWindowFocus: 'always',
    refetchInterval: MEMBERSHIP_POLL_MS,
  });
}
