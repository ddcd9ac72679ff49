import { useQuery, useQueryClient } from '@tanstack/react-query';
import { sessionApi } from '../api/visitor-api.ts';
import { type Account, accountQuery } from './session.ts';

/** Interval in milliseconds at which open dashboards ask whether the person was added, assigned or removed. */
export const PLACES_MS = 10_000;

/**
 * Keeps `account.hasClient` current in an open window. It is stored in the session, so the session is refreshed when the
 * server answers differently. The first question comes after `PLACES_MS` or on window focus: a page load asks nothing more.
 */
export function useCurrentPlaces(account: Account): void {
  const queryClient = useQueryClient();
  useQuery({
    queryKey: ['places', account.id],
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
    refetchInterval: PLACES_MS,
  });
}
