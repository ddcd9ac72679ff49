import { queryOptions } from '@tanstack/react-query';
import { readPublished } from '../../data/api/read-published.ts';
import type { Selected } from '../../data/api/tables.ts';
import type { WithPictures } from '../../lib/pictures.ts';

const SUMMARY = 'id, author_name, author_role, company, rating, quote, avatar_url' as const;

export type PublishedReview = WithPictures<Selected<'reviews', typeof SUMMARY>>;

/** Published reviews in display order. */
export const publishedReviewsQuery = queryOptions({
  queryKey: ['reviews', 'published'],
  queryFn: ({ signal }) =>
    readPublished({ table: 'reviews', columns: SUMMARY, order: ['display_order', 'created_at'] }, signal),
});
