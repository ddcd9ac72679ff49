import { Link, useLocation } from '@tanstack/react-router';
import type { ProjectSummary } from '../../content/projects/published.ts';
import { Cover } from '../../ui/cover.tsx';
import { Metric } from './metric.tsx';

interface ProjectGridProps {
  projects: ProjectSummary[];
  /** Heading level of the project titles. */
  heading: 'h2' | 'h3';
}

/** Project grid. Every fifth card, starting with the first, has full width. Each card links to its case study. */
export function ProjectGrid({ projects, heading }: ProjectGridProps) {
  return (
    <ul className="grid gap-x-6 gap-y-10 md:grid-cols-2 md:gap-y-12 lg:grid-cols-12">
      {projects.map((project, index) => (
        <li key={project.id} className={index % 5 === 0 ? 'md:col-span-2 lg:col-span-12' : 'lg:col-span-6'}>
          <ProjectCard
            project={project}
            heading={heading}
            isWide={index % 5 === 0}
            isFirst={heading === 'h2' && index === 0}
          />
        </li>
      ))}
    </ul>
  );
}

interface ProjectCardProps {
  project: ProjectSummary;
  heading: 'h2' | 'h3';
  isWide: boolean;
  /** True for the first project on the page, whose image is loaded eagerly. */
  isFirst: boolean;
}

function ProjectCard({ project, heading: Heading, isWide, isFirst }: ProjectCardProps) {
  // On /projects, the case study opens in a dialog, so keep the scroll position. From other pages, the link loads
  // /projects, so scroll to the top.
  const isOnProjectsPage = useLocation({ select: ({ pathname }) => pathname === '/projects' });
  return (
    <article
      className={`group relative grid gap-x-10 gap-y-5 ${isWide ? 'lg:grid-cols-12 lg:items-end' : 'content-start'}`}
    >
      <div
        className={`overflow-hidden rounded-lg border border-line ${isWide ? 'aspect-[16/9] lg:col-span-8' : 'aspect-[16/9] md:aspect-[16/10]'}`}
      >
        <div className="size-full transition-transform duration-250 ease-out group-hover:scale-[1.025]">
          <Cover
            src={project.featured_image}
            subject={{ slug: project.slug, title: project.title, figure: project.key_metric }}
            pictures={project.pictures}
            sizes={
              isWide ? '(min-width: 64rem) 790px, 92vw' : '(min-width: 64rem) 590px, (min-width: 48rem) 46vw, 92vw'
            }
            isFirst={isFirst}
          />
        </div>
      </div>
      <div className={`grid gap-3 ${isWide ? 'lg:col-span-4 lg:pb-2' : ''}`}>
        {project.key_metric && <Metric text={project.key_metric} className="mb-2" />}
        {project.company && <p className="font-mono text-label text-muted">{project.company}</p>}
        <Heading className="text-display-3 wrap-anywhere">
          <Link
            to="/projects"
            search={{ case: project.slug }}
            resetScroll={!isOnProjectsPage}
            className="underline-offset-4 group-hover:underline group-hover:decoration-accent after:absolute after:inset-0 after:rounded-lg"
          >
            {project.title}
          </Link>
        </Heading>
        <p className="line-clamp-4 text-muted wrap-anywhere">{project.description}</p>
      </div>
    </article>
  );
}
