/** Counts for the badges of the admin area. */
import { queryOptions } from '@tanstack/react-query';
import { readAsSignedIn } from '../api/as-signed-in.ts';

/**
 * Counts pending tasks with one request per minute.
 *
 * @param day returns the start and end of the viewer's day, in ISO 8601
 */
export function pendingCountsQuery(day: () => [from: string, to: string]) {
  return queryOptions({
    queryKey: ['pending-counts'],
    staleTime: 60_000,
    refetchInterval: 60_000,
    queryFn: ({ signal }) => {
      const [_from, _to] = day();
      return readAsSignedIn((api) => api.rpc('count_pending_tasks', { _from, _to }, { get: true }))({ signal });
    },
  });
}
