import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { publishedPostsQuery } from '../../content/posts/published.ts';
import { pageContentQuery } from '../../data/page-content.ts';
import { prefetchLists } from '../../data/query-client.ts';
import { siteSettingsQuery } from '../../data/site-settings.ts';
import { breadcrumbJsonLd, pageHead } from '../../lib/seo.ts';
import { ListState } from '../list-state.tsx';
import { PageHeader } from '../page-header.tsx';
import { seoSite } from '../seo-site.ts';
import { PostList } from './post-list.tsx';

const content = pageContentQuery('news');
const published = publishedPostsQuery();

export const Route = createFileRoute('/_gate/_site/news')({
  loader: async ({ context: { queryClient } }) => {
    const [settings, { sections }] = await Promise.all([
      queryClient.ensureQueryData(siteSettingsQuery),
      queryClient.ensureQueryData(content),
      prefetchLists(queryClient.prefetchQuery(published)),
    ]);
    return { settings, description: sections.header.description };
  },
  head: ({ loaderData }) => {
    if (!loaderData) return {};
    const site = seoSite(loaderData.settings);
    return pageHead(site, {
      title: 'News',
      description: loaderData.description,
      path: '/news',
      jsonLd: [breadcrumbJsonLd(site, [{ name: 'News', path: '/news' }])],
    });
  },
  component: News,
});

function News() {
  const { sections } = useSuspenseQuery(content).data;
  const posts = useQuery(published);
  return (
    <>
      <PageHeader eyebrow="News" header={sections.header} />
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
