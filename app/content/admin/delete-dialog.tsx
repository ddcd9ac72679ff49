import { useRef } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TrashNotice } from '../../ui/list/trash-notice.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { deleteMutation, type ListItem } from '../editing.ts';
import type { ContentKind } from '../kind.ts';

interface DeleteDialogProps {
  kind: ContentKind;
  /** Null if the dialog is closed. */
  item: ListItem | null;
  onClose: () => void;
}

export function DeleteDialog({ kind, item, onClose }: DeleteDialogProps) {
  const { toasts } = kind;
  const remove = useMutationWithToasts(deleteMutation(kind), { success: toasts.deleted, failure: toasts.deleteFailed });
  // Keeps the title while the dialog fades out.
  const lastItem = useRef(item);
  if (item) lastItem.current = item;
  return (
    <ConfirmDialog
      open={item !== null}
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${kind.singular}?`}
      description={
        <>
          Are you sure you want to delete "{lastItem.current?.title}"? This action cannot be undone.
          <TrashNotice count={1} />
        </>
      }
      confirmLabel="Delete"
      destructive
      loading={remove.isPending}
      onConfirm={() => item && remove.mutate(item.id, { onSettled: onClose })}
    />
  );
}
