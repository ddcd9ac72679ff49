import { lazy, Suspense, useState } from 'react';
import type { ProjectSummary } from '../../data/projects.ts';
import { CoverArt } from '../../ui/cover-art.tsx';

const ProjectDialog = lazy(async () => ({ default: (await import('./project-dialog.tsx')).ProjectDialog }));

interface ProjectGridProps {
  projects: ProjectSummary[];
  /** Level of the project titles. */
  heading: 'h2' | 'h3';
}

/** The first project large, the others beside and below it. Each opens its details in a dialog. */
export function ProjectGrid({ projects, heading }: ProjectGridProps) {
  const [opened, setOpened] = useState<ProjectSummary | null>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ul className="grid gap-x-6 gap-y-12 md:grid-cols-2 lg:grid-cols-12">
        {projects.map((project, index) => (
          <li key={project.id} className={index % 5 === 0 ? 'md:col-span-2 lg:col-span-12' : 'lg:col-span-6'}>
            <ProjectCard
              project={project}
              heading={heading}
              isWide={index % 5 === 0}
              onOpen={() => {
                setOpened(project);
                setOpen(true);
              }}
            />
          </li>
        ))}
      </ul>
      {opened && (
        <Suspense>
          <ProjectDialog project={opened} open={isOpen} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}

interface ProjectCardProps {
  project: ProjectSummary;
  heading: 'h2' | 'h3';
  isWide: boolean;
  onOpen: () => void;
}

function ProjectCard({ project, heading: Heading, isWide, onOpen }: ProjectCardProps) {
  return (
    <article
      className={`group relative grid gap-x-10 gap-y-5 ${isWide ? 'lg:grid-cols-12 lg:items-end' : 'content-start'}`}
    >
      <div
        className={`overflow-hidden rounded-lg border border-line ${isWide ? 'aspect-[16/10] lg:col-span-8 lg:aspect-[16/9]' : 'aspect-[16/10]'}`}
      >
        <div className="size-full transition-transform duration-250 ease-out group-hover:scale-[1.025]">
          {project.featured_image ? (
            <img
              src={project.featured_image}
              alt=""
              loading="lazy"
              decoding="async"
              className="size-full object-cover"
            />
          ) : (
            <CoverArt seed={project.slug} />
          )}
        </div>
      </div>
      <div className={`grid gap-3 ${isWide ? 'lg:col-span-4 lg:pb-2' : ''}`}>
        <p className="flex flex-wrap justify-between gap-x-4 gap-y-1 font-mono text-label text-muted">
          <span>{project.company}</span>
          {project.metric && <span className="text-accent">{project.metric}</span>}
        </p>
        <Heading className="text-display-3 wrap-anywhere">
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={onOpen}
            className="text-left underline-offset-4 group-hover:underline group-hover:decoration-accent after:absolute after:inset-0 after:rounded-lg"
          >
            {project.title}
          </button>
        </Heading>
        <p className="line-clamp-4 text-muted wrap-anywhere">{project.description}</p>
      </div>
    </article>
  );
}
