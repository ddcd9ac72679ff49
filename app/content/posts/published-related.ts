import { queryOptions } from '@tanstack/react-query';
import type { WithPictures } from '../../api/pictures.ts';
import { describePictures } from '../../api/read-published.ts';
import type { Selected } from '../../api/tables.ts';
import { publicApi } from '../../api/visitor-api.ts';

const COLUMNS = 'id, title, slug, category, featured_image, published_date' as const;

type RelatedPost = WithPictures<Selected<'posts', typeof COLUMNS>>;

/** Maximum number of related posts. */
const MAX_RELATED = 3;

/** Reads related posts: the newest in the same category, followed by the newest in other categories. */
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
      const { data: sameCategory } = await newest(MAX_RELATED).eq('category', category).throwOnError();
      if (sameCategory.length === MAX_RELATED) return describePictures(sameCategory, signal);
      const { data: otherCategories } = await newest(MAX_RELATED - sameCategory.length)
        .neq('category', category)
        .throwOnError();
      return describePictures([...sameCategory, ...otherCategories], signal);
    },
  });
}
