import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/lib/download.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { exportConversationsMutation } from '../conversations.ts';

/** Exports one or all conversations as CSV. */
export function ExportButton({ conversationId }: { conversationId?: string }) {
  const fileName = conversationId ? `conversation-${conversationId}.csv` : 'conversations.csv';
  const run = useMutationWithToasts(exportConversationsMutation, { failure: 'Could not export the conversations' });
  return (
    <Button
      variant="secondary"
      loading={run.isPending}
      onClick={() => run.mutate(conversationId, { onSuccess: (text) => download(text, fileName, 'text/csv') })}
      icon={Download}
    >
      Export as CSV
    </Button>
  );
}
