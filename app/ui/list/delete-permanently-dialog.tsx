import { useRef } from 'react';
import { ConfirmDialog } from '../confirm-dialog.tsx';

interface DeletePermanentlyDialogProps {
  /** Title of the item to delete. Null if the dialog is closed. */
  title: string | null;
  isDeleting: boolean;
  onClose: () => void;
  onDelete: () => void;
}

/** Confirms the permanent deletion of an item in the trash. */
export function DeletePermanentlyDialog({ title, isDeleting, onClose, onDelete }: DeletePermanentlyDialogProps) {
  // Keeps the title while the dialog fades out.
  const lastTitle = useRef(title);
  if (title !== null) lastTitle.current = title;
  return (
    <ConfirmDialog
      open={title !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Delete permanently?"
      description={`"${lastTitle.current ?? ''}" will be deleted immediately and cannot be restored.`}
      confirmLabel="Delete permanently"
      destructive
      loading={isDeleting}
      onConfirm={onDelete}
    />
  );
}
