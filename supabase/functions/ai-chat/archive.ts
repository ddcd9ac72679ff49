/** Posts beyond those that are kept in memory: the database looks them up, by an index, for each question. */
import type { ChatMessage } from './chat-message.ts';
import { beginningsOfKeywords, createSearchIndex, type SearchIndex } from './search.ts';
import { groupPublished, type Published, type SiteContent, searchPosts, type TableApi } from './site-content.ts';

/** Most items of a kind that published_content() gives. */
const KEPT_POSTS = 100;
/** Messages of the visitor that are looked at. */
const MESSAGES = 3;

/** The posts that fit a conversation and are not in the content; none when all are, or when the search fails. */
export async function searchArchive(
  api: TableApi,
  content: SiteContent,
  conversation: readonly ChatMessage[],
): Promise<Published[]> {
  if (content.posts.length < KEPT_POSTS) return [];
  const asked = conversation.filter(({ role }) => role === 'user').slice(-MESSAGES);
  const words = beginningsOfKeywords(
    asked
      .reverse()
      .map((message) => message.content)
      .join(' '),
  );
  if (words.length === 0) return [];
  const found = groupPublished(await searchPosts(api, words.slice(0, 12)).catch(() => []));
  const kept = new Set(content.posts.map(({ slug }) => slug));
  return found.published.filter((post) => post.kind === 'posts' && !kept.has(post.item.slug));
}

/** A search through what is kept in memory and through posts of the archive, what covers more of the question first. */
export function searchWith(index: SearchIndex, archive: Published[]): SearchIndex {
  if (archive.length === 0) return index;
  const others = createSearchIndex({ published: archive });
  return {
    search: (question) =>
      [...index.search(question), ...others.search(question)].sort((a, b) => b.coverage - a.coverage),
  };
}
