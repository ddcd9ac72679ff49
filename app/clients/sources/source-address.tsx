import { Copy } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { copyText } from '../../ui/lib/copy-text.ts';
import { tellFailure } from '../../ui/show-error.ts';
import { toast } from '../../ui/toast.ts';
import { sourceUrl } from './sources.ts';

/** Shows the address of a source, which nobody can be shown again. */
export function SourceAddress({ token, onClose }: { token: string; onClose: () => void }) {
  const address = sourceUrl(token);
  const copy = async () => {
    try {
      await copyText(address);
      toast.success('Address copied to clipboard');
    } catch (failure) {
      tellFailure('The address could not be copied', failure);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="The address of the source"
      description="Copy it now: it is shown this once. Enter it at the provider as the address of a webhook."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Done
          </Button>
          <Button data-initial-focus onClick={() => void copy()}>
            <Copy aria-hidden="true" />
            Copy address
          </Button>
        </>
      }
    >
      <code className="block rounded-md bg-sunken p-4 font-mono text-sm [overflow-wrap:anywhere]">{address}</code>
    </Dialog>
  );
}
