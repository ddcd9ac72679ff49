import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { type ProjectSummary, projectContentQuery } from '../../content/projects/published.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { Metric } from './metric.tsx';
import './case-dialog.css';

interface CaseDialogProps {
  project: ProjectSummary;
  /** Navigates to the page without the dialog. */
  onClose: () => void;
}

/**
 * Dialog with the full text of a project. The server renders it open, so a case can be read without JavaScript. The
 * browser makes it modal.
 */
export function CaseDialog({ project, onClose }: CaseDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog, onClose);
  return (
    <dialog
      ref={dialog}
      open
      aria-labelledby="case-title"
      aria-describedby="case-summary"
      className="case-dialog rounded-lg border border-line bg-surface text-ink shadow-lg"
    >
      <header className="sticky top-0 z-10 flex items-start justify-between gap-4 bg-surface px-6 pt-5 pb-4 sm:px-10">
        <div className="grid gap-1">
          <h2 id="case-title" className="text-display-3 wrap-anywhere">
            {project.title}
          </h2>
          <p id="case-summary" className="font-mono text-label text-muted">
            {project.company}
          </p>
        </div>
        <Link
          to="/projects"
          resetScroll={false}
          aria-label="Close"
          onClick={(event) => {
            event.preventDefault();
            onClose();
          }}
          className={buttonClass({ variant: 'ghost', size: 'icon' }, '-mr-3 -mt-1.5')}
        >
          <X aria-hidden="true" />
        </Link>
      </header>
      <div className="aspect-[16/9] overflow-hidden border-y border-line md:aspect-[21/9]">
        <Cover
          src={project.featured_image}
          subject={{ slug: project.slug, title: project.title, figure: project.key_metric }}
          pictures={project.pictures}
          sizes="(min-width: 50rem) 768px, 94vw"
          isFirst
        />
      </div>
      <div className="grid gap-x-10 gap-y-6 px-6 pt-7 pb-8 sm:px-10 md:grid-cols-[minmax(0,1fr)_12rem]">
        {project.key_metric && (
          <Metric
            text={project.key_metric}
            // Keep the picture in view beside the text, below the sticky header.
            className="md:sticky md:top-28 md:col-start-2 md:row-start-1 md:self-start"
          />
        )}
        <div className="grid content-start gap-6 [--measure:51ch] md:col-start-1 md:row-start-1">
          <p className="measure text-lead wrap-anywhere">{project.description}</p>
          <CaseContent id={project.id} />
        </div>
      </div>
    </dialog>
  );
}

function CaseContent({ id }: { id: string }) {
  const content = useQuery(projectContentQuery(id));
  if (content.isPending) return <p className="text-muted">Loading...</p>;
  if (content.data !== undefined)
    return (
      <LongText
        text={content.data.full_content}
        pictures={content.data.pictures}
        topLevel={3}
        mayReload
        className="wrap-anywhere"
      />
    );
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <p>The rest of this project could not be loaded.</p>
      <Button variant="secondary" size="sm" onClick={() => content.refetch()}>
        Try again
      </Button>
    </div>
  );
}

/** Makes the dialog modal while mounted. Escape or a click on the backdrop closes it, and the focus is restored. */
function useModal(dialog: RefObject<HTMLDialogElement | null>, onClose: () => void) {
  // A layout effect, because `close()` can restore the focus only while the element is still in the DOM.
  useLayoutEffect(() => {
    const element = dialog.current;
    // `showModal()` throws on an open dialog. Removing the attribute does not fire `close`.
    element?.removeAttribute('open');
    element?.showModal();
    return () => element?.close();
  }, [dialog]);

  useEffect(() => {
    const element = dialog.current;
    const onCancel = (event: Event) => {
      event.preventDefault();
      onClose();
    };
    const onClick = ({ target }: Event) => {
      if (target === element) onClose();
    };
    element?.addEventListener('cancel', onCancel);
    element?.addEventListener('click', onClick);
    return () => {
      element?.removeEventListener('cancel', onCancel);
      element?.removeEventListener('click', onClick);
    };
  }, [dialog, onClose]);
}
