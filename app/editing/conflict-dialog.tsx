import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { formatTime } from '../ui/lib/format-time.ts';
import MergeDialog from './merge-dialog.tsx';
import type { Conflict, Editing } from './use-document.ts';

export interface ConflictDialogProps {
  editing: Editing;
  conflict: Conflict;
}

/** Says that somebody else was faster, and asks about the fields that both changed. */
export default function ConflictDialog({ editing, conflict }: ConflictDialogProps) {
  const { document, keepEditing, loadTheirs, decide, saveAsNew } = editing;
  if (!conflict.merged) {
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && keepEditing()}
        title={`Somebody else deleted this ${document.one}`}
        description="Your text is still in the form. You can save it as a new item."
        footer={
          <>
            <Button variant="secondary" onClick={keepEditing}>
              Keep editing
            </Button>
            <Button onClick={saveAsNew}>Save as a new {document.one}</Button>
          </>
        }
      />
    );
  }
  const { current, merge } = conflict.merged;
  return (
    <MergeDialog
      title={`${current.by ?? 'Somebody else'} changed this ${document.one}`}
      description={`${savedInWords(current.version)} after you opened it. Nothing was overwritten and your text is still in the form. You both changed what follows: choose what stays.`}
      conflicts={merge.conflicts}
      taken={merge.taken}
      onKeepEditing={keepEditing}
      onReload={loadTheirs}
      onSave={decide}
    />
  );
}

/** Begins the sentence with the time of a version, where it is one. */
function savedInWords(version: string): string {
  const time = new Date(version);
  return Number.isNaN(time.getTime()) ? 'They saved' : `It was saved ${formatTime(version)},`;
}
