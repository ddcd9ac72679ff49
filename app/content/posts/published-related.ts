import { queryOptions } from '@tanstack/react-query';
import type { WithPictures } from '../../api/pictures.ts';
import { describePictures } from '../../api/read-published.ts';
import type { Selected } from '../../api/tables.ts';
import { publicApi } from '../../api/visitor-api.ts';

const COLUMNS = 'id, title, slug, category, featured_image, published_date' as const;

type RelatedPost = WithPictures<Selected<'posts', typeof COLUMNS>>;

/** Number of related posts. */
const RELATED = 3;

/** Reads related posts: newest of the same category first, then newest of the others. */
export function relatedPostsQuery({ slug, category }: { slug: string; category: string }) {
  return queryOptions({
    queryKey: ['posts', 'published', 'related', slug, category],
    queryFn: async ({ signal }): Promise<RelatedPost[]> => {
      const api = await publicApi();
      const newest = (limit: number) =>
        api
          .from('posts')
          .select(COLUMNS)
          .eq('status', 'published')
          .neq('slug', slug)
          .order('published_date', { ascending: false })
          .order('created_at', { ascending: false })
          .limit(limit)
          .abortSignal(signal);
      const { data: near } = await newest(RELATED).eq('category', category).throwOnError();
      if (near.length === RELATED) return describePictures(near, signal);
      const { data: others } = await newest(RELATED - near.length)
        .neq('category', category)
        .throwOnError();
      return describePictures([...near, ...others], signal);
    },
  });
}
