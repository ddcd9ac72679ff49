import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { deleteConversationMutation } from '../conversations.ts';

interface DeleteConversationDialogProps {
  conversationId: string;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteConversationDialog({ conversationId, onClose, onDeleted }: DeleteConversationDialogProps) {
  const remove = useMutationWithToasts(deleteConversationMutation, {
    success: 'Conversation deleted successfully',
    failure: 'Could not delete the conversation',
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Delete conversation?"
      description="Are you sure you want to delete this conversation with all its messages? This action cannot be undone."
      confirmLabel="Delete"
      destructive
      loading={remove.isPending}
      onConfirm={() => remove.mutate(conversationId, { onSuccess: () => onDeleted?.(), onSettled: onClose })}
    />
  );
}
