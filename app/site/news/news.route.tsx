import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { pageWithHeader } from '../../api/places/public-pages.ts';
import { pageContentQuery } from '../../content/pages/page-content.ts';
import { isFrontPage, newsQuery } from '../../content/posts/published-news.ts';
import { pageHead } from '../../ui/lib/seo.ts';
import { PageHeader } from '../page-header.tsx';
import { seoSite } from '../seo-site.ts';
import { toView } from './load-news.ts';
import { NewsList } from './news-list.tsx';
import { NewsTools } from './news-tools.tsx';
import { readNewsSearch } from './read-news-search.ts';

export const Route = createFileRoute('/_gate/_site/news')({
  validateSearch: readNewsSearch,
  // Listed by name, because a browser's URL may have other parameters.
  loaderDeps: ({ search: { page, category, q } }) => ({ page, category, q }),
  loader: async ({ context: { queryClient }, deps }) => (await import('./load-news.ts')).loadNews(queryClient, deps),
  head: ({ loaderData }) => (loaderData ? pageHead(seoSite(loaderData.settings), loaderData.seo) : {}),
  component: News,
});

function News() {
  const { label } = pageWithHeader('news');
  const { sections } = useSuspenseQuery(pageContentQuery('news')).data;
  const view = toView(Route.useSearch());
  // Keep showing the current page until the next one is loaded.
  const posts = useQuery({ ...newsQuery(view), placeholderData: keepPreviousData });
  return (
    <>
      <PageHeader eyebrow={label} header={sections.header} />
      <section
        aria-label={isFrontPage(view) ? 'All posts' : 'Posts'}
        aria-busy={posts.isPlaceholderData}
        className="page-grid grid gap-[clamp(2rem,4vw,3.5rem)] pb-[clamp(4rem,9vw,9rem)]"
      >
        <NewsTools view={view} />
        <NewsList query={posts} view={view} />
      </section>
    </>
  );
}
