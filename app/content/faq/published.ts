import { queryOptions } from '@tanstack/react-query';
import { readPublished } from '../../data/api/read-published.ts';
import type { Selected } from '../../data/api/tables.ts';
import type { WithPictures } from '../../lib/pictures.ts';

const PUBLIC_COLUMNS = 'id, question, answer' as const;

export type PublishedQuestion = WithPictures<Selected<'faq', typeof PUBLIC_COLUMNS>>;

/** Published questions with their answers, in display order. */
export const publishedQuestionsQuery = queryOptions({
  queryKey: ['faq', 'published'],
  queryFn: ({ signal }) =>
    readPublished({ table: 'faq', columns: PUBLIC_COLUMNS, order: ['display_order', 'created_at'] }, signal),
});
