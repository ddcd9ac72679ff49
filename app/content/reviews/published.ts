import { queryOptions } from '@tanstack/react-query';
import type { WithPictures } from '../../api/pictures.ts';
import { readPublished } from '../../api/read-published.ts';
import type { Selected } from '../../api/tables.ts';

const SUMMARY = 'id, author_name, author_role, company, rating, quote, avatar_url' as const;

export type PublishedReview = WithPictures<Selected<'reviews', typeof SUMMARY>>;

export const publishedReviewsQuery = queryOptions({
  queryKey: ['reviews', 'published'],
  queryFn: ({ signal }) =>
    readPublished({ table: 'reviews', columns: SUMMARY, order: ['display_order', 'created_at'] }, signal),
});
