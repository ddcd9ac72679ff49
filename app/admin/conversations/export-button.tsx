import { Download } from 'lucide-react';
import { useState } from 'react';
import { exportConversations } from '../../data/conversations.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { messageOf } from '../form/message-of.ts';
import { download } from './download.ts';

/** Exports one conversation, or all of them, as CSV. */
export function ExportButton({ conversationId }: { conversationId?: string }) {
  const [running, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    try {
      const name = conversationId ? `conversation-${conversationId}` : 'conversations';
      download(await exportConversations(conversationId), `${name}.csv`);
    } catch (error) {
      toast.error('Error exporting conversations', messageOf(error));
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button variant="secondary" loading={running} onClick={() => void run()}>
      {!running && <Download aria-hidden="true" />}
      Export as CSV
    </Button>
  );
}
