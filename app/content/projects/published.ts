import { queryOptions } from '@tanstack/react-query';
import type { WithPictures } from '../../api/pictures.ts';
import { describePictures, readPublished } from '../../api/read-published.ts';
import type { Selected } from '../../api/tables.ts';
import { publicApi } from '../../api/visitor-api.ts';

const SUMMARY = 'id, title, slug, company, key_metric, description, featured_image' as const;

/** Part of a project that lists show; the long text is read when its details open. */
export type ProjectSummary = WithPictures<Selected<'projects', typeof SUMMARY>>;

/** Published projects in display order; all of them without a limit. */
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

/**
 * Reads the long text (Markdown) of a published project, with what the library knows of its pictures; empty when it is
 * gone.
 */
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
