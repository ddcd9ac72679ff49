import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { pageContentQuery } from '../../data/page-content.ts';
import { publishedProjectsQuery } from '../../data/projects.ts';
import { prefetchLists } from '../../data/query-client.ts';
import { siteSettingsQuery } from '../../data/site-settings.ts';
import { breadcrumbJsonLd, pageHead } from '../../lib/seo.ts';
import { ListState } from '../list-state.tsx';
import { PageHeader } from '../page-header.tsx';
import { seoSite } from '../seo-site.ts';
import { ProjectGrid } from './project-grid.tsx';

const content = pageContentQuery('projects');
const published = publishedProjectsQuery();

export const Route = createFileRoute('/_gate/_site/projects')({
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
      title: 'Projects',
      description: loaderData.description,
      path: '/projects',
      jsonLd: [breadcrumbJsonLd(site, [{ name: 'Projects', path: '/projects' }])],
    });
  },
  component: Projects,
});

function Projects() {
  const { sections } = useSuspenseQuery(content).data;
  const projects = useQuery(published);
  return (
    <>
      <PageHeader eyebrow="Projects" header={sections.header} />
      <section aria-label="All projects" className="page-grid pb-[clamp(4rem,9vw,9rem)]">
        <ListState
          query={projects}
          loading="Loading projects..."
          empty={{ title: 'No projects yet', description: 'They appear here as soon as they are published.' }}
        >
          {(items) => <ProjectGrid projects={items} heading="h2" />}
        </ListState>
      </section>
    </>
  );
}
