import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { publishedPostsQuery } from '../../content/posts/published.ts';
import { pageContentQuery } from '../../data/page-content.ts';
import { pageWithHeader } from '../../data/public-pages.ts';
import { ListState } from '../list-state.tsx';
import { PageHeader } from '../page-header.tsx';
import { headOfPage, loadPage } from '../page-with-header.ts';
import { PostList } from './post-list.tsx';

const page = pageWithHeader('news');
const content = pageContentQuery('news');
const published = publishedPostsQuery();

export const Route = createFileRoute('/_gate/_site/news')({
  loader: ({ context: { queryClient } }) => loadPage(queryClient, page, queryClient.prefetchQuery(published)),
  head: ({ loaderData }) => headOfPage(page, loaderData),
  component: News,
});

function News() {
  const { sections } = useSuspenseQuery(content).data;
  const posts = useQuery(published);
  return (
    <>
      <PageHeader eyebrow={page.label} header={sections.header} />
      <section aria-label="All posts" className="page-grid pb-[clamp(4rem,9vw,9rem)]">
        <ListState
          query={posts}
          loading="Loading posts..."
          empty={{ title: 'No posts yet', description: 'They appear here as soon as they are published.' }}
        >
          {(items) => <PostList posts={items} heading="h2" />}
        </ListState>
      </section>
    </>
  );
}
