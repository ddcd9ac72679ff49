import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { isFrontPage, type NewsPage, type NewsView, newsCategoriesQuery } from '../../content/posts/published-news.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ListState } from '../list-state.tsx';
import { LeadStory } from './lead-story.tsx';
import { NewsPages } from './news-pages.tsx';
import { PostList } from './post-list.tsx';

interface NewsListProps {
  query: UseQueryResult<NewsPage>;
  view: NewsView;
}

/** List of posts with a lead story on the first page, and pagination. */
export function NewsList({ query, view }: NewsListProps) {
  const counts = useQuery(newsCategoriesQuery).data;
  const total =
    query.data?.matchCount ??
    (view.category ? counts?.categories.find(({ category }) => category === view.category)?.posts : counts?.total);
  return (
    <>
      <p role="status" className={view.words ? 'text-lead' : 'sr-only'}>
        {view.words && query.data && !query.isPlaceholderData && formatResultCount(view, total ?? 0)}
      </p>
      <ListState
        query={{ ...query, data: query.data?.posts }}
        loading="Loading posts..."
        empty={
          isFrontPage(view)
            ? { title: 'No posts yet', description: 'They appear here as soon as they are published.' }
            : { title: 'No posts here', description: 'Try other words, or browse all posts.' }
        }
      >
        {(posts) => {
          const lead = isFrontPage(view) ? posts[0] : undefined;
          const otherPosts = lead ? posts.slice(1) : posts;
          return (
            <>
              {lead && <LeadStory post={lead} />}
              {otherPosts.length > 0 && <PostList posts={otherPosts} heading="h2" />}
            </>
          );
        }}
      </ListState>
      {!isFrontPage(view) && query.data?.posts.length === 0 && (
        <ButtonLink to="/news" variant="secondary" className="justify-self-center">
          All posts
        </ButtonLink>
      )}
      <NewsPages view={view} total={total ?? 0} />
    </>
  );
}

/** Returns a summary such as '3 posts for “cold mail” in Outreach'. */
function formatResultCount({ words, category }: NewsView, total: number): string {
  const posts = total === 1 ? '1 post' : `${total.toLocaleString('en-GB')} posts`;
  return `${posts} for “${words}”${category ? ` in ${category}` : ''}`;
}
