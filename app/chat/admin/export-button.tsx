import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/lib/download.ts';
import { HEADER_BUTTON_CLASS, HEADER_LABEL_CLASS } from '../../ui/screen-header.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { exportConversationsMutation } from '../conversations.ts';

/** Exports one or all conversations as CSV. */
export function ExportButton({ conversationId }: { conversationId?: string }) {
  const fileName = conversationId ? `conversation-${conversationId}.csv` : 'conversations.csv';
  const run = useMutationWithToasts(exportConversationsMutation, { failure: 'Could not export the conversations' });
  return (
    <Button
      variant="secondary"
      className={HEADER_BUTTON_CLASS}
      loading={run.isPending}
      onClick={() => run.mutate(conversationId, { onSuccess: (text) => download(text, fileName, 'text/csv') })}
      icon={Download}
    >
      <span className={HEADER_LABEL_CLASS}>Export as CSV</span>
    </Button>
  );
}
