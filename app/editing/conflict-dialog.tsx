import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { formatTime } from '../ui/lib/format-time.ts';
import MergeDialog from './merge-dialog.tsx';
import type { Conflict, Editing } from './use-document.ts';

export interface ConflictDialogProps {
  editing: Editing;
  conflict: Conflict;
}

/** Reports a concurrent change, and asks which value to keep for fields that both users changed. */
export default function ConflictDialog({ editing, conflict }: ConflictDialogProps) {
  const { document, keepEditing, loadTheirVersion, resolveConflict, saveAsNew } = editing;
  if (!conflict.merged) {
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && keepEditing()}
        title={`Someone else deleted this ${document.singular}`}
        description="Your text is still in the form. You can save it as a new item."
        footer={
          <>
            <Button variant="secondary" onClick={keepEditing}>
              Keep editing
            </Button>
            <Button onClick={saveAsNew}>Save as a new {document.singular}</Button>
          </>
        }
      />
    );
  }
  const { current, merge } = conflict.merged;
  return (
    <MergeDialog
      title={`${current.by ?? 'Someone else'} changed this ${document.singular}`}
      description={`${formatSavedAt(current.version)} after you opened it. Nothing was overwritten, and your text is still in the form. You both changed the fields below. Choose which version to keep.`}
      conflicts={merge.conflicts}
      mergedPaths={merge.mergedPaths}
      onKeepEditing={keepEditing}
      onReload={loadTheirVersion}
      onSave={resolveConflict}
    />
  );
}

/** Returns the beginning of the description, with the time of the save if it is known. */
function formatSavedAt(version: string): string {
  const time = new Date(version);
  return Number.isNaN(time.getTime()) ? 'They saved' : `It was saved ${formatTime(version)},`;
}
