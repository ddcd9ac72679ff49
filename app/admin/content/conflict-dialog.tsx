import type { FieldValues } from 'react-hook-form';
import type { ContentKind, ContentRow } from '../../content/kind.ts';
import type { Merge, MergePath } from '../../lib/three-way-merge.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import MergeDialog from '../co-editing/merge-dialog.tsx';

/** The second to save: what they want to save, and what came of it with what stands there now. */
export interface Conflict {
  checked: FieldValues;
  /** Null: somebody deleted the item. */
  merged: { opened: ContentRow; current: ContentRow; merge: Merge<FieldValues> } | null;
}

export interface ConflictDialogProps {
  kind: ContentKind;
  conflict: Conflict;
  onKeepEditing: () => void;
  onReload: () => void;
  onSave: (takesTheirs: (path: MergePath) => boolean) => void;
  onSaveAsNew: () => void;
}

/** Says that somebody else was faster, and asks about the fields that both changed. */
export default function ConflictDialog(props: ConflictDialogProps) {
  const { kind, conflict, onKeepEditing, onReload, onSave, onSaveAsNew } = props;
  if (!conflict.merged) {
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && onKeepEditing()}
        title={`Somebody else deleted this ${kind.one}`}
        description="Your text is still in the form. You can save it as a new item."
        footer={
          <>
            <Button variant="secondary" onClick={onKeepEditing}>
              Keep editing
            </Button>
            <Button onClick={onSaveAsNew}>Save as a new {kind.one}</Button>
          </>
        }
      />
    );
  }
  const { current, merge } = conflict.merged;
  return (
    <MergeDialog
      title={`Somebody else changed this ${kind.one}`}
      description={`It was saved ${new Date(current.updated_at).toLocaleString('en-GB')}, after you opened it. Nothing was overwritten and your text is still in the form. You both changed what follows: choose what stays.`}
      conflicts={merge.conflicts}
      taken={merge.taken}
      onKeepEditing={onKeepEditing}
      onReload={onReload}
      onSave={onSave}
    />
  );
}
