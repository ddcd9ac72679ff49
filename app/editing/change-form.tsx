import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ButtonLink } from '../ui/button.tsx';
import { RefusalNote } from '../ui/refusal-note.tsx';
import type { Document } from './document.ts';
import { DocumentForm, SaveBar } from './document-form.tsx';
import { changeDocument, type Release, type ReleaseChange } from './releases/releases.ts';
import { useDocument } from './use-document.ts';

interface ChangeFormProps {
  change: ReleaseChange;
  release: Release;
  /** The document that the change is about. */
  document: Document;
  /** The fields. */
  children: ReactNode;
  /** Beside the form, such as a preview. */
  aside?: ReactNode;
}

/** The form of a change that waits in a release. It leads back to the release. */
export function ChangeForm({ change, release, document, children, aside }: ChangeFormProps) {
  const navigate = useNavigate();
  // Its schema stays the same one for as long as the form is open.
  const [edited] = useState(() => changeDocument(document, change, release));
  const editing = useDocument({
    document: edited,
    initial: undefined,
    values: edited.fromRow(change.data ?? {}),
    leave: () => navigate({ to: '/admin/releases/$id', params: { id: release.id } }),
  });
  const isOpen = release.published_at === null;
  return (
    <>
      {!isOpen && (
        <RefusalNote title="Published already">
          {`The release “${release.name}” no longer changes. Change the ${document.one} itself.`}
        </RefusalNote>
      )}
      <DocumentForm
        editing={editing}
        isReadOnly={!isOpen}
        aside={aside}
        bar={
          <SaveBar label="Save to the release">
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
