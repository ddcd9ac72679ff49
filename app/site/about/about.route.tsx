import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { publishedTeamMembersQuery } from '../../content/team-members/published.ts';
import { pageContentQuery } from '../../data/page-content.ts';
import { prefetchLists } from '../../data/query-client.ts';
import { siteSettingsQuery } from '../../data/site-settings.ts';
import { breadcrumbJsonLd, pageHead } from '../../lib/seo.ts';
import { PageHeader } from '../page-header.tsx';
import { seoSite } from '../seo-site.ts';
import { Careers } from './careers.tsx';
import { Story } from './story.tsx';
import { teamOf } from './team.ts';
import { TeamCarousel } from './team-carousel.tsx';

const content = pageContentQuery('about');

export const Route = createFileRoute('/_gate/_site/about')({
  loader: async ({ context: { queryClient } }) => {
    const [settings, { sections }] = await Promise.all([
      queryClient.ensureQueryData(siteSettingsQuery),
      queryClient.ensureQueryData(content),
      prefetchLists(queryClient.prefetchQuery(publishedTeamMembersQuery)),
    ]);
    return { settings, description: sections.header.description };
  },
  head: ({ loaderData }) => {
    if (!loaderData) return {};
    const site = seoSite(loaderData.settings);
    return pageHead(site, {
      title: 'About',
      description: loaderData.description,
      path: '/about',
      jsonLd: [breadcrumbJsonLd(site, [{ name: 'About', path: '/about' }])],
    });
  },
  component: About,
});

function About() {
  const { settings } = Route.useLoaderData();
  const { sections, saved } = useSuspenseQuery(content).data;
  const published = useQuery(publishedTeamMembersQuery);
  return (
    <>
      <PageHeader eyebrow="About" header={sections.header} />
      <Story />
      <TeamCarousel
        members={teamOf(published.data ?? [], sections.team.members, saved.includes('team'))}
        isLoading={published.isPending}
      />
      <Careers careers={sections.careers} email={settings.contact_email} />
    </>
  );
}
