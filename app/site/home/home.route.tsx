import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { prefetchLists } from '../../api/query-client.ts';
import { pageContentQuery } from '../../content/pages/page-content.ts';
import { findPlayers } from '../../content/pages/page-policy.ts';
import { publishedPostsQuery } from '../../content/posts/published.ts';
import { publishedProjectsQuery } from '../../content/projects/published.ts';
import { publishedReviewsQuery } from '../../content/reviews/published.ts';
import { publishedServicesQuery } from '../../content/services/published.ts';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import { organizationJsonLd, pageHead } from '../../ui/lib/seo.ts';
import { seoSite } from '../seo-site.ts';
import { HOME_ITEMS } from './home-items.ts';
import { HomePage } from './home-page.tsx';
import { LazyLivingSystem } from './lazy-living-system.ts';

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
      LazyLivingSystem.preload(),
    ]);
    const services = queryClient.getQueryData(publishedServicesQuery.queryKey) ?? [];
    return { settings, players: findPlayers(...services.map(({ long_description }) => long_description)) };
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
