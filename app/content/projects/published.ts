import { queryOptions } from '@tanstack/react-query';
import type { WithPictures } from '../../api/pictures.ts';
import { describePictures, readPublished } from '../../api/read-published.ts';
import type { Selected } from '../../api/tables.ts';
import { publicApi } from '../../api/visitor-api.ts';

const SUMMARY = 'id, title, slug, company, key_metric, description, featured_image' as const;

/** Project in a list. The full text is loaded when the dialog opens. */
export type ProjectSummary = WithPictures<Selected<'projects', typeof SUMMARY>>;

/** Reads published projects in display order. Reads all of them if `limit` is omitted. */
export function publishedProjectsQuery(limit?: number) {
  return queryOptions({
    queryKey: ['projects', 'published', limit ?? 'all'],
    queryFn: ({ signal }) =>
      readPublished(
        { table: 'projects', columns: SUMMARY, order: ['display_order', 'created_at desc'], limit },
        signal,
      ),
  });
}

/** Reads the Markdown text of a published project and its picture metadata. The text is empty if not found. */
export function projectContentQuery(id: string) {
  return queryOptions({
    queryKey: ['projects', 'published', 'content', id],
    queryFn: async ({ signal }): Promise<WithPictures<{ full_content: string }>> => {
      const api = await publicApi();
      const { data } = await api
        .from('projects')
        .select('full_content')
        .eq('id', id)
        .eq('status', 'published')
        .abortSignal(signal)
        .throwOnError();
      return (await describePictures(data, signal))[0] ?? { full_content: '' };
    },
  });
}
