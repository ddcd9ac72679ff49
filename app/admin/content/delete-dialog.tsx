import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { deleteMutation } from '../../data/editing.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { messageOf } from '../form/message-of.ts';
import { type AnyRow, type ContentScreen, capitalized, titleOf } from './screen.ts';

interface DeleteDialogProps {
  screen: ContentScreen;
  /** What is to be deleted; null: the dialog is closed. */
  item: AnyRow | null;
  onClose: () => void;
}

export function DeleteDialog({ screen, item, onClose }: DeleteDialogProps) {
  const remove = useMutation(deleteMutation(screen.kind));
  // While the dialog fades out it still names what it was about.
  const last = useRef(item);
  if (item) last.current = item;

  const confirm = async () => {
    if (!item) return;
    try {
      await remove.mutateAsync(item.id);
      toast.success(`${capitalized(screen.one)} deleted successfully`);
    } catch (error) {
      toast.error(`Error deleting ${screen.one}`, messageOf(error));
    }
    onClose();
  };
  return (
    <ConfirmDialog
      open={item !== null}
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${screen.one}?`}
      description={`Are you sure you want to delete "${last.current ? titleOf(screen, last.current) : ''}"? This action cannot be undone.`}
      confirmLabel="Delete"
      destructive
      loading={remove.isPending}
      onConfirm={() => void confirm()}
    />
  );
}
