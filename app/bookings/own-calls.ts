import { queryOptions } from '@tanstack/react-query';
import { readAsSignedIn } from '../api/as-signed-in.ts';

/** Upcoming calls booked in this browser, sorted by start. */
export const ownCallsQuery = queryOptions({
  queryKey: ['my_calls'],
  staleTime: 0,
  queryFn: readAsSignedIn((api) => api.rpc('my_calls', undefined, { get: true })),
});
