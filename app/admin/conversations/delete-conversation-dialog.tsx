import { useMutation } from '@tanstack/react-query';
import { deleteConversationMutation } from '../../data/conversations.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { messageOf } from '../form/message-of.ts';

interface DeleteConversationDialogProps {
  conversationId: string;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteConversationDialog({ conversationId, onClose, onDeleted }: DeleteConversationDialogProps) {
  const remove = useMutation(deleteConversationMutation);
  const confirm = async () => {
    try {
      await remove.mutateAsync(conversationId);
      toast.success('Conversation deleted successfully');
      onDeleted?.();
    } catch (error) {
      toast.error('Error deleting conversation', messageOf(error));
    }
    onClose();
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Delete conversation?"
      description="Are you sure you want to delete this conversation with all its messages? This action cannot be undone."
      confirmLabel="Delete"
      destructive
      loading={remove.isPending}
      onConfirm={() => void confirm()}
    />
  );
}
