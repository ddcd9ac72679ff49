import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { openQuestionsQuery } from '../../chat/unanswered-questions.ts';
import { todayRange } from '../../ui/lib/today.ts';
import { pendingCountsQuery } from '../pending-counts.ts';

const counts = pendingCountsQuery(todayRange);

/** Returns the number of pending tasks by section path. Refreshes every minute, and after each successful mutation. */
export function usePendingCounts(): Record<string, number | undefined> {
  const queryClient = useQueryClient();
  const { data } = useQuery(counts);
  // Similar questions are grouped in the browser, so they are loaded only if any are open.
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
