import { useQuery } from '@tanstack/react-query';
import type { Headings } from '../../content/pages/headings.ts';
import { publishedProjectsQuery } from '../../content/projects/published.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { ListState } from '../list-state.tsx';
import { ProjectGrid } from '../projects/project-grid.tsx';
import { HOME_ITEMS } from './home-items.ts';

export function ProjectsSection({ heading }: { heading: Headings['projects'] }) {
  const projects = useQuery(publishedProjectsQuery(HOME_ITEMS));
  return (
    <section id="projects" aria-labelledby="projects-heading" className="section-space border-t border-line bg-surface">
      <div className="page-grid grid gap-[clamp(2rem,5vw,4rem)]">
        <div className="flex flex-wrap items-end justify-between gap-6">
          <SectionHeading id="projects-heading" {...heading} />
          <ButtonLink to="/projects" variant="secondary">
            View all projects
          </ButtonLink>
        </div>
        <ListState
          query={projects}
          loading="Loading projects..."
          empty={{ title: 'No projects yet', description: 'They appear here as soon as they are published.' }}
        >
          {(items) => <ProjectGrid projects={items} heading="h3" />}
        </ListState>
      </div>
    </section>
  );
}
