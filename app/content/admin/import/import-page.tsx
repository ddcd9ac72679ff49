import { useMutation } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { SettingsTabs } from '../../../settings/admin/settings-tabs.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { DropArea } from '../../../ui/drop-area.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { FileButton } from '../../../ui/form/file-button.tsx';
import { focusHeading } from '../../../ui/lib/focus-heading.ts';
import { useFocusOnMount } from '../../../ui/lib/use-focus-on-mount.ts';
import { Counts } from '../../../ui/line-group.tsx';
import { ScreenHeader } from '../../../ui/screen-header.tsx';
import { messageOf } from '../../../ui/show-error.ts';
import { useMutationWithToasts } from '../../../ui/use-mutation-with-toasts.ts';
import { type ImportNote, IncompleteImport } from '../../import/source.ts';
import type { ImportResult, ImportStage } from '../../import/write-import.ts';
import { ReportGroup } from './import-report.tsx';
import { type ImportPreview, readImportMutation, undoImportMutation, writeImportMutation } from './import-steps.ts';

const ACCEPTED_TYPES = '.xml,.json,.zip,.md,.markdown,image/*,video/*,audio/*,.pdf';

/** Page in the admin area for importing posts from another system. */
export function ImportPage() {
  const readImport = useMutation(readImportMutation);
  const [progress, setProgress] = useState<Progress>();
  const writeImport = useMutationWithToasts(
    writeImportMutation((stage, done, total) => setProgress({ stage, done, total })),
    {
      success: ({ posts }) => `${countPosts(posts.length)} imported`,
      failure: (error) => (error instanceof IncompleteImport ? 'The import is incomplete' : 'Nothing was imported'),
    },
  );
  // Closing the window stops the import between two batches. Navigating within the admin area does not.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: () => writeImport.isPending });
  const restart = () => {
    writeImport.reset();
    readImport.reset();
    focusHeading();
  };
  const readFiles = (files: Iterable<File>) => {
    if (readImport.isPending || writeImport.isPending) return;
    writeImport.reset();
    readImport.mutate([...files]);
  };
  return (
    <DropArea invitation="Drop files to import them" className="min-h-[calc(100dvh-8rem)]" onFiles={readFiles}>
      <div className="grid grid-cols-1 gap-6">
        <ScreenHeader title="Settings" page="Import" />
        <SettingsTabs />
        {readImport.error && <ErrorNote title="Nothing was imported">{messageOf(readImport.error)}</ErrorNote>}
        <p role="status" className="text-muted empty:hidden">
          {readImport.isPending && 'Reading the files...'}
        </p>
        {readImport.data && writeImport.data && (
          <Result
            result={writeImport.data}
            notes={[...writeImport.data.notes, ...readImport.data.plan.notes]}
            onRestart={restart}
          />
        )}
        {readImport.data && !writeImport.data && (
          <Preview
            preview={readImport.data}
            isImporting={writeImport.isPending}
            progress={progress}
            onImport={() => {
              setProgress(undefined);
              writeImport.mutate(readImport.data);
            }}
            onCancel={restart}
          />
        )}
        {!readImport.data && !readImport.isPending && <ChooseFiles onFiles={readFiles} />}
      </div>
    </DropArea>
  );
}

function ChooseFiles({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <EmptyState
      icon={FileUp}
      title="Import posts from another system"
      description="Choose a WordPress export (.xml), a Ghost export (.json) or Markdown files with YAML front matter, and the folder with their pictures as a ZIP archive. You see a preview before anything is imported."
      action={
        <FileButton accept={ACCEPTED_TYPES} multiple onFiles={onFiles}>
          Choose files
        </FileButton>
      }
    />
  );
}

/** Card that focuses its heading on mount, because the button of the previous step has been removed. */
function Step({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusOnMount(heading);
  return (
    <Card className="grid grid-cols-1 gap-4 p-5">
      <h2 ref={heading} tabIndex={-1} className="w-fit rounded-sm text-lg font-semibold">
        {title}
      </h2>
      {children}
    </Card>
  );
}

interface Progress {
  stage: ImportStage;
  done: number;
  total: number;
}

interface PreviewProps {
  preview: ImportPreview;
  isImporting: boolean;
  /** Undefined until the first file or batch is done. */
  progress: Progress | undefined;
  onImport: () => void;
  onCancel: () => void;
}

function Preview({ preview: { plan, created, skipped }, isImporting, progress, onImport, onCancel }: PreviewProps) {
  const files = new Set(created.flatMap((post) => post.files)).size;
  const counts = [
    ['New posts', created.length],
    ['Already here', skipped.length],
    ['Files', files],
    ['Notes', plan.notes.length],
  ] as const;
  return (
    <Step title={`Preview of the ${plan.system} import`}>
      <Counts counts={counts} />
      {created.length === 0 && <p>This import contains no new posts.</p>}
      <ReportGroup title="Left out or changed" lines={plan.notes} open />
      <ReportGroup
        title="Already here"
        lines={skipped.map(({ title, slug }) => ({ title, text: `A post with the slug "${slug}" already exists.` }))}
      />
      <ReportGroup
        title="New posts"
        lines={created.map(({ title, status, published_date }) => ({
          title,
          text: [status === 'draft' ? 'Draft' : 'Published', published_date.slice(0, 10)].filter(Boolean).join(', '),
        }))}
      />
      {isImporting && <ImportProgress {...(progress ?? { stage: files > 0 ? 'files' : 'posts', done: 0, total: 1 })} />}
      <div className="flex flex-wrap gap-3">
        <Button loading={isImporting} disabled={created.length === 0} onClick={onImport}>
          Import {countPosts(created.length)}
        </Button>
        <Button variant="secondary" disabled={isImporting} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Step>
  );
}

function ImportProgress({ stage, done, total }: Progress) {
  return (
    <div className="grid gap-1.5">
      <p role="status" className="text-muted">
        {stage === 'files' && done < total ? 'Uploading files...' : 'Creating posts...'}
      </p>
      <progress
        aria-label="Import progress"
        max={total}
        value={done}
        className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
      />
    </div>
  );
}

interface ResultProps {
  result: ImportResult;
  /** Notes of the plan and of the import. */
  notes: readonly ImportNote[];
  onRestart: () => void;
}

function Result({ result: { posts }, notes, onRestart }: ResultProps) {
  const undo = useMutationWithToasts(undoImportMutation, {
    success: () => [`${countPosts(posts.length)} moved to the trash`, 'Imported files stay in the media library.'],
    failure: 'Error undoing the import',
  });
  return (
    <Step
      key={undo.status === 'success' ? 'undone' : 'imported'}
      title={undo.isSuccess ? 'Import undone' : `${countPosts(posts.length)} imported`}
    >
      <p className="measure text-muted">
        {undo.isSuccess
          ? 'The imported posts stay in the trash for 30 days.'
          : 'Check the posts before you announce them. Undo moves all of them to the trash.'}
      </p>
      <ReportGroup title="Left out or changed" lines={notes} />
      <div className="flex flex-wrap gap-3">
        <ButtonLink to="/admin/$kind" params={{ kind: 'posts' }}>
          Show posts
        </ButtonLink>
        <Button
          variant="secondary"
          loading={undo.isPending}
          disabled={undo.isSuccess || posts.length === 0}
          onClick={() => undo.mutate(posts)}
        >
          Undo import
        </Button>
        <Button variant="secondary" onClick={onRestart}>
          Import more
        </Button>
      </div>
    </Step>
  );
}

function countPosts(count: number): string {
  return count === 1 ? '1 post' : `${count.toLocaleString('en')} posts`;
}
