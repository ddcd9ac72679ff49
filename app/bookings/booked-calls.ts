import { queryOptions } from '@tanstack/react-query';
import { readAsSignedIn } from '../api/as-signed-in.ts';

/** Upcoming calls booked with the user's confirmed address, sorted by start. */
export const bookedCallsQuery = queryOptions({
  queryKey: ['my_calls'],
  staleTime: 0,
  queryFn: readAsSignedIn((api) => api.rpc('my_calls', undefined, { get: true })),
});
