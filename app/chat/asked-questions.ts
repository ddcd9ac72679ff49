/** Admin queries for visitors' questions and the pages that were used to answer them. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../api/paging.ts';
import { sessionApi } from '../api/visitor-api.ts';

export interface AskedQuestion {
  id: string;
  conversationId: string;
  question: string;
  askedAt: string;
  /** Reason for a missing answer. No published content matched, or the guard withheld a claim. Null if answered. */
  reason: string | null;
  /** Pages that the reply links to, in order. */
  sources: { title: string; url: string }[];
}

/** Counts the questions from the last 30 days in total, those answered from a page, and those without an answer. */
export const askedCountsQuery = queryOptions({
  queryKey: ['asked_questions', 'counts'],
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const api = await sessionApi();
    const { data } = await api.rpc('count_asked_questions').abortSignal(signal).throwOnError();
    return data;
  },
});

/** Lists the questions that contain the search text, newest first, with keyset pagination. */
export function askedQuestionsQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: ['asked_questions', 'list', search],
    staleTime: 0,
    initialPageParam: '',
    queryFn: async ({ signal, pageParam }): Promise<AskedQuestion[]> => {
      const api = await sessionApi();
      const { data } = await api
        .rpc('list_asked_questions', {
          _search: search,
          _limit: PAGE_SIZE,
          ...(pageParam !== '' && { _before: pageParam }),
        })
        .abortSignal(signal)
        .throwOnError();
      return data.map((row) => ({
        id: row.id,
        conversationId: row.conversation_id,
        question: row.question,
        askedAt: row.asked_at,
        reason: row.reason,
        sources: row.source_titles.map((title, index) => ({ title, url: row.source_urls[index] ?? '/' })),
      }));
    },
    select: ({ pages }) => pages.flat(),
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.askedAt),
  });
}
