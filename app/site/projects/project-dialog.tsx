import { useQuery } from '@tanstack/react-query';
import { type ProjectSummary, projectContentQuery } from '../../data/projects.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Markdown } from '../../ui/markdown.tsx';

interface ProjectDialogProps {
  project: ProjectSummary;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The whole story of a project. */
export function ProjectDialog({ project, open, onOpenChange }: ProjectDialogProps) {
  const content = useQuery(projectContentQuery(project.id));
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={project.title}
      description={[project.company, project.metric].filter(Boolean).join(' · ')}
    >
      <div className="grid gap-6">
        <p className="measure text-lead wrap-anywhere">{project.description}</p>
        {content.isPending && <p className="text-muted">Loading...</p>}
        {content.isError && (
          <div role="alert" className="grid justify-items-start gap-3">
            <p>The rest of this project could not be loaded.</p>
            <Button variant="secondary" size="sm" onClick={() => content.refetch()}>
              Try again
            </Button>
          </div>
        )}
        {content.data && <Markdown text={content.data} topLevel={3} className="wrap-anywhere" />}
      </div>
    </Dialog>
  );
}
