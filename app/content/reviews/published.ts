import { queryOptions } from '@tanstack/react-query';
import { publicApi } from '../../data/api.ts';
import type { Selected } from '../../data/tables.ts';

const SUMMARY = 'id, author_name, author_role, company, rating, quote, avatar_url' as const;

export type PublishedReview = Selected<'reviews', typeof SUMMARY>;

/** Published reviews in display order. */
export const publishedReviewsQuery = queryOptions({
  queryKey: ['reviews', 'published'],
  queryFn: async ({ signal }): Promise<PublishedReview[]> => {
    const api = await publicApi();
    const { data } = await api
      .from('reviews')
      .select(SUMMARY)
      .eq('status', 'published')
      .order('display_order')
      .order('created_at')
      .abortSignal(signal)
      .throwOnError();
    return data;
  },
});
