import { queryOptions } from '@tanstack/react-query';
import type { WithPictures } from '../../api/pictures.ts';
import { readPublished } from '../../api/read-published.ts';
import type { Selected } from '../../api/tables.ts';

const PUBLIC_COLUMNS = 'id, question, answer' as const;

export type PublishedQuestion = WithPictures<Selected<'faq', typeof PUBLIC_COLUMNS>>;

export const publishedQuestionsQuery = queryOptions({
  queryKey: ['faq', 'published'],
  queryFn: ({ signal }) =>
    readPublished({ table: 'faq', columns: PUBLIC_COLUMNS, order: ['display_order', 'created_at'] }, signal),
});
