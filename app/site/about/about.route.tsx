import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { pageWithHeader } from '../../api/places/public-pages.ts';
import { pageContentQuery } from '../../content/pages/page-content.ts';
import { publishedTeamMembersQuery } from '../../content/team-members/published.ts';
import { ClosingBand } from '../closing-band.tsx';
import { PageHeader } from '../page-header.tsx';
import { buildHead, loadPage } from '../page-with-header.ts';
import { Careers } from './careers.tsx';
import { Story } from './story.tsx';
import { listTeam } from './team.ts';
import { TeamCarousel } from './team-carousel.tsx';

const page = pageWithHeader('about');
const content = pageContentQuery('about');

export const Route = createFileRoute('/_gate/_site/about')({
  loader: ({ context: { queryClient } }) =>
    loadPage(queryClient, page, queryClient.prefetchQuery(publishedTeamMembersQuery)),
  head: ({ loaderData }) => buildHead(page, loaderData),
  component: About,
});

function About() {
  const { settings } = Route.useLoaderData();
  const { sections, saved } = useSuspenseQuery(content).data;
  const published = useQuery(publishedTeamMembersQuery);
  return (
    <>
      <PageHeader eyebrow={page.label} header={sections.header} />
      <Story content={sections.story} />
      <TeamCarousel
        eyebrow={sections.team.eyebrow}
        heading={sections.team.heading}
        members={listTeam(published.data ?? [], sections.team.members, saved.includes('team'))}
        isLoading={published.isPending}
      />
      <Careers careers={sections.careers} email={settings.contact_email} />
      <ClosingBand />
    </>
  );
}
