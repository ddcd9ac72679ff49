import { Copy } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { copyText } from '../../ui/lib/copy-text.ts';
import { showError } from '../../ui/show-error.ts';
import { toast } from '../../ui/toast.ts';
import { sourceUrl } from './sources.ts';

/** Shows the webhook URL of a source once. Only its hash is stored. */
export function SourceUrl({ token, onClose }: { token: string; onClose: () => void }) {
  const url = sourceUrl(token);
  const copy = async () => {
    try {
      await copyText(url);
      toast.success('URL copied to clipboard');
    } catch (failure) {
      showError('Could not copy the URL', failure);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Webhook URL"
      description="Copy this URL now. It will not be shown again. Enter it at the provider as the webhook URL."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Done
          </Button>
          <Button data-initial-focus onClick={() => void copy()}>
            <Copy aria-hidden="true" />
            Copy URL
          </Button>
        </>
      }
    >
      <code className="block rounded-md bg-sunken p-4 font-mono text-sm [overflow-wrap:anywhere]">{url}</code>
    </Dialog>
  );
}
