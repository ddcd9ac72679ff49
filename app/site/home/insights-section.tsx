import { useQuery } from '@tanstack/react-query';
import type { Headings } from '../../content/pages/headings.ts';
import { publishedPostsQuery } from '../../content/posts/published.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { ListState } from '../list-state.tsx';
import { PostList } from '../news/post-list.tsx';
import { HOME_ITEMS } from './home-items.ts';

export function InsightsSection({ heading }: { heading: Headings['insights'] }) {
  const posts = useQuery(publishedPostsQuery(HOME_ITEMS));
  return (
    <section aria-labelledby="insights-heading" className="section-space">
      <div className="page-grid grid gap-[clamp(2rem,4vw,3.5rem)]">
        <div className="flex flex-wrap items-end justify-between gap-6">
          <SectionHeading id="insights-heading" {...heading} />
          <ButtonLink to="/news" variant="secondary">
            Read all posts
          </ButtonLink>
        </div>
        <ListState
          query={posts}
          loading="Loading posts..."
          empty={{ title: 'No posts yet', description: 'They appear here as soon as they are published.' }}
        >
          {(items) => <PostList posts={items} heading="h3" />}
        </ListState>
      </div>
    </section>
  );
}
