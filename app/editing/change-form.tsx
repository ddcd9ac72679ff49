import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ButtonLink } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import type { Document } from './document.ts';
import { DocumentForm, SaveBar } from './document-form.tsx';
import { documentForChange, type Release, type ReleaseChange } from './releases/releases.ts';
import { useDocument } from './use-document.ts';

interface ChangeFormProps {
  change: ReleaseChange;
  release: Release;
  /** Document that the change applies to. */
  document: Document;
  children: ReactNode;
  /** Shown beside the form, such as a preview. */
  aside?: ReactNode;
}

/** Renders the form of a pending change in a release. Returns to the release after saving. */
export function ChangeForm({ change, release, document, children, aside }: ChangeFormProps) {
  const navigate = useNavigate();
  // Memoised so that the schema stays stable while the form is open.
  const [editedDocument] = useState(() => documentForChange(document, change, release));
  const editing = useDocument({
    document: editedDocument,
    initial: undefined,
    values: editedDocument.fromRow(change.data ?? {}),
    leave: () => navigate({ to: '/admin/releases/$id', params: { id: release.id } }),
  });
  const isOpen = release.published_at === null;
  return (
    <>
      {!isOpen && (
        <ErrorNote title="Already published">
          {`The release “${release.name}” can no longer be changed. Edit the ${document.singular} itself.`}
        </ErrorNote>
      )}
      <DocumentForm
        editing={editing}
        isReadOnly={!isOpen}
        aside={aside}
        bar={
          <SaveBar label="Save to release">
            <ButtonLink to="/admin/releases/$id" params={{ id: release.id }} variant="secondary">
              Cancel
            </ButtonLink>
          </SaveBar>
        }
      >
        {children}
      </DocumentForm>
    </>
  );
}
