import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { openQuestionsQuery } from '../../chat/unanswered-questions.ts';
import { thisDay } from '../../ui/lib/today.ts';
import { waitingCountsQuery } from '../pending-counts.ts';

const counts = waitingCountsQuery(thisDay);

/** Counts what waits in each section, by its path. Counted anew each minute, and after each action that may end some of it. */
export function useWaiting(): Record<string, number | undefined> {
  const queryClient = useQueryClient();
  const { data } = useQuery(counts);
  // Alike questions are put together in the browser, so they are read only where there are some.
  const questions = useQuery({
    ...openQuestionsQuery,
    staleTime: 60_000,
    enabled: data?.has_questions === true,
  });
  useEffect(
    () =>
      queryClient.getMutationCache().subscribe(({ type, mutation }) => {
        if (type === 'updated' && mutation?.state.status === 'success') {
          void queryClient.invalidateQueries({ queryKey: counts.queryKey });
        }
      }),
    [queryClient],
  );
  if (!data) return {};
  return {
    '/admin/dashboard': data.registrations,
    '/admin/releases': data.releases,
    '/admin/leads': data.leads,
    '/admin/bookings': data.calls,
    '/admin/conversations': data.checks + (data.has_questions ? (questions.data ?? 0) : 0),
  };
}
