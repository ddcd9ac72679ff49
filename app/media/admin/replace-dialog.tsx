import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FileButton } from '../../ui/form/file-button.tsx';
import { formatBytes } from '../../ui/lib/format-bytes.ts';
import { Switch } from '../../ui/switch.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type MediaFile, mediaUsageQuery, replaceMediaMutation } from '../media.ts';
import { replacementTypes } from './file-labels.ts';
import { UsageList } from './usage-list.tsx';

interface ReplaceDialogProps {
  file: MediaFile;
  onClose: () => void;
}

/** Lists where a file is used, and replaces it in all of these places. */
export default function ReplaceDialog({ file, onClose }: ReplaceDialogProps) {
  const [newFile, setNewFile] = useState<File | null>(null);
  const [deletesOld, setDeletesOld] = useState(false);
  const usage = useQuery(mediaUsageQuery(file.name));
  const replace = useMutationWithToasts(replaceMediaMutation, {
    success: (places) => `File replaced in ${places === 1 ? '1 place' : `${places} places`}`,
    failure: 'Could not replace the file',
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Replace file"
      description={
        <span className="[overflow-wrap:anywhere]">
          Choose a file to replace “{file.title}” everywhere. Nothing changes until you confirm.
        </span>
      }
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={!newFile || usage.isPending}
            loading={replace.isPending}
            onClick={() =>
              newFile && replace.mutate({ oldFile: file, file: newFile, deletesOld }, { onSuccess: onClose })
            }
          >
            Replace everywhere
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-5 p-1">
        <UsageList name={file.name} heading="Replaced in" />
        <div className="flex flex-wrap items-center gap-3">
          <FileButton
            variant="secondary"
            accept={replacementTypes(file)}
            onFiles={([first]) => first && setNewFile(first)}
          >
            <Upload aria-hidden="true" />
            Choose new file
          </FileButton>
          <p role="status" className="min-w-0 text-sm text-muted [overflow-wrap:anywhere]">
            {newFile && `${newFile.name} · ${formatBytes(newFile.size)}`}
          </p>
        </div>
        <Switch
          label="Delete the old file afterwards"
          checked={deletesOld}
          onChange={(event) => setDeletesOld(event.target.checked)}
        />
        <p className="text-sm text-muted">
          The folder, focal point and alt text are copied to the new file. Sent emails, other sites and earlier versions
          of texts still link to the old file.
        </p>
      </div>
    </Dialog>
  );
}
