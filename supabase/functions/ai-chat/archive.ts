/** Searches the posts that are not in the cached content. The database uses an index. */
import type { ChatMessage } from './chat-message.ts';
import { beginningsOfKeywords, createSearchIndex, type SearchIndex } from './search.ts';
import { groupPublished, type Published, type SiteContent, searchPosts, type TableApi } from './site-content.ts';

/** Maximum items of a kind that published_content() returns. */
const CACHED_POSTS = 100;
/** Number of recent visitor messages whose words are searched. */
const SEARCHED_MESSAGES = 3;

/** Returns matching posts that are not in the cached content. Empty if all posts are cached or the search fails. */
export async function searchArchive(
  api: TableApi,
  content: SiteContent,
  conversation: readonly ChatMessage[],
): Promise<Published[]> {
  if (content.posts.length < CACHED_POSTS) return [];
  const messages = conversation.filter(({ role }) => role === 'user').slice(-SEARCHED_MESSAGES);
  const words = beginningsOfKeywords(
    messages
      .reverse()
      .map((message) => message.content)
      .join(' '),
  );
  if (words.length === 0) return [];
  const posts = groupPublished(await searchPosts(api, words.slice(0, 12)).catch(() => []));
  const cachedSlugs = new Set(content.posts.map(({ slug }) => slug));
  return posts.published.filter((post) => post.kind === 'posts' && !cachedSlugs.has(post.item.slug));
}

/** Combines the search in the cached content with archived posts, sorted by coverage of the question. */
export function searchWith(index: SearchIndex, archive: Published[]): SearchIndex {
  if (archive.length === 0) return index;
  const archiveIndex = createSearchIndex({ published: archive });
  return {
    search: (question) =>
      [...index.search(question), ...archiveIndex.search(question)].sort((a, b) => b.coverage - a.coverage),
  };
}
