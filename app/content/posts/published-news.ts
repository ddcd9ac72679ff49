/** Queries for the News page. Loaded as a separate chunk. */
import { queryOptions } from '@tanstack/react-query';
import { previewBase } from '../../api/host/preview-base.ts';
import { describePictures } from '../../api/read-published.ts';
import { publicApi } from '../../api/visitor-api.ts';
import { containsFilter } from '../../ui/lib/contains-filter.ts';
import { type PostSummary, SUMMARY } from './published.ts';

export const NEWS_PAGE_SIZE = 24;

/** Parsed URL of the News page. */
export interface NewsView {
  /** 1-based. */
  page: number;
  /** Empty for all categories. */
  category: string;
  /** Search words. Empty without a search. */
  words: string;
}

export interface NewsPage {
  posts: PostSummary[];
  /** Total number of search results. Null without a search, because the category counts include the total. */
  matchCount: number | null;
}

/** Reads one page of published posts: newest first, or best match first for a search. */
export function newsQuery(view: NewsView) {
  return queryOptions({
    queryKey: ['posts', 'published', 'news', view],
    queryFn: ({ signal }) =>
      view.words && !previewBase() ? readSearchResults(view, signal) : readNewsPage(view, signal),
    // Only the front page is cached on the server. The number of other URLs is unlimited, so they would evict useful
    // entries.
    ...(isFrontPage(view) ? {} : { persister: undefined }),
  });
}

/** Returns whether the page starts with the lead story. */
export function isFrontPage({ page, category, words }: NewsView): boolean {
  return page === 1 && !category && !words;
}

export interface NewsCategories {
  /** Number of all published posts. */
  total: number;
  /** Sorted by number of posts, descending. */
  categories: { category: string; posts: number }[];
}

export const newsCategoriesQuery = queryOptions({
  queryKey: ['posts', 'published', 'categories'],
  queryFn: async ({ signal }): Promise<NewsCategories> => {
    const rows = previewBase() ? await countPreview(signal) : await countPublished(signal);
    return {
      total: rows.find(({ category }) => category === null)?.posts ?? 0,
      categories: rows.flatMap(({ category, posts }) => (category ? [{ category, posts }] : [])),
    };
  },
});

interface Count {
  category: string | null;
  posts: number;
}

async function countPublished(signal: AbortSignal): Promise<Count[]> {
  const api = await publicApi();
  return (await api.rpc('news_categories', undefined, { get: true }).abortSignal(signal).throwOnError()).data;
}

/** Counts the posts of a preview, which can read tables but not call functions. */
async function countPreview(signal: AbortSignal): Promise<Count[]> {
  const api = await publicApi();
  const { data } = await api
    .from('posts')
    .select('category')
    .eq('status', 'published')
    .abortSignal(signal)
    .throwOnError();
  const counts = new Map<string | null, number>([[null, data.length]]);
  for (const { category } of data) counts.set(category, (counts.get(category) ?? 0) + 1);
  return [...counts].map(([category, posts]) => ({ category, posts })).toSorted((a, b) => b.posts - a.posts);
}

async function readNewsPage({ page, category, words }: NewsView, signal: AbortSignal): Promise<NewsPage> {
  const api = await publicApi();
  let request = api
    .from('posts')
    .select(SUMMARY)
    .eq('status', 'published')
    .order('published_date', { ascending: false })
    .order('created_at', { ascending: false });
  if (category) request = request.eq('category', category);
  if (words) request = request.or(containsFilter(['title', 'excerpt', 'content'], words));
  const offset = (page - 1) * NEWS_PAGE_SIZE;
  const { data } = await request
    .range(offset, offset + NEWS_PAGE_SIZE - 1)
    .abortSignal(signal)
    .throwOnError();
  return { posts: await describePictures(data, signal), matchCount: words ? data.length : null };
}

async function readSearchResults({ page, category, words }: NewsView, signal: AbortSignal): Promise<NewsPage> {
  const api = await publicApi();
  const args = { _query: words, _category: category, _limit: NEWS_PAGE_SIZE, _offset: (page - 1) * NEWS_PAGE_SIZE };
  const { data: matches } = await api.rpc('search_news', args, { get: true }).abortSignal(signal).throwOnError();
  if (matches.length === 0) return { posts: [], matchCount: 0 };
  const ids = matches.map(({ id }) => id);
  const { data } = await api.from('posts').select(SUMMARY).in('id', ids).abortSignal(signal).throwOnError();
  const posts = data.toSorted((first, second) => ids.indexOf(first.id) - ids.indexOf(second.id));
  return { posts: await describePictures(posts, signal), matchCount: matches[0]?.total ?? 0 };
}
