import { FileDown } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { FileButton } from '../../ui/form/file-button.tsx';
import { messageOf } from '../../ui/show-error.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { downloadApprovedMutation } from './approval-lists.ts';
import type { Approval } from './approvals.ts';

interface DownloadRowsDialogProps {
  clientId: string;
  approval: Pick<Approval, 'id' | 'number' | 'title'>;
  /** Receives keyboard focus if the dialog was opened from a menu. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
  onClose: () => void;
}

/**
 * Extracts the approved rows from the uploaded file, which the user chooses again because the database stores only
 * hashes of addresses.
 */
export function DownloadRowsDialog({ clientId, approval, focusAfter, onClose }: DownloadRowsDialogProps) {
  const { id, number, title } = approval;
  const [fileError, setFileError] = useState<string | null>(null);
  const download = useMutationWithToasts(downloadApprovedMutation, {
    success: (count) =>
      count === 1 ? '1 approved row downloaded' : `${count.toLocaleString('en-GB')} approved rows downloaded`,
    failure: (error) => {
      setFileError(messageOf(error));
      return null;
    },
  });
  return (
    <Dialog
      open
      focusAfter={focusAfter}
      onOpenChange={onClose}
      title="Download approved rows"
      description={`Choose the CSV file that was uploaded for version ${number} of “${title}”. You get the same file without the rows that were removed or rejected. The file stays in your browser.`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <FileButton
            data-initial-focus
            loading={download.isPending}
            accept=".csv,text/csv,text/plain"
            onFiles={([file]) => {
              setFileError(null);
              if (file) download.mutate({ clientId, id, number, file }, { onSuccess: onClose });
            }}
          >
            <FileDown aria-hidden="true" />
            Choose the CSV
          </FileButton>
        </>
      }
    >
      {fileError && <ErrorNote title="Could not download the rows">{fileError}</ErrorNote>}
    </Dialog>
  );
}
