import { useRef } from 'react';
import { ConfirmDialog } from '../confirm-dialog.tsx';

interface DeleteForEverDialogProps {
  /** Title of the thing to delete; null: the dialog is closed. */
  title: string | null;
  isDeleting: boolean;
  onClose: () => void;
  onDelete: () => void;
}

/** Asks before something leaves the deleted, too. */
export function DeleteForEverDialog({ title, isDeleting, onClose, onDelete }: DeleteForEverDialogProps) {
  // While the dialog fades out it still names what it was about.
  const last = useRef(title);
  if (title !== null) last.current = title;
  return (
    <ConfirmDialog
      open={title !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Delete for ever?"
      description={`"${last.current ?? ''}" is deleted at once and cannot be restored.`}
      confirmLabel="Delete for ever"
      destructive
      loading={isDeleting}
      onConfirm={onDelete}
    />
  );
}
