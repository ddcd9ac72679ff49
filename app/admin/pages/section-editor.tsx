import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { resetSectionMutation, type SectionDocument, sectionDocument } from '../../content/pages/section-document.ts';
import type { PageSlug, SectionContent, SectionName } from '../../content/pages/sections.ts';
import { documentQuery, NOT_SAVED, type Versioned } from '../../editing/document.ts';
import {
  DocumentForm,
  DocumentHistory,
  DocumentPresence,
  DocumentRelease,
  SaveBar,
} from '../../editing/document-form.tsx';
import { useDocument } from '../../editing/use-document.ts';
import { siteNameHint } from '../../settings/site-name.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { LivePreview } from './live-preview.tsx';
import { SampleNotice } from './sample-notice.tsx';
import type { SectionEditorProps } from './section-editor-props.ts';
import { SectionInRelease } from './section-in-release.tsx';

/** Renders the form of a section beside its preview. */
export function SectionEditor<Page extends PageSlug, Name extends SectionName<Page>>(
  props: SectionEditorProps<Page, Name>,
) {
  const { release } = useSearch({ strict: false });
  return release ? <SectionInRelease {...props} releaseId={release} /> : <SavedSection {...props} />;
}

function SavedSection<Page extends PageSlug, Name extends SectionName<Page>>(props: SectionEditorProps<Page, Name>) {
  const { page, name, schema } = props;
  const document = sectionDocument(page, name, schema);
  const { data: saved, error, isPending, refetch } = useQuery(documentQuery(document));
  if (isPending) return <FormSkeleton />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return saved && <SectionForm {...props} document={document} initial={saved} />;
}

interface SectionFormProps<Page extends PageSlug, Name extends SectionName<Page>>
  extends SectionEditorProps<Page, Name> {
  document: SectionDocument;
  initial: Versioned;
}

function SectionForm<Page extends PageSlug, Name extends SectionName<Page>>(props: SectionFormProps<Page, Name>) {
  const { page, name, Fields, explainsSiteName, preview, desktopWidth, document, initial } = props;
  const editing = useDocument({ document, initial });
  return (
    <DocumentForm
      editing={editing}
      header={
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="mr-auto font-mono text-label text-muted">Texts</h2>
          <DocumentPresence />
          <DocumentHistory />
          <ResetButton
            document={document}
            version={editing.openedVersion?.version ?? NOT_SAVED}
            onReset={(openedVersion) => {
              editing.form.reset(openedVersion.content);
              editing.setOpenedVersion(openedVersion);
            }}
          />
        </div>
      }
      bar={
        <SaveBar label="Save Changes">
          <DocumentRelease />
        </SaveBar>
      }
      aside={
        <LivePreview<SectionContent<Page, Name>>
          desktopWidth={desktopWidth}
          draw={preview}
          notice={(typed) => <SampleNotice page={page} name={name} content={typed} />}
        />
      }
    >
      <Fields />
      {!explainsSiteName && <SiteNameNote />}
    </DocumentForm>
  );
}

function SiteNameNote() {
  const hint = siteNameHint(useWatch());
  return hint && <p className="text-sm text-muted">{hint}</p>;
}

interface ResetButtonProps {
  document: SectionDocument;
  /** Opened version. A version that was saved later is not deleted. */
  version: string;
  onReset: (openedVersion: Versioned) => void;
}

function ResetButton({ document, version, onReset }: ResetButtonProps) {
  const [isConfirming, setConfirming] = useState(false);
  const reset = useMutationWithToasts(resetSectionMutation(document), {
    success: 'Content updated successfully',
    failure: 'Error updating content',
  });
  const onConfirm = () => reset.mutate(version, { onSuccess: onReset, onSettled: () => setConfirming(false) });
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setConfirming(true)}>
        <RotateCcw aria-hidden="true" />
        Reset to default
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Reset to default?"
        description="The saved texts of this section are deleted, and the default texts are shown again."
        confirmLabel="Reset"
        destructive
        loading={reset.isPending}
        onConfirm={onConfirm}
      />
    </>
  );
}
