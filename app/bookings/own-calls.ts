import { queryOptions } from '@tanstack/react-query';
import { readAsSignedIn } from '../api/as-signed-in.ts';

/** The calls that the person at this browser has booked and that are not over, the next first. */
export const ownCallsQuery = queryOptions({
  queryKey: ['my_calls'],
  staleTime: 0,
  queryFn: readAsSignedIn((api) => api.rpc('my_calls', undefined, { get: true })),
});
