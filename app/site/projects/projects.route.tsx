import { type QueryClient, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, notFound, redirect, useCanGoBack, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { QueryOf } from '../../api/host/query-names.ts';
import { pageWithHeader, projectPath } from '../../api/places/public-pages.ts';
import { prefetchLists } from '../../api/query-client.ts';
import { pageContentQuery } from '../../content/pages/page-content.ts';
import { findPlayers } from '../../content/pages/page-policy.ts';
import { movedItemQuery } from '../../content/pages/slug-aliases.ts';
import { type ProjectSummary, projectContentQuery, publishedProjectsQuery } from '../../content/projects/published.ts';
import { breadcrumbJsonLd, pageHead } from '../../ui/lib/seo.ts';
import { LongText } from '../../ui/long-text.tsx';
import { ClosingBand } from '../closing-band.tsx';
import { ListState } from '../list-state.tsx';
import { PageHeader } from '../page-header.tsx';
import { buildHead, loadPage } from '../page-with-header.ts';
import { seoSite } from '../seo-site.ts';
import { CaseDialog } from './case-dialog.tsx';
import { ProjectGrid } from './project-grid.tsx';

const page = pageWithHeader('projects');
const content = pageContentQuery('projects');
const published = publishedProjectsQuery();

/**
 * `case` is the slug of the open project. The router parses digits as a number. Without zod, because this part of each
 * route is in the main chunk.
 */
function readSearch({ case: slug }: QueryOf<'/projects'>): { case?: string } {
  return typeof slug === 'string' || typeof slug === 'number' ? { case: String(slug) } : {};
}

export const Route = createFileRoute('/_gate/_site/projects')({
  validateSearch: readSearch,
  loaderDeps: ({ search }) => ({ slug: search.case }),
  loader: async ({ context: { queryClient }, deps: { slug } }) => {
    const [loaded, opened] = await Promise.all([
      loadPage(queryClient, page, queryClient.prefetchQuery(published)),
      slug === undefined ? null : requireProject(queryClient, slug),
    ]);
    const story = opened && queryClient.getQueryData(projectContentQuery(opened.id).queryKey);
    return { ...loaded, opened, players: findPlayers(story?.full_content) };
  },
  head: ({ loaderData }) => {
    if (!loaderData?.opened) return buildHead(page, loaderData);
    const { settings, opened } = loaderData;
    const site = seoSite(settings);
    const path = projectPath(opened.slug);
    return pageHead(site, {
      title: opened.title,
      description: opened.description,
      path,
      image: opened.featured_image,
      jsonLd: [
        breadcrumbJsonLd(site, [
          { name: page.label, path: page.to },
          { name: opened.title, path },
        ]),
      ],
    });
  },
  component: Projects,
});

/**
 * Returns the published project and starts loading its full text.
 *
 * @throws redirect to the current slug, or notFound
 */
async function requireProject(queryClient: QueryClient, slug: string): Promise<ProjectSummary> {
  const project = (await queryClient.ensureQueryData(published)).find((item) => item.slug === slug);
  if (project) {
    await Promise.all([prefetchLists(queryClient.prefetchQuery(projectContentQuery(project.id))), LongText.preload()]);
    return project;
  }
  const alias = await queryClient.ensureQueryData(movedItemQuery('projects', slug));
  if (alias?.to) throw redirect({ to: '/projects', search: { case: alias.to }, statusCode: 301 });
  throw notFound();
}

function Projects() {
  const { opened } = Route.useLoaderData();
  const { sections } = useSuspenseQuery(content).data;
  const projects = useQuery(published);
  return (
    <>
      <PageHeader eyebrow={page.label} header={sections.header} />
      <section aria-label="All projects" className="page-grid pb-[clamp(4rem,9vw,9rem)]">
        <ListState
          query={projects}
          loading="Loading projects..."
          empty={{ title: 'No projects yet', description: 'They appear here as soon as they are published.' }}
        >
          {(items) => <ProjectGrid projects={items} heading="h2" />}
        </ListState>
      </section>
      <ClosingBand />
      {opened && <OpenedCase project={opened} />}
    </>
  );
}

function OpenedCase({ project }: { project: ProjectSummary }) {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const close = useCallback(() => {
    if (canGoBack) router.history.back();
    else void router.navigate({ to: '/projects', replace: true, resetScroll: false });
  }, [router, canGoBack]);
  return <CaseDialog key={project.id} project={project} onClose={close} />;
}
