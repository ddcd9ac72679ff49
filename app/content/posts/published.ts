import { queryOptions } from '@tanstack/react-query';
import type { WithPictures } from '../../api/pictures.ts';
import { describePictures, readPublished } from '../../api/read-published.ts';
import type { Row, Selected } from '../../api/tables.ts';
import { publicApi } from '../../api/visitor-api.ts';

export type Post = Row<'posts'>;

export const SUMMARY = 'id, title, slug, excerpt, category, featured_image, published_date' as const;

/** Post in a list. */
export type PostSummary = WithPictures<Selected<'posts', typeof SUMMARY>>;

/** Reads published posts, newest first. Reads all of them if `limit` is omitted. */
export function publishedPostsQuery(limit?: number) {
  return queryOptions({
    queryKey: ['posts', 'published', limit ?? 'all'],
    queryFn: ({ signal }) =>
      readPublished(
        { table: 'posts', columns: SUMMARY, order: ['published_date desc', 'created_at desc'], limit },
        signal,
      ),
  });
}

/** Reads the Markdown texts of the newest published posts. */
export function publishedPostTextsQuery(limit: number) {
  return queryOptions({
    queryKey: ['posts', 'published', 'texts', limit],
    queryFn: ({ signal }) =>
      readPublished(
        { table: 'posts', columns: 'id, content', order: ['published_date desc', 'created_at desc'], limit },
        signal,
      ),
  });
}

/** Reads a published post. Null if not found. */
export function publishedPostQuery(slug: string) {
  return queryOptions({
    queryKey: ['posts', 'published', 'slug', slug],
    queryFn: async ({ signal }): Promise<WithPictures<Post> | null> => {
      const api = await publicApi();
      const { data } = await api
        .from('posts')
        .select()
        .eq('slug', slug)
        .eq('status', 'published')
        .limit(1)
        .abortSignal(signal)
        .throwOnError();
      return (await describePictures(data, signal))[0] ?? null;
    },
  });
}
