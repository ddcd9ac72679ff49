import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { pageContentQuery } from '../../data/page-content.ts';
import { publishedPostsQuery } from '../../data/posts.ts';
import { publishedProjectsQuery } from '../../data/projects.ts';
import { prefetchLists } from '../../data/query-client.ts';
import { publishedReviewsQuery } from '../../data/reviews.ts';
import { publishedServicesQuery } from '../../data/services.ts';
import { siteSettingsQuery } from '../../data/site-settings.ts';
import { organizationJsonLd, pageHead } from '../../lib/seo.ts';
import { seoSite } from '../seo-site.ts';
import { HOME_ITEMS } from './home-items.ts';
import { HomePage } from './home-page.tsx';

const content = pageContentQuery('home');

export const Route = createFileRoute('/_gate/_site/')({
  loader: async ({ context: { queryClient } }) => {
    const [settings] = await Promise.all([
      queryClient.ensureQueryData(siteSettingsQuery),
      queryClient.ensureQueryData(content),
      prefetchLists(
        queryClient.prefetchQuery(publishedServicesQuery),
        queryClient.prefetchQuery(publishedProjectsQuery(HOME_ITEMS)),
        queryClient.prefetchQuery(publishedPostsQuery(HOME_ITEMS)),
        queryClient.prefetchQuery(publishedReviewsQuery),
      ),
    ]);
    return { settings };
  },
  head: ({ loaderData }) => {
    if (!loaderData) return {};
    const site = seoSite(loaderData.settings);
    return pageHead(site, { path: '/', jsonLd: [organizationJsonLd(site)] });
  },
  component: Home,
});

function Home() {
  const { settings } = Route.useLoaderData();
  const { sections } = useSuspenseQuery(content).data;
  return <HomePage settings={settings} sections={sections} />;
}
